package git

import (
	"context"
	"strings"

	"github.com/teaagent/teaagent/mcp"
)

// Stage makes the index have files as they are. paths come from Paths. What git
// would only look at by running a program in it, a repository inside, stays out,
// and so does what the operator denies.
func (r *Repo) Stage(ctx context.Context, paths []string) error {
	s, err := r.Status(ctx, "all", paths, "--ignore-submodules=all", "--no-renames", "--ignored=matching")
	if err != nil {
		return err
	}
	if s.Cut {
		return mcp.Errorf("TOO_LARGE", "too many files changed to be staged at once: name fewer")
	}
	var files []string
	for _, e := range s.Entries {
		nested := strings.HasSuffix(e.Path, "/")
		switch {
		case e.Worktree == "ignored":
			if named := namedBy(paths, strings.TrimSuffix(e.Path, "/"), true); named != "" {
				return mcp.Errorf("IGNORED", "%q is excluded by .gitignore, so it is not staged", named)
			}
		case nested && namedBy(paths, strings.TrimSuffix(e.Path, "/"), false) != "":
			return mcp.Errorf("NESTED_REPOSITORY", "%q is a repository of its own, so it is not staged", e.Path)
		case e.Worktree != "" && !nested && !r.Denied(e.Path): // what is denied is not what it seems: git finds it empty
			if err := r.linked(e.Path); err != nil {
				return err
			}
			files = append(files, e.Path)
		}
	}
	if err := r.known(ctx, paths, s.Entries); err != nil {
		return err
	}
	if err := r.unfiltered(ctx, files); err != nil {
		return err
	}
	return chunks(files, func(some []string) error {
		_, err := r.Output(ctx, Options{Access: mcp.AccessWrite}, append([]string{"update-index", "--add", "--remove", "--replace", "--"}, some...)...)
		return err
	})
}

// namedBy returns the path among paths that is name, or with below one below it.
func namedBy(paths []string, name string, below bool) string {
	for _, p := range paths {
		if p == name || below && strings.HasPrefix(p, name+"/") {
			return p
		}
	}
	return ""
}

// known refuses a path at which there is nothing, in the workspace or in the index.
func (r *Repo) known(ctx context.Context, paths []string, entries []Entry) error {
	for _, p := range paths {
		if _, err := r.w.Lstat(p); err == nil {
			continue
		}
		found := false
		for _, e := range entries {
			found = found || e.Path == p || strings.HasPrefix(e.Path, p+"/")
		}
		if !found {
			return mcp.Errorf("NOT_FOUND", "%q does not exist, and git knows no file of that name", p)
		}
	}
	return nil
}

// unfiltered refuses files whose content in the index is made by a program,
// which is not run: they would be staged as something else than they should be.
func (r *Repo) unfiltered(ctx context.Context, files []string) error {
	return chunks(files, func(some []string) error {
		out, err := r.Output(ctx, Options{}, append([]string{"check-attr", "-z", "filter", "--"}, some...)...)
		if err != nil {
			return err
		}
		list := records(out.Text)
		for i := 0; i+2 < len(list); i += 3 {
			if name, value := list[i], list[i+2]; value != "unspecified" && value != "unset" && value != "set" {
				return mcp.Errorf("FILTERED", "%q goes through the filter %q, a program that is not run here: stage it with git itself", name, value)
			}
		}
		return nil
	})
}

// Unstage makes the index have files as HEAD has them. The files stay.
func (r *Repo) Unstage(ctx context.Context, paths []string) error {
	d, err := r.Diff(ctx, -1, paths, "--cached")
	if err != nil {
		return err
	}
	if err := d.Whole(); err != nil {
		return err
	}
	_, err = r.Output(ctx, Options{Access: mcp.AccessWrite}, append([]string{"reset", "--quiet", "--"}, paths...)...)
	return err
}

// Staged returns what the next commit would have; with amend, what it and the
// newest one would have together.
func (r *Repo) Staged(ctx context.Context, amend bool) (Diff, error) {
	args := []string{"--cached"}
	if amend {
		id, err := r.Commit(ctx, "HEAD")
		if err != nil {
			return Diff{}, err
		}
		c, err := r.Show(ctx, id)
		if err != nil {
			return Diff{}, err
		}
		if len(c.Parents) > 0 {
			args = append(args, c.Parents[0])
		} else {
			args = append(args, Before(id))
		}
	}
	return r.Diff(ctx, -1, nil, args...)
}

// Whole refuses a difference of which a part is denied, or is not known.
func (d *Diff) Whole() error {
	if d.unread {
		return mcp.Errorf("TOO_LARGE", "more files differ than can be looked at")
	}
	if d.Denied > 0 {
		return mcp.Errorf("DENIED_PATH", "the operator denies %d of the files that this would touch; see the list of approvals", d.Denied)
	}
	return nil
}

// chunks calls do with some names at a time, as many as a command line has room for.
func chunks(names []string, do func([]string) error) error {
	for len(names) > 0 {
		n, size := 0, 0
		for n < len(names) && (n == 0 || size+len(names[n]) < maxNames) {
			size += len(names[n]) + 1
			n++
		}
		if err := do(names[:n]); err != nil {
			return err
		}
		names = names[n:]
	}
	return nil
}
