package mcp

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Rule is one constraint of an argument or a result field, as its spec states
// it. Generated code passes rules to the verbs of Decoder and Encoder, which
// know what each means; a rule that a verb does not know is ignored by it.
type Rule struct {
	kind     ruleKind
	min, max int     // Length, Items
	bound    float64 // AtLeast, AtMost, Above, Below, MultipleOf
	of       int64   // MultipleOfInt
	name     string  // Format, Pattern
	shown    string  // Pattern: as the spec has it
}

type ruleKind uint8

const (
	ruleLength ruleKind = iota + 1
	ruleItems
	ruleUnique
	ruleAtLeast
	ruleAtMost
	ruleAbove
	ruleBelow
	ruleMultipleOf
	ruleMultipleOfInt
	ruleFormat
	rulePattern
	rulePath
	ruleCommand
	ruleSecret
)

// Length bounds a string, in characters; a max of -1 is none.
func Length(min, max int) Rule { return Rule{kind: ruleLength, min: min, max: max} }

// Items bounds the number of an array's elements; a max of -1 is none.
func Items(min, max int) Rule { return Rule{kind: ruleItems, min: min, max: max} }

// AtLeast is JSON Schema's minimum of a number.
func AtLeast(n float64) Rule { return Rule{kind: ruleAtLeast, bound: n} }

// AtMost is JSON Schema's maximum of a number.
func AtMost(n float64) Rule { return Rule{kind: ruleAtMost, bound: n} }

// Above is JSON Schema's exclusiveMinimum of a number.
func Above(n float64) Rule { return Rule{kind: ruleAbove, bound: n} }

// Below is JSON Schema's exclusiveMaximum of a number.
func Below(n float64) Rule { return Rule{kind: ruleBelow, bound: n} }

// MultipleOf is JSON Schema's multipleOf, judged on the decimal digits and
// not on their rounding to a double: 0.3 is a multiple of 0.1.
func MultipleOf(n float64) Rule { return Rule{kind: ruleMultipleOf, bound: n} }

// MultipleOfInt is MultipleOf for an integer that no double holds.
func MultipleOfInt(n int64) Rule { return Rule{kind: ruleMultipleOfInt, of: n} }

// Format is one of JSON Schema's formats that this package asserts: date-time,
// date, time, email, uri, uuid, ipv4 and ipv6.
func Format(name string) Rule { return Rule{kind: ruleFormat, name: name} }

var (
	Unique      = Rule{kind: ruleUnique}  // no element of the array equals another
	RolePath    = Rule{kind: rulePath}    // the text names a path: grants and containment look at it
	RoleCommand = Rule{kind: ruleCommand} // the text is a command, or a word of one: grants look at it
	Secret      = Rule{kind: ruleSecret}  // the value is never shown again
)

func has(rules []Rule, kind ruleKind) bool {
	for i := range rules {
		if rules[i].kind == kind {
			return true
		}
	}
	return false
}

// checkText returns what a text should have been, or "" if it keeps the rules.
func checkText(s string, rules []Rule) string {
	for i := range rules {
		switch r := &rules[i]; r.kind {
		case ruleLength:
			// A text has at most as many characters as bytes: most need no counting.
			if len(s) >= r.min && (r.max < 0 || len(s) <= r.max) && r.min <= 1 {
				continue
			}
			if n := utf8.RuneCountInString(s); n < r.min || r.max >= 0 && n > r.max {
				return "a string of " + span(r.min, r.max, "character")
			}
		case ruleFormat:
			if !hasFormat(s, r.name) {
				return "a string with the format " + r.name
			}
		case rulePattern:
			if !matches(r.name, s) {
				return "a string that matches " + r.shown
			}
		}
	}
	return ""
}

// checkItems returns how many elements an array should have had, or "".
func checkItems(n int, rules []Rule) string {
	for i := range rules {
		if r := &rules[i]; r.kind == ruleItems && (n < r.min || r.max >= 0 && n > r.max) {
			return "an array of " + span(r.min, r.max, "item")
		}
	}
	return ""
}

// checkInt returns what an integer should have been, or "".
func checkInt(v, min, max int64, rules []Rule) string {
	if v < min || v > max {
		return wantInt(min, max)
	}
	for i := range rules {
		switch r := &rules[i]; {
		case r.kind == ruleMultipleOf && !isMultiple(strconv.FormatInt(v, 10), r.bound):
			return "a multiple of " + formatFloat(r.bound)
		case r.kind == ruleMultipleOfInt && v%r.of != 0:
			return "a multiple of " + strconv.FormatInt(r.of, 10)
		}
	}
	return ""
}

// checkNumber returns what a number should have been, or "". Its source text
// decides where the double of it lies on a bound.
func checkNumber(text string, v float64, rules []Rule) string {
	for i := range rules {
		r := &rules[i]
		want := ""
		switch r.kind {
		case ruleAtLeast:
			if compareNumber(text, v, r.bound) < 0 {
				want = "a number of at least "
			}
		case ruleAtMost:
			if compareNumber(text, v, r.bound) > 0 {
				want = "a number of at most "
			}
		case ruleAbove:
			if compareNumber(text, v, r.bound) <= 0 {
				want = "a number above "
			}
		case ruleBelow:
			if compareNumber(text, v, r.bound) >= 0 {
				want = "a number below "
			}
		case ruleMultipleOf:
			if !isMultiple(text, r.bound) {
				want = "a multiple of "
			}
		}
		if want != "" {
			return want + formatFloat(r.bound)
		}
	}
	return ""
}

func wantInt(min, max int64) string {
	switch {
	case min == minInt && max == maxInt:
		return "an integer of 64 bits"
	case min == minInt:
		return fmt.Sprintf("an integer of at most %d", max)
	case max == maxInt:
		return fmt.Sprintf("an integer of at least %d", min)
	}
	return fmt.Sprintf("an integer from %d to %d", min, max)
}

// span says a range of lengths: "1 to 40 characters", "at least 1 item".
func span(min, max int, unit string) string {
	n := max
	text := ""
	switch {
	case max < 0:
		n, text = min, fmt.Sprintf("at least %d %s", min, unit)
	case min == max:
		text = fmt.Sprintf("exactly %d %s", max, unit)
	case min == 0:
		text = fmt.Sprintf("at most %d %s", max, unit)
	default:
		text = fmt.Sprintf("%d to %d %s", min, max, unit)
	}
	if n != 1 {
		text += "s"
	}
	return text
}

func formatFloat(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
