package gen

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const house = "github.com/teaagent/teaagent"

// arrows says which rooms of the house each room may import. They point one
// way: the runtime does not know the generator, generated code does not know
// its handlers, and the generator works when all that it generates is broken.
// A room that is not listed may import any; one that is not built yet is
// listed all the same. "…" stands for every room below.
var arrows = map[string][]string{
	"gen/spec":              {"mcp"}, // vocabulary: tiers, access
	"gen/lint":              {"gen/spec", "mcp"},
	"gen/importer":          {"gen/spec"},
	"gen/internal/plan":     {"gen/spec", "mcp"},
	"gen/internal/emit":     {"gen/internal/plan", "gen/spec", "mcp"},
	"gen/internal/scaffold": {"gen/spec"},
	"gen":                   {"gen/…", "mcp/client"},
	"cmd/teagen":            {"gen", "gen/spec", "gen/lint"},

	"mcp":            {"mcp/policy", "mcp/internal/…"},
	"mcp/policy":     {"mcp/internal/…"},
	"mcp/internal/…": {"mcp/internal/…"},
	// what an operator said, on disk, is made of what policy judges by
	"mcp/internal/approval": {"mcp/internal/…", "mcp/policy"},
	"mcp/client":            {"mcp/internal/…"},
	"mcp/mcptest":           {"mcp", "mcp/policy", "mcp/internal/…", "mcp/mcpcmd"},
	"mcp/mcpcmd":            {"mcp", "mcp/policy", "mcp/internal/…", "mcp/client"},

	"generated":  {"mcp"},
	"handlers":   {"generated", "mcp", "handlers/…"},
	"handlers/…": {"mcp"},
	// a patch is matched line by line as an edit is
	"handlers/patch": {"mcp", "handlers/text"},
	"cmd/teaagent":   {"mcp/mcpcmd", "handlers", "generated"},
	"":               {}, // the root: a go:generate line and the manifest
}

// doors says through which rooms each third-party module comes in. Tests, and
// the demo as one, bring in more: go list's Imports leave theirs out.
var doors = map[string][]string{
	"gopkg.in/yaml.v3":                         {"gen/spec"},
	"github.com/invopop/jsonschema":            {"gen/internal/plan", "gen/editor"},
	"github.com/dave/jennifer":                 {"gen/internal/emit"},
	"github.com/aymanbagabas/go-udiff":         {"gen", "handlers"},
	"github.com/bmatcuk/doublestar/v4":         {"handlers/…", "mcp/policy"},
	"github.com/landlock-lsm/go-landlock":      {"mcp/internal/…"},
	"github.com/gofrs/flock":                   {"mcp/internal/…"},
	"golang.org/x/mod":                         {"gen"},
	"github.com/urfave/cli/v2":                 {"cmd/teagen", "mcp/mcpcmd"},
	"golang.org/x/sys":                         {"mcp/mcpcmd", "mcp", "mcp/internal/…"},
	"golang.org/x/tools":                       {"mcp/mcptest"},
	"github.com/santhosh-tekuri/jsonschema/v6": {"mcp/mcptest"},
	"github.com/modelcontextprotocol/go-sdk":   {"cmd/demo"},
}

func TestArrows(t *testing.T) {
	for _, p := range packages(t) {
		room, ok := roomOf(p.ImportPath)
		if !ok {
			continue
		}
		for _, imported := range p.Imports {
			if to, ok := roomOf(imported); ok {
				if allowed, listed := rulesFor(room); listed && !matches(allowed, to) {
					t.Errorf("%q imports %q: that arrow is not in this test's table; turn it around, or list it with its reason", room, to)
				}
			}
		}
	}
}

func TestDoors(t *testing.T) {
	owner := map[string]string{} // package to module
	all := packages(t)
	for _, p := range all {
		if p.Module != nil {
			owner[p.ImportPath] = p.Module.Path
		}
	}
	for _, p := range all {
		room, ok := roomOf(p.ImportPath)
		if !ok {
			continue
		}
		for _, imported := range p.Imports {
			module := owner[imported]
			if module == "" || module == house {
				continue
			}
			if !matches(doors[module], room) {
				t.Errorf("%q imports %s, which is not its door; go through %q, or list the door here with its reason in the commit", room, module, doors[module])
			}
		}
	}
}

// What the generator needs must not be what it generates, at any distance.
func TestGeneratorStandsAlone(t *testing.T) {
	for _, p := range packages(t, "./cmd/teagen") {
		if room, ok := roomOf(p.ImportPath); ok && slices.Contains([]string{"", "generated", "handlers"}, room) {
			t.Errorf("cmd/teagen depends on %q, which may be missing or broken when it runs", room)
		}
	}
}

// roomOf is a package's folder in this repo.
func roomOf(path string) (string, bool) {
	if path == house {
		return "", true
	}
	return strings.CutPrefix(path, house+"/")
}

func rulesFor(room string) (allowed []string, listed bool) {
	if allowed, listed = arrows[room]; listed {
		return allowed, true
	}
	for pattern, allowed := range arrows {
		if matches([]string{pattern}, room) {
			return allowed, true
		}
	}
	return nil, false
}

func matches(patterns []string, room string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		above, any := strings.CutSuffix(p, "…")
		return p == room || any && strings.HasPrefix(room, above)
	})
}

type listedPackage struct {
	ImportPath string
	Imports    []string
	Module     *struct{ Path string }
}

// packages asks go list for packages and all that they depend on. Rooms that
// do not build just now are listed as far as they can be read.
func packages(t *testing.T, patterns ...string) []listedPackage {
	t.Helper()
	if patterns == nil {
		patterns = []string{"./..."}
	}
	cmd := exec.Command("go", append([]string{"list", "-e", "-deps", "-json=ImportPath,Imports,Module"}, patterns...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []listedPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p listedPackage
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}
