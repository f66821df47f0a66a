package approval

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/teaagent/teaagent/mcp/policy"
)

// file is the whole of approvals.json. Its zero value stands for a file that
// is not there yet.
type file struct {
	Version    int              `json:"version"`
	Workspaces map[string]*page `json:"workspaces"` // by canonical path
}

// page is one workspace's part.
type page struct {
	Grants  []policy.Grant `json:"grants,omitempty"`
	Pending []Pending      `json:"pending,omitempty"` // the longest waiting first
	Spent   []string       `json:"spent,omitempty"`   // preapprovals, TOOL:SHA256, that were used
}

const version = 1

// UnmarshalJSON reads a file that is there. It takes nothing that it does not
// know, and an empty or strange text never for "nothing is denied".
func (f *file) UnmarshalJSON(data []byte) error {
	type plain file
	var read plain
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&read); err != nil {
		return err
	}
	*f = file(read)
	return f.check()
}

// check says at which workspace and grant the file is wrong.
func (f *file) check() error {
	if f.Version != version {
		return fmt.Errorf("its version is %d, and this program knows %d", f.Version, version)
	}
	if f.Workspaces == nil {
		return fmt.Errorf(`it has no "workspaces"`)
	}
	for _, dir := range slices.Sorted(maps.Keys(f.Workspaces)) {
		err := fmt.Errorf("its path is not absolute and clean")
		if filepath.IsAbs(dir) && filepath.Clean(dir) == dir {
			err = f.Workspaces[dir].check()
		}
		if err != nil {
			return fmt.Errorf("workspace %q: %w", dir, err)
		}
	}
	return nil
}

func (p *page) check() error {
	if p == nil {
		return fmt.Errorf("it is null")
	}
	seen := map[string]bool{}
	for i := range p.Grants {
		g := &p.Grants[i]
		err := g.Check()
		switch {
		case !isID(g.ID):
			return fmt.Errorf(`grant %d: its id %q is not "g-" with lower-case letters and digits`, i+1, g.ID)
		case seen[g.ID]:
			err = fmt.Errorf("another grant has this id too")
		}
		if err != nil {
			return fmt.Errorf("grant %q: %w", g.ID, err)
		}
		seen[g.ID] = true
	}
	for i, waits := range p.Pending {
		if waits.Tool == "" || !policy.IsDigest(waits.Digest) {
			return fmt.Errorf("pending call %d: it has no tool, or a digest %q that is not 64 lower-case hexadecimal digits", i+1, waits.Digest)
		}
	}
	for _, s := range p.Spent {
		if _, err := ParsePreapproval(s); err != nil {
			return fmt.Errorf("spent: %w", err)
		}
	}
	return nil
}

// isID reports whether a grant of the file may be called so: no list, prompt or
// log needs quotes for it.
func isID(s string) bool {
	rest, ok := strings.CutPrefix(s, "g-")
	return ok && rest != "" && len(rest) <= 60 && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// at returns a workspace's page to be changed, a new one if it has none.
func (f *file) at(dir string) (*page, error) {
	f.Version = version
	if f.Workspaces == nil {
		f.Workspaces = map[string]*page{}
	}
	p := f.Workspaces[dir]
	if p == nil {
		if len(f.Workspaces) >= maxWorkspaces {
			return nil, fmt.Errorf("%s has %d workspaces already; revoke grants and pending calls of old ones (mcp approvals list --all)", File, maxWorkspaces)
		}
		p = &page{}
		f.Workspaces[dir] = p
	}
	return p, nil
}

// tidy drops what is of no use any more.
func (f *file) tidy(now time.Time) {
	for dir, p := range f.Workspaces {
		p.Grants = slices.DeleteFunc(p.Grants, func(g policy.Grant) bool {
			return !g.Expires.IsZero() && now.Sub(g.Expires) > keepExpired
		})
		if len(p.Grants)+len(p.Pending)+len(p.Spent) == 0 {
			delete(f.Workspaces, dir)
		}
	}
}

// add puts a grant on the page, under a new id. The call that it is about, if
// it is one, waits no longer.
func (p *page) add(g policy.Grant, now time.Time) (policy.Grant, error) {
	if err := g.Check(); err != nil {
		return g, err
	}
	if len(p.Grants) >= maxGrants {
		return g, fmt.Errorf("this workspace has %d grants already; revoke some", maxGrants)
	}
	for g.ID = newID(); slices.ContainsFunc(p.Grants, func(o policy.Grant) bool { return o.ID == g.ID }); {
		g.ID = newID()
	}
	g.Created = tidyTime(now)
	g.Expires = tidyTime(g.Expires)
	p.Grants = append(p.Grants, g)
	if g.Digest != "" {
		p.Pending = slices.DeleteFunc(p.Pending, func(w Pending) bool {
			return w.Digest == g.Digest && (w.Tool == g.Tool || g.Tool == "*")
		})
	}
	return g, nil
}

// newID is 40 bits: short enough to be typed.
func newID() string { return "g-" + strings.ToLower(rand.Text()[:8]) }

func tidyTime(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// waits returns the index of a call that waits, or -1.
func (p *page) waits(tool, digest string) int {
	return slices.IndexFunc(p.Pending, func(w Pending) bool { return w.Tool == tool && w.Digest == digest })
}

// find returns the index of the one pending call whose digest begins so.
func (p *page) find(prefix string) (int, error) {
	found := -1
	for i, w := range p.Pending {
		if !strings.HasPrefix(w.Digest, prefix) {
			continue
		}
		if found >= 0 {
			return 0, fmt.Errorf("the digests of several pending calls begin with %q; give more of it", prefix)
		}
		found = i
	}
	switch {
	case found < 0:
		return 0, fmt.Errorf("%w with %q", errNotPending, prefix)
	case len(prefix) < minPrefix:
		return 0, fmt.Errorf("%q is too little of a digest; give at least %d digits", prefix, minPrefix)
	}
	return found, nil
}

// minPrefix is the least of a digest or id that names one. A caller can make two
// calls whose digests begin alike, so what is printed for copying is the whole.
const minPrefix = 6
