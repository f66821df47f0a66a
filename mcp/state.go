package mcp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/approval"
	"github.com/teaagent/teaagent/mcp/internal/audit"
	"github.com/teaagent/teaagent/mcp/internal/lock"
	"github.com/teaagent/teaagent/mcp/internal/store"
	"github.com/teaagent/teaagent/mcp/internal/temps"
	"github.com/teaagent/teaagent/mcp/policy"
)

// state is what a server keeps in the user's folder: approvals, the workspace
// lock, the audit log. Nothing of it is read from the workspace: a repository
// that somebody cloned does not bring its own permissions.
type state struct {
	server string
	home   *store.Home
	root   *Workspace
	book   *approval.Book
	log    *audit.Log
	temps  *temps.Record // of the workspace, if there are both it and a home

	mu   sync.Mutex // may be held for as long as another process changes the registry
	lock *lock.Lock // held from the first call that writes to the end

	allowing sync.Mutex                     // over changes of session
	session  atomic.Pointer[[]policy.Grant] // what a person allowed for as long as the server runs
}

// openState opens the user's folder. A server without one, as tests and
// embedding programs may want it, has no approvals but those of this session,
// takes no lock, and keeps no log.
func openState(info *Info, o Options) (*state, error) {
	s := &state{server: info.Name, root: o.Root}
	if o.Home == "" {
		return s, nil
	}
	home, err := store.Open(func(name string) string {
		if name == "TEAAGENT_HOME" {
			return o.Home
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	s.home = home
	dir := ""
	if o.Root != nil {
		dir = o.Root.Dir()
	}
	s.book = approval.Open(home, dir, o.Preapproved)
	var e Encoder
	e.Begin('{')
	e.field("server", info.Name)
	e.field("version", info.Version)
	e.field("workspace", dir)
	e.field("mode", o.Mode.String())
	s.log = audit.Open(home.Path("audit"), audit.Options{Header: e.buf[1:]})
	return s, nil
}

// close lets go of the workspace and ends the log.
func (s *state) close() error {
	var err error
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock != nil {
		err = s.lock.Release()
		s.lock = nil
	}
	if s.temps != nil {
		if e := s.temps.Close(); err == nil {
			err = e
		}
	}
	if s.log != nil {
		if e := s.log.Close(); err == nil {
			err = e
		}
	}
	return err
}

// grants returns what an operator has said about this workspace and a person in
// this session. It is looked at again after each read from the client, so that
// a grant counts for every call that is sent after it was given.
func (s *state) grants(fresh bool) ([]policy.Grant, error) {
	var stored []policy.Grant
	if s.book != nil {
		var err error
		if stored, err = s.book.Grants(fresh); err != nil {
			return nil, err
		}
	}
	session := s.session.Load()
	if session == nil {
		return stored, nil
	}
	return slices.Concat(*session, stored), nil
}

const sessionID = "session" // of the grants that a person gave for a session

func (s *state) allowSession(g policy.Grant) {
	g.ID, g.Effect = sessionID, policy.Allows
	s.allowing.Lock()
	defer s.allowing.Unlock()
	session := []policy.Grant{g}
	if before := s.session.Load(); before != nil {
		session = append(session, *before...)
	}
	s.session.Store(&session)
}

// takeLock takes the workspace for this process, once.
func (s *state) takeLock(ctx context.Context) error {
	if s.home == nil || s.root == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock != nil {
		return nil
	}
	l, err := lock.Acquire(ctx, s.home, s.root.Dir(), s.server)
	if err != nil {
		return err
	}
	s.lock = l
	return nil
}

// apart fails if the user's folder and the workspace contain one another: tools
// could then write their own approvals.
func apart(home, workspace string) error {
	for _, pair := range [2][2]string{{home, workspace}, {workspace, home}} {
		if rel, err := filepath.Rel(pair[0], pair[1]); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
			return fmt.Errorf("the workspace %s and the folder of approvals %s contain one another, so tools could approve themselves: serve a smaller workspace with --root, or move the folder with TEAAGENT_HOME", workspace, home)
		}
	}
	return nil
}

// deniedPaths returns the globs that no call of the tool may touch, for the
// workspace to refuse whatever way a handler came by a path.
func (c *Call) deniedPaths() []string {
	var globs []string
	for i := range c.grants {
		g := &c.grants[i]
		if g.Effect == policy.Denies && (g.Tool == "*" || g.Tool == c.tool.spec.Name) && g.Counts(time.Now()) {
			globs = append(globs, g.Paths...)
		}
	}
	return globs
}
