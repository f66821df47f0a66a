package approval

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/store"
	"github.com/teaagent/teaagent/mcp/policy"
)

// refusal is an error of the operator's request, not of the file.
type refusal struct{ error }

func (r *refusal) Unwrap() error { return r.error }

// errNotPending says that no pending call is meant.
var errNotPending = errors.New("no pending call's digest begins")

// IsNotPending reports whether an error says that no pending call was meant.
func IsNotPending(err error) bool { return errors.Is(err, errNotPending) }

// Approve lets exactly one call pass, uses times (any number if 0) and until it
// expires. The call is one that waits, named by its digest or enough of its
// beginning, or any other, named TOOL:SHA256 as a dry run tells it.
func (b *Book) Approve(ctx context.Context, which string, uses int, expires time.Time, note string) (policy.Grant, error) {
	call, parseErr := ParsePreapproval(which)
	if strings.Contains(which, ":") && parseErr != nil {
		return policy.Grant{}, parseErr
	}
	return b.operate(ctx, func(p *page) (policy.Grant, error) {
		if parseErr != nil {
			i, err := p.find(strings.ToLower(which))
			if err != nil {
				return policy.Grant{}, err
			}
			call = Preapproval{p.Pending[i].Tool, p.Pending[i].Digest}
		}
		g := policy.Grant{Effect: policy.Allows, Tool: call.Tool, Digest: call.Digest, Uses: uses, Expires: expires, Note: note}
		return p.add(g, b.now())
	})
}

// DenyCall forbids a call that waits, named by its digest or enough of its
// beginning, until the deny expires. It waits no longer. A whole digest may also
// be that of a call that does not wait.
func (b *Book) DenyCall(ctx context.Context, which string, expires time.Time, note string) (policy.Grant, error) {
	which = strings.ToLower(which)
	return b.operate(ctx, func(p *page) (policy.Grant, error) {
		g := policy.Grant{Effect: policy.Denies, Tool: "*", Digest: which, Expires: expires, Note: note}
		i, err := p.find(which)
		switch {
		case err == nil:
			g.Tool, g.Digest = p.Pending[i].Tool, p.Pending[i].Digest
		case !policy.IsDigest(which):
			return g, err
		}
		return p.add(g, b.now())
	})
}

// Add adds a grant. It returns it with its id and the time of now.
func (b *Book) Add(ctx context.Context, g policy.Grant) (policy.Grant, error) {
	return b.operate(ctx, func(p *page) (policy.Grant, error) { return p.add(g, b.now()) })
}

// Revoked is what Revoke took away: a grant, or a call that waited.
type Revoked struct {
	Grant   *policy.Grant
	Pending *Pending
}

// Revoke takes a grant away, named by its id or enough of its beginning, or
// dismisses a call that waits, named by its digest or enough of its beginning.
func (b *Book) Revoke(ctx context.Context, which string) (gone Revoked, err error) {
	which = strings.ToLower(which)
	_, err = b.operate(ctx, func(p *page) (policy.Grant, error) {
		if strings.HasPrefix(which, "g-") {
			i, err := p.grant(which)
			if err == nil {
				gone.Grant = new(p.Grants[i])
				p.Grants = slices.Delete(p.Grants, i, i+1)
			}
			return policy.Grant{}, err
		}
		i, err := p.find(which)
		if err == nil {
			gone.Pending = new(p.Pending[i])
			p.Pending = slices.Delete(p.Pending, i, i+1)
		} else if IsNotPending(err) {
			err = fmt.Errorf("%w, and grants' ids begin with g-", err)
		}
		return policy.Grant{}, err
	})
	return gone, err
}

// grant returns the index of the one grant whose id begins so.
func (p *page) grant(prefix string) (int, error) {
	found := -1
	for i, g := range p.Grants {
		switch {
		case g.ID == prefix:
			return i, nil
		case !strings.HasPrefix(g.ID, prefix):
		case found >= 0:
			return 0, fmt.Errorf("the ids of several grants begin with %q; give more of it", prefix)
		default:
			found = i
		}
	}
	switch {
	case found < 0:
		return 0, fmt.Errorf("there is no grant %q in this workspace", prefix)
	case len(prefix) < minPrefix:
		return 0, fmt.Errorf("%q is too little of an id; give at least %d characters", prefix, minPrefix)
	}
	return found, nil
}

func (b *Book) operate(ctx context.Context, do func(*page) (policy.Grant, error)) (g policy.Grant, err error) {
	err = b.change(ctx, func(p *page) error {
		var err error
		if g, err = do(p); err != nil {
			return &refusal{err}
		}
		return nil
	})
	return g, err
}

// Snapshot returns what the file says about the workspace now.
func (b *Book) Snapshot() (Snapshot, error) {
	v, err := b.view(true)
	if err != nil {
		return Snapshot{}, err
	}
	return v.page.snapshot(b.workspace), nil
}

// All returns what the file says about every workspace, by their paths.
func All(home *store.Home) ([]Snapshot, error) {
	var f file
	if _, err := home.Read(File, &f); err != nil {
		return nil, fmt.Errorf("read the approvals: %w", err)
	}
	all := []Snapshot{}
	for _, dir := range slices.Sorted(maps.Keys(f.Workspaces)) {
		all = append(all, f.Workspaces[dir].snapshot(dir))
	}
	return all, nil
}

// snapshot copies the page; its lists are not nil, so that JSON has none.
func (p *page) snapshot(dir string) Snapshot {
	return Snapshot{
		Workspace: dir,
		Pending:   append([]Pending{}, p.Pending...),
		Grants:    append([]policy.Grant{}, p.Grants...),
	}
}
