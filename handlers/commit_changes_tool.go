package handlers

import (
	"context"
	"fmt"
	"strings"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
	"github.com/teaagent/teaagent/mcp"
)

// CommitChanges commits what is staged.
func (h *Handlers) CommitChanges(ctx context.Context, a generated.CommitChangesArgs) (generated.CommitChangesResult, error) {
	var r generated.CommitChangesResult
	repo, d, err := staged(ctx, a)
	if err != nil {
		return r, err
	}
	who, err := repo.Identity(ctx, h.env.Getenv)
	if err != nil {
		return r, err
	}
	if err := repo.CommitStaged(ctx, a.Message, a.Amend, who); err != nil {
		return r, err
	}
	id, err := repo.Commit(ctx, "HEAD")
	if err != nil {
		return r, err
	}
	c, err := repo.Show(ctx, id)
	if err != nil {
		return r, err
	}
	branch, err := repo.Current(ctx)
	files, _ := changesOf(d.Files)
	return generated.CommitChangesResult{Commit: commitOf(c), Branch: someText(git.Valid(branch)), Files: files}, err
}

// PreviewCommitChanges says what CommitChanges would commit.
func (h *Handlers) PreviewCommitChanges(ctx context.Context, a generated.CommitChangesArgs) (mcp.Preview, error) {
	var p mcp.Preview
	repo, d, err := staged(ctx, a)
	if err != nil {
		return p, err
	}
	branch, err := repo.Current(ctx)
	if err != nil {
		return p, err
	}
	where := "no branch"
	if branch != "" {
		where = "branch " + git.Valid(branch)
	}
	verb := "commit"
	if a.Amend {
		verb = "replace the newest commit with one of"
	}
	subject, _, _ := strings.Cut(strings.TrimSpace(a.Message), "\n")
	p.Text = git.Valid(fmt.Sprintf("Would %s %s on %s, as %q:\n%s", verb, counted(len(d.Files), "file"), where, subject, listing(d.Files)))
	return p, nil
}

// staged returns what a commit would have; it refuses one that has nothing.
func staged(ctx context.Context, a generated.CommitChangesArgs) (*git.Repo, git.Diff, error) {
	repo, err := git.Open(ctx)
	if err != nil {
		return nil, git.Diff{}, err
	}
	if strings.TrimSpace(a.Message) == "" {
		return nil, git.Diff{}, mcp.Errorf("INVALID_ARGUMENT", "the message is blank")
	}
	d, err := repo.Staged(ctx, a.Amend)
	if err == nil {
		err = d.Whole()
	}
	if err == nil && len(d.Files) == 0 && !a.Amend {
		err = mcp.Errorf("NOTHING_STAGED", "the index has no changes: stage them with teaagent_stageFiles first")
	}
	return repo, d, err
}
