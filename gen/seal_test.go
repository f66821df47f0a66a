package gen

import (
	"os"
	"path/filepath"
	"testing"
)

// A run that changes nothing is sealed; whatever is touched afterwards, the next
// run looks again and mends it.
func TestSealHoldsForNoOtherByte(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/sealed\n\ngo 1.26.5\n")
	writeFile(t, filepath.Join(dir, "specs", "server.yaml"), "server: sealed\nprefix: se\nversion: \"1.0.0\"\ndescription: A server.\nenv: {SE_HOME: {description: Where things are.}}\ncategories: {things: {description: Things.}}\n")
	writeFile(t, filepath.Join(dir, "specs", "things.yaml"), `category: things
tools:
  - name: se_readThing
    description: Read a thing.
    readOnly: true
    openWorld: false
    args:
      thing: {type: string, required: true, description: The thing.}
    examples:
      - does: reads
        args: {thing: a}
`)
	o := Options{Dir: dir}
	for range 2 { // the second writes nothing, and is sealed
		if r, err := Generate(o); err != nil || r.Failed() {
			t.Fatal(r, err)
		}
	}
	if _, ok := sealOf(o.withDefaults()).report(); !ok {
		r, _ := Verify(o)
		t.Fatal("a run that changed nothing left no seal", r.Findings, r.Changes)
	}
	for _, name := range []string{"generated/server_gen.go", "mcp-tools.json", "generated/schemas", ".env.example"} {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err != nil {
			t.Fatal(err)
		} else if info.IsDir() {
			entries, err := os.ReadDir(path)
			if err != nil {
				t.Fatal(err)
			}
			path = filepath.Join(path, entries[0].Name())
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append([]byte(nil), before[:len(before)-1]...), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Generate(o)
		if err != nil || len(r.Changes) != 1 {
			t.Errorf("%s lost a byte: %d changes, error %v", name, len(r.Changes), err)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s lost a byte and did not get it back", name)
		}
	}
}
