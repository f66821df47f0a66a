package approval

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/mcp/policy"
)

// A file that is there and is not one of ours is an error that says where, for
// every question; and nobody writes over it.
func TestCorruptFile(t *testing.T) {
	good := `{"id":"g-1","effect":"deny","tool":"*"}`
	in := func(page string) string { return `{"version":1,"workspaces":{"/w":` + page + `}}` }
	for name, test := range map[string]struct{ text, want string }{
		"empty":              {"", ""},
		"blank":              {"  \n", ""},
		"null":               {"null", "version"},
		"empty object":       {"{}", "version"},
		"a list":             {"[]", ""},
		"half a file":        {in(`{"grants":[` + good + `]}`)[:60], ""},
		"another version":    {`{"version":2,"workspaces":{}}`, "version is 2"},
		"no workspaces":      {`{"version":1}`, `no "workspaces"`},
		"null workspaces":    {`{"version":1,"workspaces":null}`, `no "workspaces"`},
		"null page":          {in("null"), `workspace "/w": it is null`},
		"unknown key":        {in(`{"grant":[]}`), `"grant"`},
		"repeated key":       {in(`{"grants":[` + good + `],"grants":[]}`), "grants"},
		"relative workspace": {`{"version":1,"workspaces":{"w":{}}}`, `workspace "w"`},
		"unclean workspace":  {`{"version":1,"workspaces":{"/w/../x":{}}}`, `workspace "/w/../x"`},
		"null grant":         {in(`{"grants":[null]}`), "grant 1"},
		"no id":              {in(`{"grants":[` + good + `,{"effect":"deny","tool":"*"}]}`), `workspace "/w": grant 2: its id ""`},
		"id of a flag":       {in(`{"grants":[{"id":"flag","effect":"deny","tool":"*"}]}`), `its id "flag"`},
		"id with an escape":  {in(`{"grants":[{"id":"g-\u001b[2J","effect":"deny","tool":"*"}]}`), `its id "g-\x1b[2J"`},
		"repeated id":        {in(`{"grants":[` + good + `,` + good + `]}`), `grant "g-1": another grant`},
		"allow all":          {in(`{"grants":[{"id":"g-7","effect":"allow","tool":"*"}]}`), `workspace "/w": grant "g-7": only a grant that denies`},
		"unknown grant key":  {in(`{"grants":[{"id":"g-7","effect":"deny","tool":"*","path":["x"]}]}`), `"path"`},
		"broken glob":        {in(`{"grants":[{"id":"g-7","effect":"deny","tool":"*","paths":["["]}]}`), `grant "g-7"`},
		"no time":            {in(`{"grants":[{"id":"g-7","effect":"deny","tool":"*","expires":"tomorrow"}]}`), "tomorrow"},
		"uses of words":      {in(`{"grants":[{"id":"g-7","effect":"allow","tool":"t","uses":"1"}]}`), "uses"},
		"uses too great":     {in(`{"grants":[{"id":"g-7","effect":"allow","tool":"t","uses":99999999999999999999}]}`), "uses"},
		"pending nonsense":   {in(`{"pending":[{"tool":"t","digest":"12"}]}`), "pending call 1"},
		"spent nonsense":     {in(`{"spent":["t"]}`), "spent"},
		"in another place":   {`{"version":1,"workspaces":{"/w":{},"/x":{"grants":[{"id":"g-7","effect":"x","tool":"t"}]}}}`, `workspace "/x": grant "g-7"`},
		"trailing text":      {in(`{}`) + "{}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			home := newHome(t)
			b, _ := newBook(home, Preapproval{"rm", call1})
			flag := Preapproval{"rm", call1}.grant()
			must[int](t)(0, os.WriteFile(home.Path(File), []byte(test.text), 0o600))
			_, fresh := b.Grants(true)
			_, stale := b.Grants(false)
			_, added := b.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "rm"})
			_, all := All(home)
			for i, err := range []error{fresh, stale, added, all, b.Pend(ctx, Pending{Tool: "rm", Digest: call1}), b.Spend(ctx, &flag), b.Spend(ctx, &policy.Grant{ID: "g-1"})} {
				if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), File) {
					t.Errorf("question %d: error is %v; want %q", i, err, test.want)
				}
			}
			if got := text(t, home); got != test.text {
				t.Errorf("the file was written: %s", got)
			}
		})
	}
}

// A file that breaks while a server runs is no reason to go on with what was
// read before.
func TestFileBreaksLater(t *testing.T) {
	home := newHome(t)
	b, _ := newBook(home)
	must[policy.Grant](t)(b.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "rm"}))
	g := must[[]policy.Grant](t)(b.Grants(true))[0]
	whole := text(t, home)
	must[int](t)(0, os.WriteFile(home.Path(File), []byte(whole[:len(whole)/2]), 0o600))
	for range 2 {
		if _, err := b.Grants(true); err == nil {
			t.Error("grants of a broken file")
		}
		if _, err := b.Grants(false); err == nil {
			t.Error("grants from before the file broke")
		}
	}
	if err := b.Spend(ctx, &g); err == nil {
		t.Error("spent on a broken file")
	}
	must[int](t)(0, os.WriteFile(home.Path(File), []byte(whole), 0o600))
	if got := ids(t, b); got != "allow rm  0" {
		t.Errorf("repaired: %q", got)
	}
}

func TestBounds(t *testing.T) {
	home := newHome(t)
	var full page
	for i := range maxGrants {
		full.Grants = append(full.Grants, policy.Grant{ID: fmt.Sprintf("g-%d", i), Effect: policy.Denies, Tool: "rm"})
	}
	for i := range maxSpent {
		full.Spent = append(full.Spent, fmt.Sprintf("rm:%064x", i))
	}
	f := file{Version: 1, Workspaces: map[string]*page{"/w": &full}}
	for i := range maxWorkspaces - 1 {
		f.Workspaces[fmt.Sprintf("/%d", i)] = &page{Pending: []Pending{{Tool: "t", Digest: call1}}}
	}
	must[int](t)(0, os.WriteFile(home.Path(File), must[[]byte](t)(json.Marshal(f)), 0o600))
	b, _ := newBook(home)
	_, err := b.Add(ctx, policy.Grant{Effect: policy.Denies, Tool: "rm"})
	wants(t, "grants", err, "has 1000 grants already; revoke some")
	flag := Preapproval{"rm", call1}.grant()
	wants(t, "spent", b.Spend(ctx, &flag), "10000 used preapprovals")
	wants(t, "workspaces", Open(home, "/new", nil).Pend(ctx, Pending{Tool: "t", Digest: call1}), "1000 workspaces")
	must[Revoked](t)(b.Revoke(ctx, "g-17"))
	must[policy.Grant](t)(b.Add(ctx, policy.Grant{Effect: policy.Denies, Tool: "rm"}))
}
