package lex

import (
	"math"
	"strconv"
)

// number moves past the number at pos.
func (l *Lexer) number() {
	if l.peek() == '-' {
		l.pos++
	}
	if l.peek() != '0' {
		l.digits()
	} else if l.pos++; isDigit(l.peek()) {
		l.fail(l.pos-1, "number with a leading zero")
	}
	if l.peek() == '.' {
		l.pos++
		l.digits()
	}
	if c := l.peek(); c == 'e' || c == 'E' {
		l.pos++
		if c := l.peek(); c == '+' || c == '-' {
			l.pos++
		}
		l.digits()
	}
}

// digits moves past one or more digits.
func (l *Lexer) digits() {
	if !isDigit(l.peek()) {
		l.unexpected("a digit")
	}
	for isDigit(l.peek()) {
		l.pos++
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// ParseInt returns the value of a valid JSON number that is an integer,
// whatever its notation: 1.0, 1e2, 100e-2 and -0 are integers, 1.5 is none. For
// an integer that int64 has no room for, fits is false and v is 0. The time it
// takes depends on the length of num, not on its exponent.
func ParseInt(num []byte) (v int64, integral, fits bool) {
	negative := len(num) > 0 && num[0] == '-'
	if negative {
		num = num[1:]
	}
	// The value is u, which has so many digits, times ten to the power of exp.
	// Zeros are held back until another digit follows.
	var u uint64
	var digits, zeros, exp int64
	fraction := false
	for i, c := range num {
		if c == 'e' || c == 'E' {
			exp += exponent(num[i+1:])
			break
		}
		if c == '.' {
			fraction = true
			continue
		}
		if fraction {
			exp--
		}
		if c == '0' {
			zeros++
			continue
		}
		if digits > 0 {
			digits += zeros
			for ; zeros > 0; zeros-- {
				u *= 10
			}
		}
		u = u*10 + uint64(c-'0') // wraps only where there are too many digits anyway
		digits, zeros = digits+1, 0
	}
	exp += zeros
	switch {
	case digits == 0:
		return 0, true, true
	case exp < 0: // the last digit, which is not 0, stands behind the point
		return 0, false, false
	case digits+exp > 19: // up to 19 digits are less than 1<<64
		return 0, true, false
	}
	for range exp {
		u *= 10
	}
	switch {
	case negative && u <= -math.MinInt64:
		return -int64(u), true, true
	case !negative && u <= math.MaxInt64:
		return int64(u), true, true
	}
	return 0, true, false
}

// exponent returns the value of an exponent, cut to what no mantissa is long
// enough to make up for.
func exponent(s []byte) int64 {
	const most = 1 << 40
	e, _ := strconv.ParseInt(string(s), 10, 64) // out of range it gives the nearest
	return max(-most, min(e, most))
}
