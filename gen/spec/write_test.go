package spec

import "testing"

func TestWriteYAML(t *testing.T) {
	tool := Mapping().
		Set("name", Text("fs_readFile")).
		Set("description", Text("Read: a file.")).
		Set("usage", Text("one\ntwo\n")).
		Set("destructive", Bool(true).Commented("decide: does it\ndestroy?")).
		Set("args", Mapping().
			Set("path", Mapping().Set("type", Text("string")).Set("required", Bool(true))).
			Set("on", Mapping().Set("enum", List(Text("yes"), Text("1"), Text("a b"))).Set("default", Text("yes")))).
		Set("examples", List(Mapping().Set("does", Text("reads")).Set("args", Mapping().Set("n", Number("9007199254740993")))))
	got, err := WriteYAML(Mapping().Set("category", Text("files")).Set("tools", List(tool, Mapping().Set("name", Text("fs_b")))))
	if err != nil {
		t.Fatal(err)
	}
	const want = `category: files
tools:
  - name: fs_readFile
    description: "Read: a file."
    usage: |
      one
      two
    destructive: true # decide: does it destroy?
    args:
      path: {type: string, required: true}
      "on": {enum: ["yes", "1", a b], default: "yes"}
    examples:
      - {does: reads, args: {"n": 9007199254740993}}

  - {name: fs_b}
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What WriteYAML writes, the reader of specs reads as it was.
func FuzzWriteYAML(f *testing.F) {
	for _, text := range []string{`{"a":["yes","1:30","0x1","~","","#a","a #b","a: b","- a","*a","&a","!a","%a","@a","{","[","'","\"","|",">","?","a:","é","😀","\u2028","\u0085","\ufeff","\u0000"," a","a ","a\nb","a\nb\n","a\n\n"," a\nb","\na","a \nb","a\tb\nc","---","...","--- a",".","=","<<","null","1_0","2024-01-01","0o7","+1",".5","1.",".inf","a\r\nb"],"b":{"yes":1.50,"":-0,"1":null,"a: b":true,"c":[[],{},[[1]],{"d":{"e":{}}}]},"x\ny":"x\n  y"}`,
		`{"tools":[{"a":"b\nc","d":[{"e":"f\ng\n"}]}]}`, `["a, b","c]","d}"]`, `1e5`, `"x"`, `[-9223372036854775809,18446744073709551615,18446744073709551616,1000000000000000000000000000,-0,1e700,-1E-700,1E+3]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, findings := ReadJSON("m.json", []byte(text))
		if findings != nil || len(text) > 2000 {
			return
		}
		long := false
		var walk func(*Tree)
		walk = func(t *Tree) {
			for i, item := range t.Items {
				long = long || i < len(t.Keys) && len(t.Keys[i]) > 100
				walk(item)
			}
		}
		if walk(tree); long {
			return
		}
		written, err := WriteYAML(tree)
		if err != nil {
			t.Fatal(err)
		}
		faults := new(faults)
		read := readYAML(newSource("c.yaml", written), faults)
		if len(faults.findings) > 0 || read == nil {
			t.Fatalf("%v in\n%s", faults.findings, written)
		}
		if got, want := string(read.literal()), tree.JSON(); got != want {
			t.Fatalf("read %s, want %s, from\n%s", got, want, written)
		}
	})
}
