package git

import (
	"context"
	"net/url"
	"path"
	"path/filepath"
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
}

// Push looks at what would be pushed. It reads the user's own configuration,
// outside of the sandbox; no program runs by that.
func (r *Repo) Push(ctx context.Context, remote, branch string, getenv func(string) string) (Push, error) {
	p := Push{Remote: remote, Branch: branch}
	if err := r.trusted(); err != nil {
		return p, err
	}
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
	addresses := strings.Split(strings.TrimSuffix(out.Text, "\n"), "\n")
	switch {
	case out.Code != 0 || out.Text == "":
		return p, mcp.Errorf("NOT_FOUND", "there is no remote %q", remote)
	case len(addresses) != 1:
		return p, mcp.Errorf("INVALID_REMOTE", "the remote %q has %d addresses, and only one at a time can be pushed to", remote, len(addresses))
	}
	if err := r.reachable(addresses[0]); err != nil {
		return p, err
	}
	p.URL = Valid(masked(addresses[0]))
	known, err := r.Output(ctx, Options{Codes: []int{1, 128}}, "show-ref", "--verify", "--hash", "--", "refs/remotes/"+remote+"/"+p.Branch)
	if known.Code == 0 {
		p.Known = strings.TrimSpace(known.Text)
	}
	return p, err
}

// unsafe says which settings run a program, or send elsewhere what is secret,
// when git pushes. Nobody has looked at them where a repository has brought
// them along; in the user's own configuration they are his.
func unsafe(s Setting) bool {
	section, name, variable := s.split()
	switch section {
	case "core":
		return variable == "sshcommand" || variable == "gitproxy" || variable == "askpass"
	case "credential", "include", "includeif":
		return true
	case "url":
		return true
	case "http":
		return variable != "postbuffer" && variable != "version" && variable != "lowspeedlimit" && variable != "lowspeedtime"
	case "ssh":
		return true
	case "protocol":
		return true
	case "remote":
		return name != "" && (variable == "receivepack" || variable == "vcs" || variable == "proxy" || variable == "proxyauthmethod" || variable == "mirror" || variable == "serveroption")
	}
	return false
}

// trusted refuses to push from a repository whose own configuration says what
// runs then.
func (r *Repo) trusted() error {
	for _, s := range r.settings {
		if (s.Scope == "local" || s.Scope == "worktree") && unsafe(s) {
			return mcp.Errorf("UNSAFE_CONFIG", "this repository's own configuration sets %q, which can run a program or redirect a push outside of the sandbox: the user moves it to his own configuration, or pushes himself", Valid(s.Key))
		}
	}
	return nil
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
// It never forces, and runs no hook of this repository.
func (r *Repo) Send(ctx context.Context, p Push, upstream bool, getenv func(string) string) (Pushed, error) {
	env := append(r.own(getenv), "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_PAGER=cat", "GIT_EDITOR=:", "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh")
	if command := getenv("GIT_SSH_COMMAND"); command != "" {
		env = append(env, "GIT_SSH_COMMAND="+command)
	} else {
		env = append(env, "GIT_SSH_COMMAND=ssh -o BatchMode=yes")
	}
	for _, name := range []string{"SSH_AUTH_SOCK", "GIT_SSL_CAINFO", "SSL_CERT_FILE", "https_proxy", "HTTPS_PROXY", "http_proxy", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"} {
		if value := getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	env = append(env, encode([][2]string{
		{"core.hookspath", "/dev/null"}, {"core.fsmonitor", "false"}, {"push.gpgsign", "false"}, {"push.followtags", "false"},
		{"push.recursesubmodules", "no"}, {"submodule.recurse", "false"}, {"gc.auto", "0"}, {"maintenance.auto", "false"}, {"core.alternaterefscommand", ":"},
	})...)
	args := []string{"push", "--porcelain", "--no-verify", "--no-signed", "--no-follow-tags", "--no-force", "--recurse-submodules=no", "--no-progress"}
	if upstream {
		args = append(args, "--set-upstream")
	}
	ref := "refs/heads/" + p.Branch
	args = append(args, "--", p.Remote, p.Commit+":"+ref)
	if upstream { // which git notes for branches only
		args[len(args)-1] = ref + ":" + ref
	}
	out, err := r.run(ctx, mcp.Command{Access: mcp.AccessWrite, Network: true, Unconfined: true, Env: env}, Options{Codes: []int{1}}, args)
	if err != nil {
		return 0, err
	}
	return parsePush(out.Text, ref)
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
		return 0, mcp.Errorf("REJECTED", "the remote did not take the branch: %s", Valid(f[2]))
	}
	return 0, mcp.Errorf("GIT_FAILED", "git did not say what became of the branch: %.300q", Valid(text))
}
