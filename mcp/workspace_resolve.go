package mcp

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/teaagent/teaagent/mcp/policy"
)

// resolve returns the clean path to which a name leads when the links on its
// way, the last one included, are followed. What does not exist yet counts as
// it is written. A name that leads out begins with "..", or is absolute.
//
// Grants look at the answer. Between that and the moment when a handler opens
// the path somebody may exchange a directory for a link: what a handler then
// reaches is still inside the workspace, and os.Root sees to that.
func (w *Workspace) resolve(name string) (string, error) {
	const maxLinks = 40
	done, rest := ".", strings.Split(name, "/")
	for links := 0; len(rest) > 0; {
		segment := rest[0]
		rest = rest[1:]
		switch {
		case path.IsAbs(name):
			return name, nil
		case segment == "" || segment == ".":
			continue
		case segment == "..":
			if done == "." {
				return "..", nil
			}
			done = path.Dir(done)
			continue
		}
		next := path.Join(done, segment)
		info, err := w.root.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) {
			return path.Join(append([]string{next}, rest...)...), nil
		}
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		if links++; links > maxLinks {
			return "", fs.ErrInvalid
		}
		target, err := w.root.Readlink(next)
		if err != nil {
			return "", err
		}
		if name = target; path.IsAbs(target) {
			return target, nil // out of the workspace, as os.Root has it
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return done, nil
}

// pathOf returns a path as grants compare it. One that can't be resolved leads
// nowhere, which no grant that allows covers.
func (w *Workspace) pathOf(name string) policy.Path {
	p := policy.Path{Spelled: path.Clean(name), Resolved: ".."}
	if w == nil || w.root == nil || name == "" || strings.IndexByte(name, 0) >= 0 {
		return p
	}
	if resolved, err := w.resolve(name); err == nil {
		p.Resolved = resolved
	}
	return p
}

// forbids reports whether a grant that denies covers a path, whichever way a
// handler came by it. A call that may remove or move what it is given must not
// take along what is denied below it.
func (w *Workspace) forbids(need Access, name string) bool {
	if len(w.denied) == 0 {
		return false
	}
	p := w.pathOf(name)
	for _, glob := range w.denied {
		for _, spelling := range [2]string{p.Spelled, p.Resolved} {
			within := path.Join(w.prefix, spelling)
			if policy.Matches(glob, within, true) || need == AccessWrite && policy.Below(glob, within) {
				return true
			}
		}
	}
	return false
}

// Resolve returns the path, seen from w, to which a name leads when the links
// on its way are followed: OUTSIDE_WORKSPACE if that is not inside. What does
// not exist counts as it is written.
func (w *Workspace) Resolve(name string) (string, error) {
	if err := w.may(AccessRead, name); err != nil {
		return "", err
	}
	resolved, err := w.resolve(name)
	if err != nil {
		return "", explain(name, err)
	}
	if !fs.ValidPath(resolved) {
		return "", Errorf("OUTSIDE_WORKSPACE", "%s leads out of the workspace", quotePath(name))
	}
	return resolved, nil
}
