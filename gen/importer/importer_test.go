package importer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/spec"
)

// one imports a tool, and returns what its spec says besides the flags, and the
// notes but for decisions.
func one(t *testing.T, rest string) (yaml, notes string) {
	t.Helper()
	made := load(t, `[{"name":"x_a","description":"Do it.","annotations":{"readOnlyHint":true},`+rest+`}]`)
	tool := made.Files[1].Root.Get("tools").Items[0].Without("name", "description", "readOnly")
	text, err := spec.WriteYAML(tool)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, n := range made.Notes {
		if n.Kind != Decide {
			lines = append(lines, n.String())
		}
	}
	return string(text), strings.Join(lines, "\n")
}

func load(t *testing.T, text string) *Imported {
	t.Helper()
	tree, findings := spec.ReadJSON("m.json", []byte(text))
	if findings != nil {
		t.Fatal(findings)
	}
	made, err := Import(Source{Tools: tree})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// What JSON Schema says is what the spec says, or it is noted.
func TestSchemas(t *testing.T) {
	for _, c := range []struct{ schema, want, notes string }{
		{`{"type":"string","minLength":1,"maxLength":5,"pattern":"^a+$","format":"uri","description":"D."}`,
			`{type: string, minLength: 1, maxLength: 5, pattern: "^a+$", format: uri, description: D.}`, ""},
		{`{"type":"string","pattern":"(?=a)b","format":"hostname","title":"T","x-a":1}`, `{type: string}`,
			"lost    x_a /pattern: the pattern has a group that starts with (?; of those only (?: is taken\ndropped x_a /format: format \"hostname\" is none that is checked\ndropped x_a /title: specs have no title here\ndropped x_a /x-a: specs have no x-a here"},
		{`{"type":["string","null"],"default":null}`, `{type: string, nullable: true, default: null}`, ""},
		{`{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}],"description":"N."}`, `{type: integer, nullable: true, minimum: 0, description: N.}`, ""},
		{`{"enum":["a","b",null]}`, `{type: string, nullable: true, enum: [a, b]}`, ""},
		{`{"enum":[1,2],"type":"number"}`, `{type: integer, enum: [1, 2]}`, "dropped x_a /type: the numbers of the enum are integers, and that is their type here"},
		{`{"enum":[1,"a"]}`, `{type: object, additionalProperties: true}`, "lost    x_a /enum: an enum is of texts, or of integers\nlost    x_a: it takes any value; it is an object of any keys here"},
		{`{"const":"x"}`, `{const: x}`, ""},
		{`{"const":9007199254740993,"type":"integer"}`, `{const: 9007199254740993}`, ""},
		{`{"anyOf":[{"const":"a"},{"const":"b"}]}`, `{type: string, enum: [a, b]}`, ""},
		{`{"type":"integer","minimum":1.0,"maximum":1e3,"exclusiveMaximum":1e300,"multipleOf":0.5}`, `{type: integer, minimum: 1, maximum: 1000}`,
			"dropped x_a /exclusiveMaximum: integers have 64 bits\nlost    x_a /multipleOf: 0.5 is no integer"},
		{`{"type":"number","minimum":0.1,"exclusiveMinimum":true}`, `{type: number, exclusiveMinimum: 0.1}`, ""},
		{`{"type":"object","additionalProperties":{"type":"integer"},"propertyNames":{"type":"string"}}`, `{type: object, additionalProperties: {type: integer}}`, ""},
		{`{"type":"object"}`, `{type: object, additionalProperties: true}`, ""},
		{`{"type":"object","additionalProperties":false}`, `{type: object, properties: {}}`, ""},
		{`{"properties":{"b":{"type":"boolean"}},"required":["b","c"],"minProperties":1}`, `{type: object, properties: {b: {type: boolean, required: true}}}`,
			"lost    x_a /required: \"c\" is required, and not among the properties\nlost    x_a /minProperties: specs have no minProperties here"},
		{`{"type":"array","items":{"type":"string"},"minItems":1,"uniqueItems":true,"default":["a"]}`, `{type: array, minItems: 1, items: {type: string}, uniqueItems: true, default: [a]}`, ""},
		{`{"type":"array"}`, `{type: array, items: {type: object, additionalProperties: true}}`, "lost    x_a /items: nothing says what its elements are; they are objects of any keys here"},
		{`{"type":["string","integer"]}`, `{type: string}`, "lost    x_a /type: it is one of string, integer; it is string here"},
		{`{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`, `{type: string}`, "lost    x_a /anyOf: nothing tells the 2 alternatives apart; only the first one is kept"},
		{`true`, `{type: object, additionalProperties: true}`, "lost    x_a: it takes any value; it is an object of any keys here"},
		{`{"type":"string","default":5}`, `{type: string}`, "lost    x_a /default: the default 5 is not what the schema takes"},
		{`{"allOf":[{"$ref":"#/$defs/P"}],"description":"D."}`, `{type: object, properties: {x: {type: number}}, description: D.}`, ""},
		{`{"$ref":"#/$defs/P","description":"D."}`, `{type: object, properties: {x: {type: number}}, description: D.}`, ""},
		{`{"$ref":"#/$defs/Q"}`, `{type: object, additionalProperties: true}`, "lost    x_a /$ref: #/$defs/Q is nowhere in the schema"},
		{`{"$ref":"#/$defs/N"}`, `{type: object, properties: {next: {type: object, additionalProperties: true}}}`, "lost    x_a /properties/next/$ref: #/$defs/N refers to itself"},
		{`{"anyOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]},{"type":"object","properties":{"k":{"enum":["b"]},"n":{"type":"number"}},"required":["k"],"additionalProperties":false}]}`,
			`{discriminator: k, oneOf: [{type: object, properties: {k: {const: a, required: true}}}, {type: object, properties: {k: {required: true, const: b}, n: {type: number}}}]}`,
			"dropped x_a /anyOf: k tells the alternatives apart, so it is a oneOf here"},
	} {
		got, notes := one(t, `"inputSchema":{"type":"object","$schema":"s","properties":{"v":`+c.schema+`},"$defs":{"P":{"properties":{"x":{"type":"number"}}},"N":{"properties":{"next":{"$ref":"#/$defs/N"}}}}}`)
		want := strings.Join(strings.Fields(c.want), " ")
		if got = flat(got); got != "args: {v: "+want+"}" {
			t.Errorf("%s\ngot  %s\nwant args: {v: %s}", c.schema, got, want)
		}
		if notes = strings.NewReplacer("x_a /inputSchema/properties/v/", "x_a /", "x_a /inputSchema/properties/v:", "x_a:").Replace(notes); notes != c.notes {
			t.Errorf("%s\ngot\n%s\nwant\n%s", c.schema, notes, c.notes)
		}
	}
}

// flat puts YAML on one line, without comments.
func flat(yaml string) string {
	tree := spec.ReadYAML("c.yaml", []byte(yaml))
	return show(tree)
}

func show(t *spec.Tree) string {
	var parts []string
	switch t.Kind {
	case '{':
		for i, k := range t.Keys {
			parts = append(parts, k+": "+show(t.Items[i]))
		}
		if text := strings.Join(parts, ", "); !strings.HasPrefix(text, "args: ") {
			return "{" + text + "}"
		}
		return strings.Join(parts, ", ")
	case '[':
		for _, item := range t.Items {
			parts = append(parts, show(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case 'n':
		return "null"
	case '"':
		if strings.HasPrefix(t.Text, "^") {
			return fmt.Sprintf("%q", t.Text)
		}
	}
	return t.Text
}

// Nothing is guessed without saying so, and each guess is the careful one.
func TestFlags(t *testing.T) {
	for _, c := range []struct{ annotations, want string }{
		{`{"readOnlyHint":true,"idempotentHint":true,"openWorldHint":false}`, "readOnly: true, idempotent: true, openWorld: false"},
		{`{"readOnlyHint":true,"destructiveHint":true}`, "readOnly: true"},
		{`{"destructiveHint":false}`, "destructive: false, tier: High # decide"},
		{`{"destructiveHint":true}`, "destructive: true, tier: High # decide, auth: none # decide"},
		{`{}`, "destructive: true # decide, tier: High # decide, auth: none # decide"},
	} {
		made := load(t, `[{"name":"x_a","description":"Do it.","annotations":`+c.annotations+`}]`)
		tool := made.Files[1].Root.Get("tools").Items[0]
		var got []string
		decisions := 0
		for i, k := range tool.Keys {
			if k == "name" || k == "description" {
				continue
			}
			text := k + ": " + tool.Items[i].Text
			if strings.HasPrefix(tool.Items[i].Comment, "decide: ") {
				text += " # decide"
				decisions++
			}
			got = append(got, text)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s, want %s", c.annotations, got, c.want)
		}
		for _, n := range made.Notes {
			if n.Kind == Decide && n.Tool != "" {
				decisions--
			}
		}
		if decisions != 0 {
			t.Errorf("%s: comments and notes differ: %v", c.annotations, made.Notes)
		}
	}
}

func TestRoots(t *testing.T) {
	for _, c := range []struct{ rest, want, notes string }{
		{`"inputSchema":{"type":"object"}`, "{}\n", ""},
		{`"inputSchema":{"type":"object","additionalProperties":true}`, "{}\n", "lost    x_a /inputSchema/additionalProperties: args take no further ones"},
		{`"inputSchema":{"type":"string"}`, "{}\n", "lost    x_a /inputSchema: the root is no object"},
		{`"inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer","default":1}},"required":["n"]}`,
			"result: {\"n\": {type: integer, required: true}}\n", "dropped x_a /outputSchema/properties/n/default: a result has no defaults"},
		{`"execution":{"taskSupport":"forbidden"},"icons":[],"_meta":{}`, "{}\n", "lost    x_a /icons: specs have no icons"},
		{`"args":"none"`, "{}\n", ""},
		{`"args":{"n":"integer"}`, "args:\n  \"n\":\n    type: integer # decide: its type, and whether it is required\n    description: integer\n", ""},
	} {
		got, notes := one(t, c.rest)
		if got != c.want || notes != c.notes {
			t.Errorf("%s\ngot\n%s%s\nwant\n%s%s", c.rest, got, notes, c.want, c.notes)
		}
	}
}

func TestNoTools(t *testing.T) {
	for _, text := range []string{`5`, `{}`, `{"tools":{}}`, `[]`, `[{"name":""}]`} {
		tree, _ := spec.ReadJSON("m.json", []byte(text))
		if _, err := Import(Source{Tools: tree}); err == nil {
			t.Errorf("%s: imported", text)
		}
	}
}

// FuzzImport imports tools with any schema: what is written loads, whatever it was.
func FuzzImport(f *testing.F) {
	for _, schema := range []string{
		`{"properties":{"a":{"anyOf":[{"type":"null"},{"$ref":"#"}]}}}`,
		`{"properties":{"confirm":{"type":"boolean"},"":{},"a":{"type":"array","items":[{"type":"string"}],"default":["x",1]}},"required":["a",1]}`,
		`{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"}]},"b":{"oneOf":[{"$ref":"#/$defs/a"},{"const":1.5}]}},"properties":{"x":{"$ref":"#/$defs/a"}}}`,
		`{"properties":{"n":{"type":"integer","minimum":5,"maximum":1,"default":7,"examples":[1]},"s":{"type":"string","minLength":5,"maxLength":2,"enum":["a","a"],"format":"date","default":"b"}}}`,
		`{"properties":{"o":{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["k"]},{"properties":{"k":{"const":"b"}},"required":["k"]}],"default":{"k":"a"}}}}`,
		`{"properties":{"m":{"type":"object","additionalProperties":{"type":["integer","null"]},"default":{"a":"b"}},"c":{"const":true,"default":true,"enum":[]}}}`,
	} {
		f.Add(schema)
	}
	f.Fuzz(func(t *testing.T, schema string) {
		tree, findings := spec.ReadJSON("m.json", []byte(schema))
		if findings != nil || len(schema) > 4000 {
			return
		}
		tool := spec.Mapping().Set("name", spec.Text("x_a")).Set("inputSchema", tree).Set("outputSchema", tree)
		made, err := Import(Source{Tools: spec.List(tool)})
		if err != nil {
			t.Fatal(err)
		}
		files := map[string][]byte{}
		for _, file := range made.Files {
			if files[file.Name], err = spec.WriteYAML(file.Root); err != nil {
				t.Fatal(err)
			}
		}
		set, findings := spec.LoadFiles(files)
		for _, f := range findings {
			if f.Severity == spec.Error {
				var b strings.Builder
				set.Format(&b, findings)
				t.Fatalf("%s\n%s", b.String(), files["tools.yaml"])
			}
		}
	})
}
