package lex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParseInt(t *testing.T) {
	const (
		fraction = iota
		tooLarge
		integer
	)
	for _, c := range []struct {
		num  string
		v    int64
		kind int
	}{
		{"0", 0, integer},
		{"-0", 0, integer},
		{"0.000", 0, integer},
		{"-0e5", 0, integer},
		{"0e999999999", 0, integer},
		{"0.0e-99999999999999999999999", 0, integer},
		{"7", 7, integer},
		{"-42", -42, integer},
		{"1.0", 1, integer},
		{"1e2", 100, integer},
		{"1E+2", 100, integer},
		{"100e-2", 1, integer},
		{"12.50e1", 125, integer},
		{"0.00012e5", 12, integer},
		{"120e-1", 12, integer},
		{"10203", 10203, integer},
		{"9007199254740993", 9007199254740993, integer}, // 2^53 + 1
		{"9223372036854775807", math.MaxInt64, integer},
		{"9223372036854775807.000", math.MaxInt64, integer},
		{"922337203685477580.7e1", math.MaxInt64, integer},
		{"9223372036854775807000e-3", math.MaxInt64, integer},
		{"-9223372036854775808", math.MinInt64, integer},
		{"-922337203685477580.8e1", math.MinInt64, integer},
		{"1e18", 1e18, integer},
		{"1e0000000000000000000000018", 1e18, integer},
		{"0." + strings.Repeat("0", 5000) + "1e5001", 1, integer},
		{"1" + strings.Repeat("0", 5000) + "e-5000", 1, integer},

		{"1.5", 0, fraction},
		{"-0.1", 0, fraction},
		{"1e-1", 0, fraction},
		{"125e-1", 0, fraction},
		{"12.55e1", 0, fraction},
		{"1e-999999999", 0, fraction},
		{"1e-99999999999999999999999", 0, fraction},
		{"9223372036854775807.5", 0, fraction},
		{"99999999999999999999999.5", 0, fraction},

		{"9223372036854775808", 0, tooLarge},
		{"-9223372036854775809", 0, tooLarge},
		{"9999999999999999999", 0, tooLarge},
		{"18446744073709551617", 0, tooLarge}, // wraps to 1
		{"1e19", 0, tooLarge},
		{"-1e19", 0, tooLarge},
		{"1e400", 0, tooLarge},
		{"1e999999999", 0, tooLarge},
		{"-1e99999999999999999999999", 0, tooLarge},
		{"1.5e999999999", 0, tooLarge},
		{strings.Repeat("9", 100_000), 0, tooLarge},
	} {
		v, integral, fits := ParseInt([]byte(c.num))
		if v != c.v || integral != (c.kind != fraction) || fits != (c.kind == integer) {
			t.Errorf("%.60s: got %d, integral %v, fits %v", c.num, v, integral, fits)
		}
	}
}

// Most of these lie close to the limits of int64 or of being an integer.
func TestParseIntOfRandomNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	digits := func(most int) string {
		b := make([]byte, random.IntN(most))
		for i := range b {
			b[i] = "0000123456789999"[random.IntN(16)]
		}
		return string(b)
	}
	for range 200_000 {
		whole := strings.TrimLeft(digits(22), "0")
		switch random.IntN(4) {
		case 0:
			whole = "922337203685477580" + digits(3)
		case 1:
			whole = "-922337203685477580" + digits(3)
		}
		if whole == "" {
			whole = "0"
		}
		num := whole
		if frac := digits(12); frac != "" {
			num += "." + frac
		}
		if random.IntN(2) == 0 {
			num += fmt.Sprintf("e%d", random.IntN(40)-20)
		}
		if Valid([]byte(num)) != nil {
			t.Fatalf("%s is no number", num)
		}
		v, integral, fits := ParseInt([]byte(num))
		want, wantIntegral, wantFits := referenceInt(num)
		if v != want || integral != wantIntegral || fits != wantFits {
			t.Fatalf("%s: got %d %v %v, want %d %v %v", num, v, integral, fits, want, wantIntegral, wantFits)
		}
	}
}
