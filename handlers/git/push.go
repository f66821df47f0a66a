package git

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/teaagent/teaagent/mcp"
)

// Push is a push that can be made.
type Push struct {
	Remote string
	URL    string // without credentials
	Branch string
	Commit string // hash of the branch's newest commit
	Known  string // hash of what the remote had when last seen, or ""

	address string
}

// Push looks at what would be pushed. It reads the user's own configuration,
// outside of the sandbox; no program runs by that.
func (r *Repo) Push(ctx context.Context, remote, branch string, getenv func(string) string) (Push, error) {
	p := Push{Remote: remote, Branch: branch}
	if CheckBranch(remote) != nil || strings.Contains(remote, "/") {
		return p, mcp.Errorf("INVALID_REMOTE", "%q can't be the name of a remote: addresses are not taken", remote)
	}
	var err error
	if branch == "" {
		if p.Branch, err = r.Current(ctx); err == nil && p.Branch == "" {
			err = mcp.Errorf("NOT_FOUND", "HEAD is on no branch: name the one to push")
		}
		if err != nil {
			return p, err
		}
	}
	if p.Commit, err = r.Branch(ctx, p.Branch); err != nil {
		return p, err
	}
	if p.Commit == "" {
		return p, mcp.Errorf("NOT_FOUND", "there is no branch %q, or it has no commit", p.Branch)
	}
	out, err := r.run(ctx, mcp.Command{Unconfined: true, Env: r.own(getenv)}, Options{Codes: []int{2, 128}}, []string{"remote", "get-url", "--push", "--all", "--", remote})
	if err != nil {
		return p, err
	}
	list := strings.Split(strings.TrimSuffix(out.Text, "\n"), "\n")
	switch {
	case out.Code != 0 || out.Text == "":
		return p, mcp.Errorf("NOT_FOUND", "there is no remote %q", remote)
	case len(list) != 1:
		return p, mcp.Errorf("INVALID_REMOTE", "the remote %q has %d addresses, and only one at a time can be pushed to", remote, len(list))
	}
	if err := r.reachable(list[0]); err != nil {
		return p, err
	}
	p.address, p.URL = list[0], Valid(masked(list[0]))
	known, err := r.Output(ctx, Options{Codes: []int{1, 128}}, "show-ref", "--verify", "--hash", "--", "refs/remotes/"+remote+"/"+p.Branch)
	if known.Code == 0 {
		p.Known = strings.TrimSpace(known.Text)
	}
	return p, err
}

// unused returns the repository's own settings that a push could have needed,
// and does not use: they can run a program.
func (r *Repo) unused() []string {
	var keys []string
	for _, s := range r.settings {
		if s.Scope != "local" && s.Scope != "worktree" {
			continue
		}
		section, _, variable := s.split()
		if section == "credential" || section == "http" || section == "core" && variable == "sshcommand" {
			keys = append(keys, Valid(s.Key))
		}
	}
	return keys
}

// reachable refuses addresses that make git run programs by name, and those of
// repositories that the workspace's tools could have made: their hooks would
// run outside of the sandbox.
func (r *Repo) reachable(address string) error {
	refused := mcp.Errorf("INVALID_REMOTE", "%q is not pushed to: an address is https, ssh or git, or an absolute path outside of the workspace", Valid(masked(address)))
	if strings.Contains(address, "::") || strings.HasPrefix(address, "-") || strings.ContainsAny(address, "\x00\r\n") {
		return refused
	}
	scheme, rest, ok := strings.Cut(address, "://")
	switch {
	case ok && scheme == "file":
		address = rest
	case ok:
		if scheme == "https" || scheme == "http" || scheme == "ssh" || scheme == "git" {
			return nil
		}
		return refused
	case scpLike(address):
		return nil
	}
	if !path.IsAbs(address) {
		return refused
	}
	place, err := filepath.EvalSymlinks(address)
	if err != nil {
		return mcp.Errorf("NOT_FOUND", "%q does not exist", Valid(address))
	}
	if rel, err := filepath.Rel(r.w.Dir(), place); err != nil || rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return refused
	}
	return nil
}

// scpLike reports whether an address is host:path, as git tells it: a colon
// before any slash.
func scpLike(address string) bool {
	colon := strings.IndexByte(address, ':')
	slash := strings.IndexByte(address, '/')
	return colon > 0 && (slash < 0 || colon < slash)
}

// masked returns an address without what may be a credential.
func masked(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		host, _, _ := strings.Cut(rest, "/")
		if i := strings.LastIndexByte(host, '@'); i >= 0 {
			rest = rest[i+1:]
		}
		rest, _, _ = strings.Cut(rest, "?")
		return scheme + "://" + rest
	}
	if _, secret := u.User.Password(); secret || scheme != "ssh" {
		u.User = nil
	}
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}

// Pushed is what became of a branch at the remote.
type Pushed int

const (
	Updated Pushed = iota
	Created
	Unchanged
)

// Send pushes as p says, outside of the sandbox and with the user's credentials.
// It never forces.
//
// git runs on a repository of its own, which has the workspace's objects and
// nothing else of it: whatever hooks and configuration there are, or come to be
// there meanwhile, they don't count.
func (r *Repo) Send(ctx context.Context, p Push, getenv func(string) string) (Pushed, error) {
	dir, err := r.bare(p)
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	env := []string{
		"GIT_DIR=" + dir, "GIT_OBJECT_DIRECTORY=" + filepath.Join(r.w.Dir(), ".git", "objects"),
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh", "LC_ALL=C.UTF-8", "LANGUAGE=en",
	}
	for _, name := range append([]string{
		"SSH_AUTH_SOCK", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"https_proxy", "HTTPS_PROXY", "http_proxy", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY",
	}, users...) {
		if value := getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	env = append(env, encode([][2]string{
		{"core.hookspath", "/dev/null"}, {"push.gpgsign", "false"}, {"push.followtags", "false"}, {"gc.auto", "0"}, {"maintenance.auto", "false"},
	})...)
	ref := "refs/heads/" + p.Branch
	out, err := r.run(ctx, mcp.Command{Access: mcp.AccessWrite, Network: true, Unconfined: true, Env: env}, Options{Codes: []int{1}},
		[]string{"push", "--porcelain", "--no-verify", "--no-signed", "--no-follow-tags", "--no-force", "--recurse-submodules=no", "--no-progress", "--", p.address, p.Commit + ":" + ref})
	var coded *mcp.Error
	if keys := r.unused(); len(keys) > 0 && errors.As(err, &coded) {
		return 0, mcp.Errorf(coded.Code, "%s; of the repository's own configuration %s was not used, since it can run programs: only the user's own counts here", hide(coded.Message), strings.Join(keys, ", "))
	}
	if errors.As(err, &coded) {
		return 0, mcp.Errorf(coded.Code, "%s", hide(coded.Message))
	}
	if err != nil {
		return 0, err
	}
	return parsePush(out.Text, ref)
}

// hide takes credentials in addresses out of what git says.
func hide(text string) string { return addresses.ReplaceAllStringFunc(text, masked) }

var addresses = regexp.MustCompile(`[a-z+]+://[^\s'"]+`)

// bare makes a repository that has nothing but what a push needs.
func (r *Repo) bare(p Push) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "teaagent-push-"); err != nil {
		return "", fmt.Errorf("make a folder to push from: %w", err)
	}
	config := "[core]\nrepositoryformatversion = 0\nbare = true\n"
	if len(p.Commit) == 64 {
		config = "[core]\nrepositoryformatversion = 1\nbare = true\n[extensions]\nobjectformat = sha256\n"
	}
	files := map[string]string{"HEAD": "ref: refs/heads/none\n", "config": config, "refs/none": ""}
	if shallow, err := r.w.ReadFile(".git/shallow", 1<<20); err == nil { // where history ends
		files["shallow"] = string(shallow)
	}
	for name, text := range files {
		place := filepath.Join(dir, name)
		if err = os.MkdirAll(filepath.Dir(place), 0o700); err == nil {
			err = os.WriteFile(place, []byte(text), 0o600)
		}
		if err != nil {
			os.RemoveAll(dir)
			return "", fmt.Errorf("make a repository to push from: %w", err)
		}
	}
	return dir, nil
}

// Follow notes what the remote has now, and with upstream that the branch
// follows the one there.
func (r *Repo) Follow(ctx context.Context, p Push, upstream bool) error {
	tracking := "refs/remotes/" + p.Remote + "/" + p.Branch
	for _, s := range r.settings {
		if s.Key == "remote."+p.Remote+".fetch" && strings.TrimPrefix(s.Value, "+") == "refs/heads/*:refs/remotes/"+p.Remote+"/*" {
			if _, err := r.Output(ctx, Options{Access: mcp.AccessWrite}, "update-ref", "-m", "push", tracking, p.Commit); err != nil {
				return err
			}
		}
	}
	if !upstream {
		return nil
	}
	for _, s := range [][2]string{{"remote", p.Remote}, {"merge", "refs/heads/" + p.Branch}} {
		if _, err := r.Output(ctx, Options{Access: mcp.AccessWrite}, "config", "--local", "--replace-all", "branch."+p.Branch+"."+s[0], s[1]); err != nil {
			return err
		}
	}
	return nil
}

// parsePush reads `git push --porcelain`: a flag, source:target and a summary,
// with tabs between.
func parsePush(text, ref string) (Pushed, error) {
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(f) != 3 || !strings.HasSuffix(f[1], ":"+ref) {
			continue
		}
		switch f[0] {
		case " ":
			return Updated, nil
		case "*":
			return Created, nil
		case "=":
			return Unchanged, nil
		}
		return 0, mcp.Errorf("REJECTED", "the remote did not take the branch: %s", hide(Valid(f[2])))
	}
	return 0, mcp.Errorf("GIT_FAILED", "git did not say what became of the branch: %.300q", Valid(text))
}
