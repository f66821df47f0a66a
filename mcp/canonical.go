package mcp

import (
	"sort"
	"strconv"
	"strings"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// canonical returns a text that two JSON values share if and only if they are
// equal: keys sorted, escapes resolved, numbers by value. It decides uniqueItems.
func canonical(value []byte) string {
	var l lex.Lexer
	l.Reset(value)
	return string(appendCanonical(nil, &l))
}

func appendCanonical(b []byte, l *lex.Lexer) []byte {
	switch l.Kind() {
	case '{':
		var members []string
		for l.Enter(); l.More(); {
			member := lex.AppendQuote(nil, string(l.Key()))
			member = append(member, ':')
			members = append(members, string(appendCanonical(member, l)))
		}
		sort.Strings(members)
		return append(append(append(b, '{'), strings.Join(members, ",")...), '}')
	case '[':
		b = append(b, '[')
		for l.Enter(); l.More(); {
			b = append(appendCanonical(b, l), ',')
		}
		return append(b, ']')
	case '"':
		return lex.AppendQuote(b, l.String())
	case '0':
		return append(b, canonicalNumber(string(l.Number()))...)
	}
	return append(b, l.Skip()...)
}

// canonicalNumber writes a number as its digits without outer zeros and the
// power of ten they are to be multiplied with.
func canonicalNumber(text string) string {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	trimmed := strings.TrimRight(all, "0")
	if trimmed == "" {
		return "0"
	}
	power, err := strconv.Atoi(exponent)
	if err != nil && exponent != "" {
		return text // an exponent beyond an int: equal only to its like
	}
	power += len(all) - len(trimmed) - len(fraction)
	return sign + trimmed + "e" + strconv.Itoa(power)
}
