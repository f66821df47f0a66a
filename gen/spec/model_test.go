package spec

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// readCase reads the spec files of a case without its findings.
func readCase(t *testing.T, name string) (*Set, []Finding) {
	t.Helper()
	ar, err := txtar.ParseFile("testdata/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	var files []file
	for _, f := range ar.Files {
		if f.Name != "findings" {
			files = append(files, file{f.Name, f.Data})
		}
	}
	return read(files)
}

func readTools(text string) (*Set, []Finding) {
	return read([]file{{"specs/c.yaml", []byte(text)}})
}

// TestModel: what the full case says arrives, each value with its place.
func TestModel(t *testing.T) {
	set, _ := readCase(t, "clean_full")
	tool := set.Tools[0]
	args := make(map[string]*Schema)
	for _, a := range tool.Args {
		args[a.Name.V] = a
	}
	show := func(v any) string { return fmt.Sprintf("%+v", v) }
	for _, test := range []struct{ what, got, want string }{
		{"prefix", show(set.Server.Prefix), "{V:docker Pos:{File:specs/server.yaml Line:2 Col:9 Width:6}}"},
		{"instructions", show(set.Server.Instructions), "{V:Ask before removing.\n Pos:{File:specs/server.yaml Line:6 Col:15 Width:1}}"},
		{"env", show(*set.Server.Env[1]), "{Name:{V:DOCKER_TOKEN Pos:{File:specs/server.yaml Line:11 Col:3 Width:12}} Description:{V:What it asks for. Pos:{File:specs/server.yaml Line:11 Col:31 Width:17}} Required:{V:false Pos:{File: Line:0 Col:0 Width:0}} Secret:{V:true Pos:{File:specs/server.yaml Line:11 Col:58 Width:4}}}"},
		{"tool", show(tool.Pos), "{File:specs/containers.yaml Line:4 Col:5 Width:4}"},
		{"usage", show(tool.Usage.V), "Longer text, over two lines."},
		{"category of the file", show(tool.Category), "{V:containers Pos:{File:specs/containers.yaml Line:2 Col:11 Width:10}}"},
		{"openWorld", show(tool.OpenWorld.V), "false"},
		{"tier", show(tool.Tier.V), "Critical"},
		{"auth", show(tool.Auth[1]), "{V:DOCKER_TOKEN Pos:{File:specs/containers.yaml Line:18 Col:25 Width:12}}"},
		{"rateLimit", show(tool.RateLimit.WindowSeconds.V), "60"},
		{"timeout", show(tool.TimeoutSeconds.V), "5"},
		{"arg order", show(tool.Args[0].Name.V + tool.Args[len(tool.Args)-1].Name.V), "idnone"},
		{"mapping of an arg", show(args["id"].Pos), "{File:specs/containers.yaml Line:22 Col:11 Width:1}"},
		{"maxLength", show(args["id"].MaxLength.V), "64"},
		{"absent maxLength", show(args["signal"].MaxLength), "{V:-1 Pos:{File: Line:0 Col:0 Width:0}}"},
		{"type from enum", show(args["signal"].Type), "{V:string Pos:{File: Line:0 Col:0 Width:0}}"},
		{"text members", show(args["signal"].Enum[1].V + args["signal"].Enum[2].V + args["signal"].Enum[3].V), `"9""yes""2024-01-01"`},
		{"integer type from enum", show(args["level"].Type.V + string(args["level"].Default.V)), "integer2"},
		{"bound", show(args["wait"].ExclusiveMaximum.V), "9223372036854775807"},
		{"list default", show(args["labels"].Default.V), `["a","b"]`},
		{"object default", show(args["filter"].Default.V), `{"name":"x","depth":9007199254740993}`},
		{"property", show(args["filter"].Properties[0].Name), "{V:name Pos:{File:specs/containers.yaml Line:41 Col:11 Width:4}}"},
		{"result", show(tool.Result[0].Required.V), "true"},
		{"result place", show(tool.ResultPos), "{File:specs/containers.yaml Line:45 Col:7 Width:7}"},
		{"example args", show(tool.Examples[0].Args.V), `{"id":"x","confirm":true,"dry_run":false,"wait":20,"filter":{"name":"é","depth":1}}`},
		{"example returns", show(tool.Examples[0].Returns.V), `{"removed":"x","big":123456789012345678901234567890,"f":1.50,"n":null,"l":[1,"2"]}`},
		{"example file", show(tool.Examples[0].Files[0].Name.V + "=" + tool.Examples[0].Files[0].Text.V), "a/b.txt=text\n"},
		{"auth none", show(set.Tools[1].AuthNone), "true"},
	} {
		if test.got != test.want {
			t.Errorf("%s is\n%s, not\n%s", test.what, test.got, test.want)
		}
	}
}

func TestDefaults(t *testing.T) {
	set, findings := readTools(`
category: c
tools:
  - {name: x_readFile}
  - {name: x_getURL, readOnly: true}
  - {name: x_delete_all_files, destructive: true}
  - {name: x_a, destructive: true, tier: Medium, requiresConfirm: false}
  - {name: x_b, result: {}, category: d}
`)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	var got []string
	for _, x := range set.Tools {
		got = append(got, fmt.Sprintf("%s: %s %v %s %v %v %v", x.Title.V, x.Tier.V, x.RequiresConfirm.V, x.Workspace.V, x.OpenWorld.V, x.Result != nil, x.Tier.Set()))
	}
	want := `Read file: Medium false none true false false
Get URL: Low false none true false false
Delete all files: High true none true false false
A: Medium false none true false true
B: Medium false none true true false`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// TestReadsOn: a fault does not keep the rest from being read, and what was
// most likely meant is taken.
func TestReadsOn(t *testing.T) {
	set, findings := readTools(`
category: c
tools:
  - name: x_a
    destructive: yes
    tier: critical
    args:
      a: string
      b: {type: str, foo: 1}
  - name: x_b
    tier: {}
`)
	if len(findings) != 6 {
		t.Errorf("got %d findings: %v", len(findings), findings)
	}
	a, b := set.Tools[0], set.Tools[1]
	if !a.Destructive.V || a.Tier.V != "Critical" || len(a.Args) != 2 || a.Args[1].Type.V != "string" || b.Tier.V != "Medium" {
		t.Errorf("read on as %+v and %+v", a, b)
	}
	if !set.Misread(a.Tier.Pos) || set.Misread(a.Name.Pos) {
		t.Error("Misread tells not the tier's place from the name's")
	}
}

func TestLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "specs")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := Load(dir); err == nil {
		t.Error("a folder that is not there is no error")
	}
	if err := os.MkdirAll(filepath.Join(dir, "folder.yaml"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("b.yml", "category: b\ntools: [{name: x_b}]\n")
	write("a.yaml", "\ufeffcategory: a\r\ntools:\r\n  - name: x_a\r\n    foo: 1\r\n")
	write(".hidden.yaml", "?")
	write("notes.txt", "?")
	write("large.yaml", strings.Repeat("#", maxFileSize+1))

	set, findings, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range findings {
		got = append(got, strings.TrimPrefix(f.Error(), dir+string(filepath.Separator)))
	}
	for i, want := range []string{
		`a.yaml:4:5: tool "x_a" has no key "foo"`,
		"folder.yaml: not a regular file [spec-limit]",
		"large.yaml: larger than 4 MiB; split it [spec-limit]",
		"server.yaml: there is no server.yaml",
	} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Errorf("finding %d is not %q: %q", i, want, got)
		}
	}
	if len(got) != 4 {
		t.Errorf("got %d findings", len(got))
	}
	if len(set.Tools) != 2 || set.Tools[0].Name.V != "x_a" || set.Tools[1].Name.Pos.File != filepath.Join(dir, "b.yml") {
		t.Errorf("read %v", set.Tools)
	}
}

// TestHostileBytes: what no YAML reader may see is reported at its place, and
// harmless when it is echoed.
func TestHostileBytes(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a: \xff\n", "c.yaml:1:4: byte 0xFF is not UTF-8"},
		{"é: x\n\x00", "c.yaml:2:1: the invisible character U+0000"},
		{"a: b\x1b[2J\n", "c.yaml:1:5: the invisible character U+001B"},
		{"a: b\rc: d\n", "c.yaml:1:5: a carriage return without a line feed"},
		{"a: b\u2028c\n", "c.yaml:1:5: the invisible character U+2028"},
		{"a: b\u0085c\n", "c.yaml:1:5: the invisible character U+0085"},
		{"a: b\ufeff\n", "c.yaml:1:5: the invisible character U+FEFF"},
		{"\xff\xfea\x00", "c.yaml:1:1: byte 0xFF is not UTF-8"},
		{strings.Repeat("- ", 100) + "a", "c.yaml:1:1: a file of tools wants a mapping"},
		{"a: " + strings.Repeat("[", 100) + strings.Repeat("]", 100), "c.yaml:1:1: a file of tools has no tools"},
		{strings.Repeat("[", 20000), "c.yaml:1:1: this nests too deep"},
	} {
		set, findings := read([]file{{"c.yaml", []byte(test.text)}})
		Sort(findings)
		if len(findings) == 0 || !strings.HasPrefix(findings[0].Error(), test.want) {
			t.Errorf("%.20q gives %v, not %s", test.text, findings, test.want)
			continue
		}
		var out strings.Builder
		if err := set.Format(&out, findings); err != nil {
			t.Fatal(err)
		}
		for _, r := range out.String() {
			if Hidden(r) {
				t.Errorf("%.20q is echoed with U+%04X", test.text, r)
			}
		}
	}
}

func TestDepth(t *testing.T) {
	_, findings := readTools("category: c\ntools:\n  - {name: x_a, examples: [{does: x, returns: " + strings.Repeat("[", 70) + strings.Repeat("]", 70) + "}]}\n")
	if len(findings) != 1 || findings[0].Rule != ruleLimit || findings[0].Pos.Line != 3 {
		t.Errorf("70 levels give %v", findings)
	}
}

// TestManyFaults: one file cannot make the output endless.
func TestManyFaults(t *testing.T) {
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "k%d: 1\n", i)
	}
	_, findings := readTools(text.String())
	if len(findings) != maxFindings || findings[maxFindings-1].Rule != ruleLimit {
		t.Errorf("5000 faults give %d findings", len(findings))
	}
}

func TestSort(t *testing.T) {
	at := func(file string, line, col int) Pos { return Pos{file, line, col, 1} }
	got := Sort([]Finding{
		{Pos: at("b", 1, 1), Rule: "a", Message: "1"},
		{Pos: at("a", 2, 1), Rule: "a", Message: "1"},
		{Pos: at("a", 1, 9), Rule: "b", Message: "1"},
		{Pos: at("a", 2, 1), Rule: "a", Message: "1"},
		{Pos: at("a", 1, 9), Rule: "a", Message: "2"},
		{Pos: at("a", 1, 10), Rule: "a", Message: "1"},
	})
	var out []string
	for _, f := range got {
		out = append(out, f.Error())
	}
	want := "a:1:9: 2 [a]|a:1:9: 1 [b]|a:1:10: 1 [a]|a:2:1: 1 [a]|b:1:1: 1 [a]"
	if strings.Join(out, "|") != want {
		t.Errorf("got %s, not %s", strings.Join(out, "|"), want)
	}
}

func TestErrorIsHarmless(t *testing.T) {
	f := Finding{Pos: Pos{"a\x1b.yaml", 1, 2, 3}, Rule: "r", Severity: Warning, Message: "x\n\u202ey\tz"}
	if got, want := f.Error(), `a\u001b.yaml:1:2: warning: x\u000a\u202ey    z [r]`; got != want {
		t.Errorf("got %q, not %q", got, want)
	}
}

func TestWithin(t *testing.T) {
	set, _ := readTools(`
category: c
tools:
  - name: x_a
    description: "Lists é things."
    usage: >-
      One line,
      another Word here.
    title: Word
`)
	tool := set.Tools[0]
	for _, test := range []struct {
		v          Value[string]
		part, want string
	}{
		{tool.Description, "Lists", "5:19+5"},
		{tool.Description, "things", "5:27+6"},
		{tool.Usage, "Word", "8:15+4"},
		{tool.Usage, "title", "none"},
		{tool.Usage, "line, another", "none"},
		{tool.Name, "Word", "none"},
		{Value[string]{V: "x"}, "x", "none"},
	} {
		got := "none"
		if p, ok := set.Within(test.v.Pos, test.part); ok {
			got = fmt.Sprintf("%d:%d+%d", p.Line, p.Col, p.Width)
		}
		if got != test.want {
			t.Errorf("%q is at %s, not %s", test.part, got, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	keys := []string{"name", "description", "readOnly", "requiresConfirm", "args", "minimum", "minLength", "tier"}
	for word, want := range map[string]string{
		"desciption": "description", "desc": "description", "read_only": "readOnly", "READONLY": "readOnly",
		"nmae": "name", "parameters": "args", "min": "minimum", "minlen": "minLength", "teir": "tier",
		"xyz": "", "x": "", "": "", "\u202e": "", strings.Repeat("name", 1000): "",
	} {
		if got := Nearest(word, keys); got != want {
			t.Errorf("%.20q is near %q, not %q", word, got, want)
		}
	}
}
