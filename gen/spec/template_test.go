package spec

import "testing"

// Templates are RFC 6570's, behind a scheme.
func TestTemplateShape(t *testing.T) {
	for text, want := range map[string]bool{
		"t:{+path}": true, "t://a%20b/{id}{?page,lines}": true, "t://{/path*}": true, "t://{?list*,x}": true, "t://{x:3}": true, "t://{a.b}": true,
		"t://%zz": false, "t://%4": false, "t://{}": false, "t://{!x}": false, "t://{x:0}": false, "t://{x,}": false, "t://{x": false, "t://x}": false, "T://x": false,
	} {
		if got := templateShape.MatchString(text); got != want {
			t.Errorf("%s is a template: %v", text, got)
		}
	}
}
