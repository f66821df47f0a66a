package spec

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// Faults of a manifest are found at their place, several at once.
func TestManifestFaults(t *testing.T) {
	const head = "{\"server\": {\"name\": \"d\", \"version\": \"1\"},\n \"prefix\": \"d\",\n \"tools\": "
	for _, c := range []struct{ text, want string }{
		{`{"tools": []`, `1:13: the file ends before the "}" of the "{" in line 1 [spec-syntax]`},
		{"{\"a\": 1,\n  \"b\": tru}", `2:8: "tru" is no JSON value; text stands in double quotes [spec-syntax]`},
		{"[1, 2,\n]", `2:1: a comma with nothing behind it; remove it, or add a value [spec-syntax]`},
		{"{\"a\" 1}", `1:6: a colon and a value are due behind key "a" [spec-syntax]`},
		{"{a: 1}", `1:2: a key in double quotes is due before "a" [spec-syntax]`},
		{"{} x", `1:4: the value has ended; remove what follows it [spec-syntax]`},
		{"{\"a\": 'b'}", `1:7: text stands in double quotes [spec-syntax]`},
		{"{\"é\": 01}", `1:7: "01" is not how JSON writes a number [spec-syntax]`},
		{"// x\n{}", `1:1: JSON has no comments; remove it [spec-syntax]`},
		{"{\"a\": \"b\n\"}", `1:7: the text that starts here is not closed in its line; write a line break as \n [spec-syntax]`},
		{"{\"a\": \"\xff\",\n\"b\": \"\xfe\"}", "1:8: byte 0xFF is not UTF-8; save the file as UTF-8 [spec-syntax]\n" +
			"2:7: byte 0xFE is not UTF-8; save the file as UTF-8 [spec-syntax]"},
		{"", `1:1: this file says nothing; remove it, or write what it is for [spec-missing]`},
		{"null", `1:1: this file says nothing; remove it, or write what it is for [spec-missing]`},
		{"[]", `1:1: the manifest wants a mapping, not a list [spec-type]`},
		{"{}", "1:1: the manifest has no prefix; add what every tool's name starts with: \"prefix\": \"docker\" [spec-missing]\n" +
			"1:1: the manifest has no server; add \"server\": {\"name\": …, \"version\": …} [spec-missing]\n" +
			`1:1: the manifest has no tools; add "tools" with a list of tools [spec-missing]`},
		{`{"server": {"verson": "d", "title": "1", "prefix": "d"}, "prefix": "D", "tools": []}`,
			"1:12: server has no name; add it, as in serverInfo: \"name\": \"docker\" [spec-missing]\n" +
				"1:12: server has no version; add one: version: \"0.1.0\" [spec-missing]\n" +
				"1:13: server has no key \"verson\"; write \"version\" [spec-unknown-key]\n" +
				"1:42: server has no key \"prefix\"; it stands beside server, or is called name [spec-unknown-key]\n" +
				`1:68: prefix "D" is not made of lower-case letters and digits, such as docker [spec-value]`},
		{head + `[{"name": "d_a", "category": "c", "name": "d_b",` + "\n" + `   "args": {"x": {"type": "string", "enum": ["\q", "\ud800", "a", "a", "` + "\t" + `"]}}}]}`,
			"3:45: key \"name\" is repeated, first written in line 3; remove one [spec-repeated-key]\n" +
				"4:47: JSON has no escape \"\\\\q\"; a backslash itself is written twice [spec-syntax]\n" +
				"4:53: half of a surrogate pair; write both halves, or the character itself [spec-syntax]\n" +
				"4:67: enum lists \"a\" twice; remove one [spec-value]\n" +
				`4:73: a control character stands escaped; write \u0009 [spec-syntax]`},
		{head + `[{"name": "d_a", "args": {"x": {"type": "integer", "maximum": 9223372036854775808}}}]}`,
			"3:12: tool \"d_a\" has no category, nor has its file; add category: to the file [spec-missing]\n" +
				`3:73: maximum wants a whole number of 64 bits; "9223372036854775808" does not fit [spec-value]`},
		{strings.Repeat("[", 65) + strings.Repeat("]", 65), `1:65: nested more than 64 deep [spec-limit]`},
		{strings.Repeat("[", 1<<20), `1:65: nested more than 64 deep [spec-limit]`},
	} {
		_, findings := LoadFiles(map[string][]byte{"m.json": []byte(c.text)})
		var got []string
		for _, f := range findings {
			got = append(got, strings.TrimPrefix(f.Error(), "m.json:"))
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%.80s\ngot\n%s\nwant\n%s", c.text, strings.Join(got, "\n"), c.want)
		}
	}
}

// What JSON writes in ways that YAML readers get wrong reads as it should.
func TestManifestValues(t *testing.T) {
	long := strings.Repeat("k", 5000)
	set, findings := LoadFiles(map[string][]byte{"m.json": []byte("\ufeff" + `{"server": {"name": "d", "version": "1"}, "prefix": "d", "tools": [
{"name": "d_a", "category": "c", "description": "a\/b \ud83d\ude00 \u00e9 \" \\ \b\f\n\r\t` + "\u2028" + `", "args": {"` + long + `": {"type": "integer", "minimum": -9223372036854775808, "default": 9007199254740993}}}]}`)})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	tool := set.Tools[0]
	if want := "a/b 😀 é \" \\ \b\f\n\r\t\u2028"; tool.Description.V != want {
		t.Errorf("description %q", tool.Description.V)
	}
	if tool.Args[0].Name.V != long || tool.Args[0].Default.V != "9007199254740993" || tool.Args[0].Minimum.V != "-9223372036854775808" {
		t.Errorf("%+v", tool.Args[0])
	}
	if at := tool.Description.Pos; at.Line != 2 || at.Col != 49 {
		t.Errorf("description at %+v", at)
	}
}

// A manifest is the only spec: beside others it is a finding.
func TestManifestStandsAlone(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(ManifestFile, `{"server": {"name": "d", "version": "1"}, "prefix": "d", "tools": []}`)
	set, findings, err := Load(dir)
	if err != nil || len(findings) > 0 || set.Server.Name.V != "d" {
		t.Fatal(set.Server.Name, findings, err)
	}
	write("server.yaml", "server: d\nprefix: d\nversion: \"1\"\n")
	_, findings, err = Load(dir)
	if err != nil || len(findings) != 1 || !strings.Contains(findings[0].Message, "keep one of the two") {
		t.Fatal(findings, err)
	}
}

// FuzzJSON holds the reader to jsontext: the same texts, the same values.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{`{"a":[1,-0.5e+3,true,null,"\u00e9\ud83d\ude00\/"],"b":{}}`, `{"a":1,"a":2}`, `"\ud800"`, `[1,]`, ` 1 `, "\"\x01\"", `"\u+123"`, "[}", "{\"a\":}", "\"\x7f\u2028\"", "-", "1e", "nul", `{"a":"\x"}`, "\ufeff[]", "[\n\r\"x\n\""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		src, faults := newSource("m.json", data), new(faults)
		root := readJSON(src, faults)
		text := []byte(src.text)
		deep := bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxDepth
		if valid := jsontext.Value(text).IsValid(); !deep && valid != (root != nil && len(faults.findings) == 0) {
			t.Fatalf("valid: %v, but %v", valid, faults.findings)
		} else if valid && !deep {
			var got, want any
			if err := unmarshal([]byte(root.literal()), &got); err != nil {
				t.Fatal(err)
			}
			if err := unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			a, _ := json.Marshal(got)
			b, _ := json.Marshal(want)
			if !bytes.Equal(a, b) {
				t.Fatalf("read %s, want %s", a, b)
			}
		}
		for _, f := range faults.findings {
			if f.Pos.Line < 1 || f.Pos.Line > len(src.lines) || f.Pos.Col < 1 || f.Pos.Col > len([]rune(src.line(f.Pos.Line)))+2 {
				t.Fatalf("outside of the file: %+v", f)
			}
		}
	})
}

// unmarshal keeps numbers as they are written.
func unmarshal(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(v)
}
