package approval

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/teaagent/teaagent/mcp/internal/store"
	"github.com/teaagent/teaagent/mcp/policy"
)

// Whatever is on the disk is whole and makes sense, or it is an error to
// everybody who asks, and nobody writes over it. No grant is lost on the way,
// least of all one that denies; and what was read says the same when it was
// written and read again.
func FuzzFile(f *testing.F) {
	f.Add([]byte(`{"version":1,"workspaces":{}}`))
	f.Add([]byte(`{"version":1,"workspaces":{"/w":{"grants":[{"id":"g-1","effect":"allow","tool":"t","paths":["src/**","\\[a"],"commands":[["git","log"]],"modes":["prompt"],"expires":"2026-05-01T12:00:00+02:00","uses":3,"created":"2026-05-01T12:00:00Z","note":"\u001b"}],"spent":["t:` + call1 + `"]}}}`))
	f.Add([]byte(`{"version":1,"workspaces":{"/w":{"pending":[{"tool":"t","digest":"` + call1 + `","rule":"mode:prompt","arguments":"{}","first":"2026-05-01T12:00:00Z","last":"2026-05-01T12:00:00Z","count":1}],"grants":[{"id":"g-2","effect":"deny","tool":"*","digest":"` + call1 + `"}]}}}`))
	for _, text := range []string{``, ` `, `null`, `{}`, `[]`, `{"version":1}`, `{"version":1,"workspaces":null}`, `{"version":1,"workspaces":{"/w":null}}`, `{"version":1,"Workspaces":{}}`} {
		f.Add([]byte(text))
	}
	for _, page := range []string{`"Grants":[]`, `"grants":null`, `"grants":[{"id":"g-1","effect":"deny","tool":"*"}]`, `"grants":[{"id":"g-1","effect":"deny","tool":"*","Tool":"t"}]`, `"grants":[{"id":"g-1","effect":"deny","tool":"*"}],"grants":[]`} {
		f.Add([]byte(`{"version":1,"workspaces":{"/w":{` + page + `}}}`))
	}
	home := homeIn(f, f.TempDir())
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(home.Path(File), data, 0o600); err != nil {
			t.Fatal(err)
		}
		b, _ := newBook(home)
		grants, err := b.Grants(true)
		all, allErr := All(home)
		if (err == nil) != (allErr == nil) {
			t.Fatalf("the grants: %v; all: %v", err, allErr)
		}
		if err != nil {
			if corrupt := (*store.CorruptError)(nil); !errors.As(err, &corrupt) {
				t.Errorf("the grants: %v", err)
			}
			if _, err := b.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "rm"}); err == nil {
				t.Error("a grant was added to what can't be read")
			}
			if now, _ := os.ReadFile(home.Path(File)); !bytes.Equal(now, data) {
				t.Errorf("what can't be read was written over: %q", now)
			}
			return
		}
		for _, g := range grants {
			if err := g.Check(); err != nil || !isID(g.ID) {
				t.Errorf("%+v was taken: %v", g, err)
			}
		}
		var plain struct {
			Workspaces map[string]struct{ Grants, Pending []any }
		}
		if err := json.Unmarshal(data, &plain); err != nil || plain.Workspaces == nil || len(plain.Workspaces) != len(all) || len(grants) != len(plain.Workspaces["/w"].Grants) {
			t.Fatalf("%d grants and %d workspaces of %v (%v)", len(grants), len(all), plain, err)
		}
		for _, page := range all {
			if p := plain.Workspaces[page.Workspace]; len(page.Grants) != len(p.Grants) || len(page.Pending) != len(p.Pending) {
				t.Errorf("%+v of %v", page, p)
			}
		}
		var read, again file
		if err := json.Unmarshal(data, &read); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(read)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if second, _ := json.Marshal(again); !bytes.Equal(second, text) {
			t.Errorf("written twice:\n%s\n%s", text, second)
		}
	})
}
