package lex

import "testing"

// A lexer that is Reset reads the next text as a new one would, wherever it was
// in the one before.
func TestResetForgets(t *testing.T) {
	before := []string{`{"a":"text","bb":[1,22,333],"c":"longer text"}`, `["x"`, `{"a":{"b":`, `"\u0061\u0062"`, `nul`, `{"a":1,"a":2}`, ``}
	after := []string{`["a"]`, `["",""]`, `[1]`, `[[true]]`, `{"a":null}`, `{"\u0061":""}`, `"b"`, `0`, `[`}
	for _, first := range before {
		for reads := range 12 {
			for _, text := range after {
				var l, fresh Lexer
				l.Reset([]byte(first))
				for range reads {
					switch {
					case l.state == keyDue:
						l.Key()
					case l.state != valueDue:
						l.More()
					case l.Kind() == '{' || l.Kind() == '[':
						l.Enter()
					default:
						l.Skip()
					}
				}
				l.Reset([]byte(text))
				fresh.Reset([]byte(text))
				if got, want := l.Skip(), fresh.Skip(); string(got) != string(want) {
					t.Errorf("after %s, %s is read as %q", first, text, got)
				}
				if got, want := l.End(), fresh.End(); (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
					t.Errorf("after %s, %s ends with %v, not %v", first, text, got, want)
				}
			}
		}
	}
}
