package mcp

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

const (
	minInt = math.MinInt64
	maxInt = math.MaxInt64
)

// compareNumber compares a JSON number with a bound. The double v of its text
// decides, except where rounding put it exactly on the bound.
func compareNumber(text string, v, bound float64) int {
	switch {
	case v < bound:
		return -1
	case v > bound:
		return 1
	case len(text) <= 15: // digits, sign and point of at most 15 are exact in a double
		if !strings.ContainsAny(text, "eE") {
			return 0
		}
	}
	d, ok := exact(text)
	if !ok { // rounded to zero or lies beyond all doubles: only its sign is left
		if strings.HasPrefix(text, "-") {
			return -1
		}
		return 1
	}
	b, _ := exact(formatFloat(bound))
	return d.Cmp(b)
}

// isMultiple reports whether the JSON number is an integral multiple of step.
func isMultiple(text string, step float64) bool {
	n, ok := exact(text)
	s, _ := exact(formatFloat(step))
	return ok && s.Sign() != 0 && new(big.Rat).Quo(n, s).IsInt()
}

// exact returns the value of a JSON number, unless its exponent is beyond what
// a double has, where the digits alone would fill the memory.
func exact(text string) (*big.Rat, bool) {
	mantissa, exponent, found := strings.Cut(strings.ToLower(text), "e")
	if strings.Trim(mantissa, "-0.") == "" {
		return new(big.Rat), true
	}
	if found {
		if e, err := strconv.Atoi(strings.TrimPrefix(exponent, "+")); err != nil || e > 400 || e < -400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}
