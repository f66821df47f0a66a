package git

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/teaagent/teaagent/mcp"
)

// Identity is who commits.
type Identity struct {
	Name, Email string
}

// env tells git the identity.
func (i Identity) env() []string {
	return []string{
		"GIT_AUTHOR_NAME=" + i.Name, "GIT_AUTHOR_EMAIL=" + i.Email,
		"GIT_COMMITTER_NAME=" + i.Name, "GIT_COMMITTER_EMAIL=" + i.Email,
	}
}

// Identity returns the user: as the server's environment names him, else as
// git's configuration does, that of the repository before the user's own. The
// latter is read outside of the sandbox, where the home folder is, if need be;
// no program runs by that.
func (r *Repo) Identity(ctx context.Context, getenv func(string) string) (Identity, error) {
	id := Identity{getenv("GIT_AUTHOR_NAME"), getenv("GIT_AUTHOR_EMAIL")}
	for _, s := range slices.Backward(r.settings) { // the last one counts
		switch {
		case s.Key == "user.name" && id.Name == "":
			id.Name = s.Value
		case s.Key == "user.email" && id.Email == "":
			id.Email = s.Value
		}
	}
	if id.Name != "" && id.Email != "" {
		return id, nil
	}
	out, err := r.run(ctx, mcp.Command{Unconfined: true, Env: r.own(getenv)}, Options{Keep: 64 << 10, Codes: []int{1}}, []string{"config", "--includes", "-z", "--get-regexp", `^user\.(name|email)$`})
	if err != nil {
		return id, err
	}
	var name, email string
	for _, record := range records(out.Text) {
		switch key, value, _ := strings.Cut(record, "\n"); key {
		case "user.name":
			name = value
		case "user.email":
			email = value
		}
	}
	if id.Name == "" {
		id.Name = name
	}
	if id.Email == "" {
		id.Email = email
	}
	if id.Name == "" || id.Email == "" {
		return id, mcp.Errorf("IDENTITY_MISSING", `git does not know who commits: the user sets it with git config --global user.name "…", and user.email; without --global it is for this repository`)
	}
	return id, nil
}

// users are the variables that say where the user's own configuration is.
var users = []string{"HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"}

// own is the environment of git where it reads the user's own configuration.
func (r *Repo) own(getenv func(string) string) []string {
	env := []string{
		"GIT_DIR=" + filepath.Join(r.w.Dir(), ".git"),
		"GIT_WORK_TREE=" + r.w.Dir(),
		"GIT_TERMINAL_PROMPT=0",
		"LC_ALL=C.UTF-8",
		"LANGUAGE=en",
	}
	for _, name := range users {
		if value := getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// CommitStaged commits what is staged. No hook runs and nothing is signed.
func (r *Repo) CommitStaged(ctx context.Context, message string, amend bool, who Identity) error {
	args := []string{"commit", "--quiet", "--no-verify", "--no-gpg-sign", "--no-status", "--cleanup=whitespace", "--message=" + message}
	if amend {
		args = append(args, "--amend")
	}
	_, err := r.Output(ctx, Options{Access: mcp.AccessWrite, Env: who.env()}, args...)
	return err
}

// CreateBranch makes a branch that must not be there, from a commit.
func (r *Repo) CreateBranch(ctx context.Context, name, id string) error {
	there, err := r.Branch(ctx, name)
	if err != nil {
		return err
	}
	if there != "" {
		return mcp.Errorf("ALREADY_EXISTS", "there is a branch %q already, at %s", name, there)
	}
	_, err = r.Output(ctx, Options{Access: mcp.AccessWrite}, "branch", "--no-track", "--", name, id)
	return err
}

// Switch puts HEAD on a branch, and the files of its newest commit in place of
// those of HEAD's. git refuses where changes would be lost.
func (r *Repo) Switch(ctx context.Context, name string, create bool) error {
	args := []string{"switch", "--quiet", "--no-guess", "--no-overwrite-ignore", "--no-recurse-submodules", "--no-progress"}
	if create {
		args = append(args, "--create", name, "--no-track")
	} else {
		args = append(args, name)
	}
	_, err := r.Output(ctx, Options{Access: mcp.AccessWrite}, args...)
	return err
}

// Stashes returns the number of entries in the stash.
func (r *Repo) Stashes(ctx context.Context) (int, error) {
	out, err := r.Output(ctx, Options{Codes: []int{128}}, "rev-list", "--walk-reflogs", "--no-commit-header", "--format=%H", "refs/stash", "--")
	if err != nil || out.Code != 0 {
		return 0, err
	}
	return strings.Count(out.Text, "\n"), nil
}

// StashedFiles returns the files of the newest entry of the stash.
func (r *Repo) StashedFiles(ctx context.Context) ([]string, error) {
	id, err := r.Commit(ctx, "refs/stash")
	if err != nil {
		return nil, mcp.Errorf("NOT_FOUND", "the stash is empty")
	}
	c, err := r.Show(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(c.Parents) < 2 {
		return nil, mcp.Errorf("GIT_FAILED", "the newest entry of the stash is not one that git has made")
	}
	out, err := r.Output(ctx, Options{}, append(append([]string{"diff"}, diffFlags...), "--no-renames", "--name-only", "-z", c.Parents[0], id, "--")...)
	if err != nil {
		return nil, err
	}
	files, cut := records(out.Text), out.Cut
	if len(c.Parents) > 2 { // those that git does not track
		out, err := r.Output(ctx, Options{}, "ls-tree", "-r", "--name-only", "--full-tree", "-z", c.Parents[2])
		if err != nil {
			return nil, err
		}
		files, cut = append(files, records(out.Text)...), cut || out.Cut
	}
	if cut {
		return nil, mcp.Errorf("TOO_LARGE", "the newest entry of the stash has too many files")
	}
	return files, nil
}

// Stash puts changes aside.
func (r *Repo) Stash(ctx context.Context, message string, untracked bool, who Identity) error {
	args := []string{"stash", "push", "--quiet"}
	if untracked {
		args = append(args, "--include-untracked")
	}
	if message != "" {
		args = append(args, "--message="+message)
	}
	_, err := r.Output(ctx, Options{Access: mcp.AccessWrite, Env: who.env(), magic: true}, args...)
	return err
}

// Unstash brings the newest entry of the stash back.
func (r *Repo) Unstash(ctx context.Context, who Identity) error {
	_, err := r.Output(ctx, Options{Access: mcp.AccessWrite, Env: who.env(), magic: true}, "stash", "pop", "--quiet")
	return err
}
