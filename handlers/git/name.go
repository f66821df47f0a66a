package git

import (
	"context"
	"errors"
	"path"
	"strings"

	"github.com/teaagent/teaagent/mcp"
)

// Paths returns paths of the workspace as git takes them behind "--". One that
// leads out of the workspace, or that the operator denies, is refused.
func (r *Repo) Paths(paths []string) ([]string, error) {
	clean := make([]string, len(paths))
	for i, name := range paths {
		if _, err := r.w.Resolve(name); err != nil {
			return nil, err
		}
		clean[i] = path.Clean(name)
	}
	return clean, nil
}

// Denied reports whether the operator denies one of the paths to the call.
func (r *Repo) Denied(paths ...string) bool {
	for _, name := range paths {
		if name == "" {
			continue
		}
		var coded *mcp.Error
		if _, err := r.w.Resolve(name); errors.As(err, &coded) && coded.Code == "DENIED_PATH" {
			return true
		}
	}
	return false
}

// Permit refuses the call if the operator denies it one of the files.
func (r *Repo) Permit(files []string) error {
	for _, name := range files {
		if r.Denied(name) {
			return mcp.Errorf("DENIED_PATH", "the operator denies %q, which this would touch; see the list of approvals", name)
		}
	}
	return nil
}

// ErrNoCommit is the cause of errors about a HEAD that has no commit yet.
var ErrNoCommit = errors.New("HEAD has no commit")

// Commit returns the hash of the commit that a revision names.
func (r *Repo) Commit(ctx context.Context, revision string) (string, error) {
	if err := checkRevision(revision); err != nil {
		return "", err
	}
	out, err := r.Output(ctx, Options{Codes: []int{1, 128}}, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(out.Text)
	switch {
	case out.Code == 0 && isHash(id):
		return id, nil
	case revision == "HEAD":
		return "", &mcp.Error{Code: "NOT_FOUND", Message: "there is no commit yet", Err: ErrNoCommit}
	}
	return "", mcp.Errorf("NOT_FOUND", "%q names no commit of this repository", revision)
}

// Before returns what a commit without parents is compared with.
func Before(id string) string {
	if len(id) == 64 {
		return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321" // the empty tree
	}
	return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
}

func isHash(id string) bool {
	return (len(id) == 40 || len(id) == 64) && strings.Trim(id, "0123456789abcdef") == ""
}

// checkRevision refuses what names something else than one commit, and what git
// could take for an option.
func checkRevision(revision string) error {
	bad := func(c rune) bool { return c <= ' ' || c == 0x7f || c == '\ufffd' }
	if revision == "" || strings.ContainsAny(revision[:1], "-^") || strings.Contains(revision, ":") || strings.Contains(revision, "..") || strings.ContainsFunc(revision, bad) {
		return mcp.Errorf("INVALID_REVISION", "%q is not a revision: name a commit by its hash, a branch, a tag, or one from there as in HEAD~2", revision)
	}
	return nil
}

// CheckBranch refuses what can't be a branch's name, and what git could take
// for something else.
func CheckBranch(name string) error {
	bad := func(c rune) bool { return c <= ' ' || c == 0x7f || strings.ContainsRune("~^:?*[\\\ufffd", c) }
	if name == "" || name == "HEAD" || name == "@" || strings.ContainsAny(name[:1], "-./+") || strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.ContainsFunc(name, bad) {
		return mcp.Errorf("INVALID_BRANCH", "%q can't be the name of a branch", name)
	}
	return nil
}

// Branch returns the hash of a branch's newest commit, or "" if there is no
// such branch.
func (r *Repo) Branch(ctx context.Context, name string) (string, error) {
	if err := CheckBranch(name); err != nil {
		return "", err
	}
	out, err := r.Output(ctx, Options{Codes: []int{1, 128}}, "show-ref", "--verify", "--hash", "--", "refs/heads/"+name)
	if err != nil || out.Code != 0 {
		return "", err
	}
	return strings.TrimSpace(out.Text), nil
}

// Current returns the branch that HEAD is on, or "".
func (r *Repo) Current(ctx context.Context) (string, error) {
	out, err := r.Output(ctx, Options{Codes: []int{1}}, "symbolic-ref", "--quiet", "HEAD")
	name, _ := strings.CutPrefix(strings.TrimSuffix(out.Text, "\n"), "refs/heads/")
	return name, err
}

// records returns the parts of a text that each end with a NUL. What stands
// behind the last one, of a text that was cut, is left out.
func records(text string) []string {
	all := strings.Split(text, "\x00")
	return all[:len(all)-1]
}
