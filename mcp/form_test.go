package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// Forms that can't be asked are refused before a user sees them.
func TestParseForm(t *testing.T) {
	for _, good := range []string{
		`{"type":"object","properties":{}}`,
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"type":"string","title":"A","description":"b","minLength":1,"maxLength":3,"format":"email"}},"required":["a"]}`,
		`{"type":"object","properties":{"a":{"type":"string","enum":["x","y"],"enumNames":["X","Y"],"default":"y"}}}`,
		`{"type":"object","properties":{"a":{"type":"string","oneOf":[{"const":"x","title":"X"}],"default":"x"}}}`,
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x","y"]},"minItems":1,"maxItems":2,"default":["x"]}}}`,
		`{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]}}}}`,
		`{"type":"object","properties":{"a":{"type":"number","minimum":0.5,"maximum":2,"default":1.5},"b":{"type":"integer","default":30},"c":{"type":"boolean","default":false}}}`,
	} {
		if _, err := parseForm([]byte(good)); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for bad, want := range map[string]string{
		``:                                  "invalid JSON",
		`{"type":"object"}`:                 "a form is",
		`{"type":"string","properties":{}}`: "a form is",
		`{"type":"object","properties":{},"required":["a"]}`:                                    "a is required",
		`{"type":"object","properties":{"a":{"type":"object"}}}`:                                "want string, number",
		`{"type":"object","properties":{"a":{}}}`:                                               "want string, number",
		`{"type":"object","properties":{"a":{"type":"string","pattern":"x"}}}`:                  "unknown field",
		`{"type":"object","properties":{"a":{"type":"string","format":"ipv4"}}}`:                "want email",
		`{"type":"object","properties":{"a":{"type":"integer","enum":["1"]}}}`:                  "an enum is a string",
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`:       "an array is of enum members",
		`{"type":"object","properties":{"a":{"type":"integer","default":1.5}}}`:                 "its default: want an integer",
		`{"type":"object","properties":{"a":{"type":"string","enum":["x"],"default":"y"}}}`:     `its default: want one of "x"`,
		`{"type":"object","properties":{"a":{"type":"integer","minimum":3,"default":2}}}`:       "out of its range",
		`{"type":"object","properties":{"a":{"type":"string","items":{"enum":["x"]}}}}`:         `"items" belongs`,
		`{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"string"}}}`:          "repeated key",
		`{"type":"object","properties":{"a":{"type":"string","enum":["x"]}},"additional":true}`: "unknown field",
	} {
		if _, err := parseForm([]byte(bad)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", bad, err, want)
		}
	}
}

// What a user answers keeps to the form, and has the defaults.
func TestSettle(t *testing.T) {
	f, err := parseForm([]byte(`{"type":"object","properties":{
		"name":{"type":"string","minLength":2,"maxLength":4},"mail":{"type":"string","format":"email"},
		"age":{"type":"integer","minimum":0,"maximum":150,"default":30},"score":{"type":"number"},
		"ok":{"type":"boolean","default":true},"one":{"type":"string","oneOf":[{"const":"x","title":"X"},{"const":"y","title":"Y"}]},
		"some":{"type":"array","items":{"enum":["p","q"]},"maxItems":1}},"required":["name","age"]}`))
	if err != nil {
		t.Fatal(err)
	}
	for answer, want := range map[string]string{
		`{"name":"Ada"}`: `{"age":30,"name":"Ada","ok":true}`,
		`{"name":"éé","mail":"a@b.example","age":0,"score":-1.5,"ok":false,"one":"y","some":["q"]}`: `{"age":0,"mail":"a@b.example","name":"éé","ok":false,"one":"y","score":-1.5,"some":["q"]}`,
		`{"name":"Ada","age":1e1}`:          `{"age":1e1,"name":"Ada","ok":true}`,
		`{}`:                                "!name is missing",
		`{"name":"A"}`:                      "!name: the text is too short",
		`{"name":"Adele"}`:                  "!name: the text is too short or too long",
		`{"name":null}`:                     "!name: want a string",
		`{"Name":"Ada"}`:                    `!it has "Name"`,
		`{"name":"Ada","age":"30"}`:         "!age: want a number",
		`{"name":"Ada","age":30.5}`:         "!age: want an integer",
		`{"name":"Ada","age":151}`:          "!age: the number is out of its range",
		`{"name":"Ada","age":-1}`:           "!age: the number is out of its range",
		`{"name":"Ada","score":1e999}`:      "!score: want a number that a double holds",
		`{"name":"Ada","ok":"true"}`:        "!ok: want true or false",
		`{"name":"Ada","one":"X"}`:          `!one: want one of "x"`,
		`{"name":"Ada","some":"p"}`:         "!some: want an array",
		`{"name":"Ada","some":["r"]}`:       "!some: want members",
		`{"name":"Ada","some":["p",1]}`:     "!some: want members",
		`{"name":"Ada","some":["p","q"]}`:   "!some: too few or too many",
		`{"name":"Ada","mail":"at nobody"}`: "!mail: want ",
	} {
		got, err := f.settle([]byte(answer))
		if text, refused := strings.CutPrefix(want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %s, %v; want %q", answer, got, err, text)
			}
		} else if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", answer, got, err, want)
		}
	}
}

// A form takes whatever a user can be made to send, or says what is wrong.
func FuzzSettle(f *testing.F) {
	form, err := parseForm([]byte(`{"type":"object","properties":{"s":{"type":"string","maxLength":3},"n":{"type":"number","maximum":9},"i":{"type":"integer"},"b":{"type":"boolean"},"e":{"type":"string","enum":["x"]},"m":{"type":"array","items":{"enum":["x","y"]}}}}`))
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{`{}`, `{"s":"abc","n":1e1,"i":7,"b":true,"e":"x","m":["x","x"]}`, `{"s":null}`, `{"m":[[]]}`, `{"i":1e400}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) == 0 || content[0] != '{' || lex.Valid(content) != nil {
			return // the frame's reader has refused it
		}
		got, err := form.settle(content)
		if err != nil {
			return
		}
		var v struct {
			S string
			N float64
			I json.Number
			B bool
			E string
			M []string
		}
		if err := json.Unmarshal(got, &v); err != nil || len([]rune(v.S)) > 3 || v.N > 9 || v.E != "" && v.E != "x" {
			t.Fatalf("%s was taken: %v", content, err)
		}
	})
}
