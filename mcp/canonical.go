package mcp

import (
	"strconv"
	"strings"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// canonical returns a text that two JSON values share if and only if they are
// equal: keys sorted, escapes resolved, numbers by value. It decides uniqueItems.
func canonical(value []byte) string {
	var l lex.Lexer
	l.Reset(value)
	return string(l.Canonical(nil, appendNumber))
}

// appendNumber writes a number as its digits without outer zeros and the power
// of ten they are to be multiplied with.
func appendNumber(b, number []byte) []byte {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(number)), "e")
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	digits := strings.TrimRight(all, "0")
	if digits == "" {
		return append(b, '0')
	}
	power, err := strconv.Atoi(exponent)
	if err != nil && exponent != "" {
		return append(b, number...) // an exponent beyond an int: equal only to its like
	}
	power += len(all) - len(digits) - len(fraction)
	return strconv.AppendInt(append(append(append(b, sign...), digits...), 'e'), int64(power), 10)
}
