// Package git runs the git program on the workspace's repository, and reads
// what it writes for machines.
//
// A repository that somebody else has made is hostile: its configuration and
// attributes name programs that git runs, and its files lead elsewhere. There
// are three walls, each of which holds where another has a hole:
//
//	what leads out of the workspace is refused     Open
//	what would run a program is overridden         environment, override
//	what runs all the same runs in the sandbox     mcp.Run
package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/teaagent/teaagent/mcp"
)

// Repo is the workspace's own repository, as one call sees it.
type Repo struct {
	w        *mcp.Workspace
	env      []string
	settings []Setting
}

// Open looks at the workspace's repository. One whose parts lie elsewhere is
// refused: its objects are not the workspace's to show.
func Open(ctx context.Context) (*Repo, error) {
	w := mcp.WorkspaceFrom(ctx)
	if err := inside(w); err != nil {
		return nil, err
	}
	r := &Repo{w: w, env: environment(w.Dir())}
	out, err := r.Output(ctx, Options{Keep: maxConfig}, "config", "--list", "--includes", "--show-scope", "-z")
	if err != nil {
		return nil, err
	}
	if out.Cut {
		return nil, mcp.Errorf("TOO_LARGE", "the repository's configuration has more than %d bytes", maxConfig)
	}
	settings, err := parseSettings(out.Text)
	if err != nil {
		return nil, err
	}
	if !has(settings, marker) {
		return nil, mcp.Errorf("GIT_TOO_OLD", "this git does not take settings from its environment, which keep a repository from running programs: install 2.31 or later")
	}
	r.settings = settings
	r.env = append(environment(w.Dir()), override(settings)...)
	return r, nil
}

const maxConfig = 1 << 20 // bytes, as git lists it

// inside refuses a repository that is not whole inside the workspace.
func inside(w *mcp.Workspace) error {
	info, err := w.Lstat(".git")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if top := above(w.Dir()); top != "" {
			return mcp.Errorf("NOT_A_REPOSITORY", "the workspace lies inside of the git repository %s, and only one of its own is served: start the server with --root there", top)
		}
		return mcp.Errorf("NOT_A_REPOSITORY", "the workspace is not a git repository: there is no .git in it")
	case err != nil:
		return err
	case !info.IsDir():
		return mcp.Errorf("OUTSIDE_WORKSPACE", ".git is not a directory, but leads to a repository elsewhere, as in a linked worktree or a submodule: only one that is whole inside the workspace is served")
	}
	for _, part := range []string{"HEAD", "config", "index", "refs", "packed-refs", "objects", "objects/pack", "objects/info", "objects/info/alternates", "info", "logs", "shallow", "modules", "worktrees", "refs/heads", "refs/remotes", "reftable"} {
		if _, err := w.Resolve(path.Join(".git", part)); err != nil {
			return err
		}
	}
	if _, err := w.Lstat(".git/commondir"); err == nil {
		return mcp.Errorf("OUTSIDE_WORKSPACE", ".git/commondir makes git look for the repository elsewhere: only one that is whole inside the workspace is served")
	}
	return borrows(w)
}

// borrows refuses a repository that takes objects from another one elsewhere.
func borrows(w *mcp.Workspace) error {
	const alternates = ".git/objects/info/alternates"
	data, err := w.ReadFile(alternates, 64<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return mcp.Errorf("OUTSIDE_WORKSPACE", "%s makes git take objects from another repository: only one that is whole inside the workspace is served; copy them with `git repack -a -d`, then remove that file", alternates)
		}
	}
	return nil
}

// above returns the directory above dir that has a repository, or "".
func above(dir string) string {
	for parent := filepath.Dir(dir); parent != dir; parent = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(parent, ".git")); err == nil {
			return parent
		}
		dir = parent
	}
	return ""
}

// Options is how git is run.
type Options struct {
	Access mcp.Access // 0 is AccessRead
	Keep   int        // bytes of the output, from its start; DefaultKeep if 0
	Env    []string   // NAME=value, beside what keeps git from running programs
	Codes  []int      // exit codes other than 0 that are no failure

	magic bool // git's own steps name paths by patterns
}

// DefaultKeep is how much of git's output is kept.
const DefaultKeep = 4 << 20

// Output is what git wrote to standard output.
type Output struct {
	Text string
	Cut  bool // there was more
	Code int
}

// Output runs git and returns what it writes.
func (r *Repo) Output(ctx context.Context, o Options, args ...string) (Output, error) {
	return r.run(ctx, mcp.Command{Access: o.Access, Env: append(r.env[:len(r.env):len(r.env)], o.Env...)}, o, args)
}

func (r *Repo) run(ctx context.Context, c mcp.Command, o Options, args []string) (Output, error) {
	if c.Access == mcp.AccessNone {
		c.Access = mcp.AccessRead
	}
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	c.Argv = []string{"git", "--no-pager", "--literal-pathspecs"}
	if o.magic {
		c.Argv = c.Argv[:2]
	}
	c.Argv = append(c.Argv, args...)
	c.Keep = 2 * o.Keep // of which the first half is the start
	f, err := mcp.Run(ctx, c)
	var coded *mcp.Error
	switch {
	case errors.As(err, &coded) && coded.Code == "COMMAND_NOT_FOUND":
		return Output{}, mcp.Errorf("GIT_MISSING", "there is no git program in the server's PATH: install git, or add its directory")
	case err != nil:
		return Output{}, err
	case f.TimedOut:
		return Output{}, mcp.Errorf("TIMEOUT", "git did not end in time")
	}
	out := Output{Text: f.Stdout.Text, Code: f.Code}
	if f.Stdout.Bytes > int64(o.Keep) {
		out.Text, out.Cut = out.Text[:o.Keep], true
	}
	if f.Code == 0 {
		return out, nil
	}
	for _, code := range o.Codes {
		if code == f.Code {
			return out, nil
		}
	}
	return out, failure(f)
}

// failure is what git says when it fails.
func failure(f mcp.Finished) error {
	if f.Signal != "" {
		return mcp.Errorf("GIT_FAILED", "git was ended by a signal: %s", f.Signal)
	}
	var says []string
	for line := range strings.Lines(Valid(f.Stderr.Text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "hint: ") {
			continue
		}
		for _, label := range []string{"fatal: ", "error: "} {
			line = strings.TrimPrefix(line, label)
		}
		if says = append(says, line); len(says) == 8 {
			break
		}
	}
	if says == nil {
		return mcp.Errorf("GIT_FAILED", "git failed with code %d and said nothing", f.Code)
	}
	text := strings.Join(says, "; ")
	if len(text) > 1000 {
		text = Valid(text[:1000]) + "…"
	}
	return mcp.Errorf("GIT_FAILED", "git says: %s", text)
}

// Valid returns a text as an answer can have it.
func Valid(text string) string { return strings.ToValidUTF8(text, "\ufffd") }
