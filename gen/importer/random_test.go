package importer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/spec"
)

// Whatever is put together of JSON Schema's keywords imports to specs that load.
func TestRandomSchemas(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 400 {
		var props []string
		for i := range 4 {
			props = append(props, fmt.Sprintf(`"p%d":%s`, i, randomSchema(r, 3)))
		}
		schema := `{"type":"object","required":["p1","p2"],"properties":{` + strings.Join(props, ",") + `},"$defs":{"d":` + randomSchema(r, 2) + `}}`
		tree, findings := spec.ReadJSON("m.json", []byte(schema))
		if findings != nil {
			t.Fatal(findings, schema)
		}
		made, err := Import(Source{Tools: spec.List(spec.Mapping().Set("name", spec.Text("x_a")).Set("inputSchema", tree).Set("outputSchema", tree))})
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
				t.Fatalf("%d: %s\n%s\n%s", n, schema, b.String(), files["tools.yaml"])
			}
		}
	}
}

func randomSchema(r *rand.Rand, depth int) string {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	var keys []string
	add := func(key, value string) { keys = append(keys, fmt.Sprintf("%q:%s", key, value)) }
	if r.IntN(5) > 0 {
		add("type", pick(`"string"`, `"integer"`, `"number"`, `"boolean"`, `"array"`, `"object"`, `["string","null"]`, `["integer","string"]`, `"null"`))
	}
	scalar := func() string {
		return pick(`"a"`, `"bc"`, "1", "5", "1.5", "-3", "true", "null", `[]`, `["a"]`, `{}`, `{"k":"a"}`, "1e2")
	}
	for range r.IntN(4) {
		switch key := pick("minimum", "maximum", "exclusiveMinimum", "minLength", "maxLength", "pattern", "format", "items", "minItems", "uniqueItems",
			"properties", "additionalProperties", "enum", "const", "default", "examples", "anyOf", "oneOf", "allOf", "$ref", "description", "title", "multipleOf", "not"); {
		case strings.Contains(strings.Join(keys, ","), `"`+key+`":`):
		case strings.HasPrefix(key, "min"), strings.HasPrefix(key, "max"), key == "exclusiveMinimum", key == "multipleOf":
			add(key, pick("0", "1", "2", "-5", "1.5", "1e400", "99999999999999999999"))
		case key == "pattern":
			add(key, pick(`"^a"`, `"(?<n>a)"`, `"["`))
		case key == "format":
			add(key, pick(`"date-time"`, `"uri"`, `"hostname"`))
		case key == "uniqueItems":
			add(key, "true")
		case key == "description" || key == "title":
			add(key, pick(`"Text: it."`, `""`, "5"))
		case key == "enum" || key == "examples":
			add(key, "["+scalar()+","+scalar()+"]")
		case key == "const" || key == "default":
			add(key, scalar())
		case key == "$ref":
			add(key, pick(`"#/$defs/d"`, `"#"`, `"#/properties/p0"`, `"x"`))
		case depth == 0:
		case key == "items" || key == "not":
			add(key, randomSchema(r, depth-1))
		case key == "additionalProperties":
			add(key, pick("true", "false", "{}", randomSchema(r, depth-1)))
		case key == "properties":
			add(key, `{"k":`+randomSchema(r, depth-1)+`,"l":`+randomSchema(r, depth-1)+`}`)
		default:
			add(key, "["+randomSchema(r, depth-1)+","+pick(`{"type":"null"}`, randomSchema(r, depth-1), `{"const":"a"},{"const":"b"}`,
				`{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]},{"properties":{"k":{"const":"b"}},"required":["k"]}`)+"]")
		}
	}
	return "{" + strings.Join(keys, ",") + "}"
}
