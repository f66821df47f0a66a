package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The table of DESIGN 5 in words. Whether a tool must be confirmed is no part
// of it: confirm is the caller's word, never authority.
const modeTable = `
	                    reads  changes  destroys  reaches
	read-only           yes    no       no        no
	workspace-write     yes    yes      yes       grant
	prompt              yes    yes      ask       ask
	allow               yes    yes      yes       yes
	danger-full-access  yes    yes      yes       yes`

// kindOf is a tool's column. Who misdeclares his tool, or leaves its tier out,
// gains nothing by it.
func kindOf(tier uint8, readOnly, destructive bool) string {
	switch {
	case tier == 1 && readOnly && !destructive:
		return "reads"
	case tier != 1 && tier != 2: // High, Critical, and what is no tier
		return "reaches"
	case destructive:
		return "destroys"
	}
	return "changes"
}

var (
	now    = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	wanted = strings.Repeat("ab", 32)
	other  = strings.Repeat("cd", 32)
)

// same are paths that no link redirects.
func same(paths ...string) (all []Path) {
	for _, p := range paths {
		all = append(all, Path{p, p})
	}
	return all
}

// calls are what is judged, all of the tool "t".
var calls = map[string]Call{
	"bare":      {},
	"inside":    {Paths: same("src/a.go", "src/b/c.go")},
	"straddles": {Paths: same("src/a.go", "docs/x.md")},
	"link-out":  {Paths: []Path{{Spelled: "src/link", Resolved: "docs/key"}}},
	"link-in":   {Paths: []Path{{Spelled: "docs/link", Resolved: "src/a.go"}}},
	"escapes":   {Paths: same("../src/a.go")},
	"lost":      {Paths: []Path{{Spelled: "src/a.go"}}}, // nobody knows where it leads
	"run":       {Commands: [][]string{{"pytest", "-q"}}},
	"runs-two":  {Commands: [][]string{{"pytest"}, {"git", "push"}}},
	"shell":     {Commands: [][]string{{"pytest;rm"}}},
	"run-in":    {Paths: same("src/a.go"), Commands: [][]string{{"pytest"}}},
}

// grants with the calls that each covers: y, or nothing. For a grant with
// modes, y counts in these only.
var grantTable = `
	                   bare inside straddles link-out link-in escapes lost run runs-two shell run-in
	none               .    .      .         .        .       .       .    .   .        .     .
	tool               y    .      .         .        .       .       .    .   .        .     .
	tool-wrong         .    .      .         .        .       .       .    .   .        .     .
	tool-prompt        y    .      .         .        .       .       .    .   .        .     .
	tool-write         y    .      .         .        .       .       .    .   .        .     .
	tool-expired       .    .      .         .        .       .       .    .   .        .     .
	tool-expiring      y    .      .         .        .       .       .    .   .        .     .
	tool-used-up       .    .      .         .        .       .       .    .   .        .     .
	digest             y    y      y         y        y       y       y    y   y        y     y
	digest-wrong       .    .      .         .        .       .       .    .   .        .     .
	digest-wrong-tool  .    .      .         .        .       .       .    .   .        .     .
	digest-expired     .    .      .         .        .       .       .    .   .        .     .
	src                .    y      .         .        .       .       .    .   .        .     .
	src-only           .    .      .         .        .       .       .    .   .        .     .
	src-and-docs       .    y      y         y        y       .       .    .   .        .     .
	every-path         .    y      y         y        y       .       .    .   .        .     .
	no-path            .    .      .         .        .       .       .    .   .        .     .
	broken-glob        .    .      .         .        .       .       .    .   .        .     .
	pytest             .    .      .         .        .       .       .    y   .        .     .
	pytest-q           .    .      .         .        .       .       .    y   .        .     .
	pytest-and-git     .    .      .         .        .       .       .    y   y        .     .
	pytest-in-src      .    .      .         .        .       .       .    .   .        .     y
	deny-tool          y    y      y         y        y       y       y    y   y        y     y
	deny-all           y    y      y         y        y       y       y    y   y        y     y
	deny-wrong-tool    .    .      .         .        .       .       .    .   .        .     .
	deny-src           .    y      y         y        y       .       y    .   .        .     y
	deny-docs          .    .      y         y        y       .       .    .   .        .     .
	deny-outside       .    .      .         .        .       y       .    .   .        .     .
	deny-broken-glob   .    y      y         y        y       y       y    .   .        .     y
	deny-push          .    .      .         .        .       .       .    .   y        .     .
	deny-pytest        .    .      .         .        .       .       .    y   y        .     y
	deny-src-or-push   .    y      y         y        y       .       y    .   y        .     y
	deny-no-path       y    y      y         y        y       y       y    y   y        y     y
	deny-digest        y    y      y         y        y       y       y    y   y        y     y
	deny-digest-wrong  .    .      .         .        .       .       .    .   .        .     .
	deny-expired       .    .      .         .        .       .       .    .   .        .     .
	deny-expiring      y    y      y         y        y       y       y    y   y        y     y`

var grantsByName = map[string]Grant{
	"tool":              {},
	"tool-wrong":        {Tool: "t2"},
	"tool-prompt":       {Modes: []string{"prompt"}},
	"tool-write":        {Modes: []string{"workspace-write", "read-only"}},
	"tool-expired":      {Expires: now},
	"tool-expiring":     {Expires: now.Add(1)},
	"tool-used-up":      {Uses: -1},
	"digest":            {Digest: wanted, Uses: 1},
	"digest-wrong":      {Digest: other},
	"digest-wrong-tool": {Digest: wanted, Tool: "T"},
	"digest-expired":    {Digest: wanted, Expires: now.Add(-1)},
	"src":               {Paths: []string{"src/**"}},
	"src-only":          {Paths: []string{"src/*.md"}},
	"src-and-docs":      {Paths: []string{"src/**", "docs/*"}},
	"every-path":        {Paths: []string{"**"}},
	"no-path":           {Paths: []string{"lib/**"}},
	"broken-glob":       {Paths: []string{"src/[", "**["}},
	"pytest":            {Commands: [][]string{{"pytest"}}},
	"pytest-q":          {Commands: [][]string{{"make"}, {"pytest", "-q"}}},
	"pytest-and-git":    {Commands: [][]string{{"pytest"}, {"git", "push"}}},
	"pytest-in-src":     {Paths: []string{"src/**"}, Commands: [][]string{{"pytest"}}},
	"deny-tool":         {},
	"deny-all":          {Tool: "*"},
	"deny-wrong-tool":   {Tool: "t2"},
	"deny-src":          {Paths: []string{"src/**"}},
	"deny-docs":         {Tool: "*", Paths: []string{"lib/**", "docs/**"}},
	"deny-outside":      {Paths: []string{"../**"}},
	"deny-broken-glob":  {Paths: []string{"zzz["}},
	"deny-push":         {Commands: [][]string{{"git", "push"}}},
	"deny-pytest":       {Commands: [][]string{{"pytest"}}},
	"deny-src-or-push":  {Paths: []string{"src/**"}, Commands: [][]string{{"git", "push"}}},
	"deny-no-path":      {Paths: []string{}, Commands: [][]string{}},
	"deny-digest":       {Tool: "*", Digest: wanted},
	"deny-digest-wrong": {Digest: other},
	"deny-expired":      {Expires: now},
	"deny-expiring":     {Expires: now.Add(1)},
}

// Every mode with every kind of tool, call and grant.
func TestJudge(t *testing.T) {
	modes, covered := parseTable(modeTable), parseTable(grantTable)
	if len(covered) != len(grantsByName)+1 {
		t.Fatalf("the table has %d grants, and there are %d", len(covered), len(grantsByName)+1)
	}
	combinations := 0
	for modeName, columns := range modes {
		mode, ok := ParseMode(modeName)
		if !ok {
			t.Fatalf("no mode is called %q", modeName)
		}
		for _, tool := range tools() {
			without := columns[kindOf(tool.Tier, tool.ReadOnly, tool.Destructive)]
			for grantName, row := range covered {
				grants := grantsFor(grantName)
				for callName, call := range calls {
					call.Digest = func() string { return wanted }
					want := expect(without, grantName, row[callName] == "y", modeName)
					got := describe(Judge(mode, tool, call, grants, now))
					if got != want {
						t.Errorf("%s, %+v, call %q, grant %q: %s; want %s", modeName, tool, callName, grantName, got, want)
					}
					combinations++
				}
			}
		}
	}
	t.Logf("%d combinations", combinations)
}

// expect says in words what a call comes to: a deny wins everywhere, a grant
// helps only where the mode leaves the answer open.
func expect(without, grant string, covers bool, mode string) string {
	covers = covers && (grant != "tool-prompt" || mode == "prompt") && (grant != "tool-write" || mode == "workspace-write")
	switch {
	case covers && strings.HasPrefix(grant, "deny-"):
		return "no by deny:g-" + grant
	case covers && (without == "grant" || without == "ask"):
		return "yes by grant:g-" + grant
	}
	return without + " by mode:" + mode
}

func describe(d Decision) string {
	word := map[Verdict]string{Denied: "no", NeedsGrant: "grant", NeedsYes: "ask", Allowed: "yes"}[d.Verdict]
	if named := strings.HasPrefix(d.Rule, "mode:") || d.Rule == "unconfined"; named != (d.Grant == nil) {
		return fmt.Sprintf("%s by %s with grant %+v", word, d.Rule, d.Grant)
	}
	return word + " by " + d.Rule
}

// tools are all that a spec, or a Spec written by hand, can say.
func tools() (all []Tool) {
	for tier := range uint8(6) {
		for bits := range 4 {
			all = append(all, Tool{Name: "t", Tier: tier, ReadOnly: bits&1 != 0, Destructive: bits&2 != 0})
		}
	}
	return all
}

// grantsFor returns the named grant behind ones that never match: the first in
// the list is not the only one that counts.
func grantsFor(name string) []Grant {
	g, ok := grantsByName[name]
	if !ok {
		return nil
	}
	g.ID, g.Effect = "g-"+name, Allows
	if strings.HasPrefix(name, "deny-") {
		g.Effect = Denies
	}
	if g.Tool == "" {
		g.Tool = "t"
	}
	return []Grant{
		{ID: "g-nobody", Effect: Denies, Tool: "another"},
		{ID: "g-nothing"}, // neither allows nor denies
		{ID: "g-star", Effect: Allows, Tool: "*"},
		g,
	}
}

// parseTable reads a table with a head and a name before each line.
func parseTable(text string) map[string]map[string]string {
	table := map[string]map[string]string{}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	head := strings.Fields(lines[0])
	for _, line := range lines[1:] {
		fields := strings.Fields(line)
		row := map[string]string{}
		for i, column := range head {
			row[column] = fields[i+1]
		}
		table[fields[0]] = row
	}
	return table
}

// A grant that denies wins over any number that allow, wherever it stands.
func TestDenyWins(t *testing.T) {
	allow := Grant{ID: "a", Effect: Allows, Tool: "t"}
	deny := Grant{ID: "d", Effect: Denies, Tool: "*"}
	for _, grants := range [][]Grant{{allow, deny}, {deny, allow}} {
		for _, tool := range tools() {
			for mode := range Mode(len(modeNames)) {
				if got := describe(Judge(mode, tool, Call{}, grants, now)); got != "no by deny:d" {
					t.Errorf("%s, %+v: %s", mode, tool, got)
				}
			}
		}
		if d, denied := Deny(Tool{Name: "t"}, Call{}, grants, now); !denied || d.Rule != "deny:d" {
			t.Errorf("a preview is not denied: %+v", d)
		}
	}
	if d, denied := Deny(Tool{Name: "t"}, Call{}, []Grant{allow}, now); denied {
		t.Errorf("a preview is denied by %+v", d)
	}
}

// Where commands can't be confined, what the mode allows of them is asked about.
func TestUnconfined(t *testing.T) {
	call := Call{Unconfined: true}
	for mode, want := range map[Mode]string{
		Prompt: "ask by unconfined", WorkspaceWrite: "grant by unconfined", Allow: "ask by unconfined",
		DangerFullAccess: "yes by mode:danger-full-access", ReadOnly: "no by mode:read-only",
	} {
		if got := describe(Judge(mode, Tool{Name: "t", Tier: 2}, call, nil, now)); got != want {
			t.Errorf("%s: %s, want %s", mode, got, want)
		}
		reads := Tool{Name: "t", Tier: 1, ReadOnly: true}
		if got := describe(Judge(mode, reads, call, nil, now)); got != "yes by mode:"+mode.String() {
			t.Errorf("%s, a tool that reads: %s", mode, got)
		}
	}
	high := Tool{Name: "t", Tier: 3}
	if got := describe(Judge(Prompt, high, call, nil, now)); got != "ask by mode:prompt" {
		t.Error(got)
	}
	if got := describe(Judge(Allow, high, call, []Grant{{ID: "a", Effect: Allows, Tool: "t"}}, now)); got != "yes by grant:a" {
		t.Error(got)
	}
}

// The digest costs a hash over the whole call: only who has one to compare asks.
func TestDigestIsLazy(t *testing.T) {
	call := Call{Digest: func() string { t.Error("asked for the digest"); return "" }}
	Judge(Prompt, Tool{Name: "t", Tier: 3}, call, []Grant{
		{Effect: Denies, Tool: "other", Digest: wanted}, {Effect: Allows, Tool: "t", Digest: wanted, Expires: now},
		{Effect: Denies, Tool: "t", Paths: []string{"x"}}, {Effect: Allows, Tool: "t"},
	}, now)
}

func TestModeNames(t *testing.T) {
	for m := range Mode(len(modeNames)) {
		if back, ok := ParseMode(m.String()); !ok || back != m {
			t.Errorf("%s does not come back", m)
		}
		if !strings.Contains(Names(), m.String()) {
			t.Errorf("Names leaves %s out", m)
		}
	}
	for _, bad := range []string{"", "Prompt", "prompt ", "full", "danger"} {
		if m, ok := ParseMode(bad); ok {
			t.Errorf("%q is taken for %s", bad, m)
		}
	}
	if Mode(0) != Prompt {
		t.Error("who sets no mode must get prompt")
	}
}
