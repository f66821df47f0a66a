package handlers

import (
	"context"
	"fmt"
	"strings"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
	"github.com/teaagent/teaagent/mcp"
)

// StashChanges puts changed files aside, or brings them back.
func (h *Handlers) StashChanges(ctx context.Context, a generated.StashChangesArgs) (generated.StashChangesResult, error) {
	var r generated.StashChangesResult
	repo, files, err := stashed(ctx, a)
	if err != nil {
		return r, err
	}
	who, err := repo.Identity(ctx, h.env.Getenv)
	if isCode(err, "IDENTITY_MISSING") {
		who = git.Identity{Name: "git stash", Email: "git@stash"} // as git has it
	} else if err != nil {
		return r, err
	}
	if a.Action == generated.StashChangesActionRestore {
		if err = repo.Unstash(ctx, who); isCode(err, "GIT_FAILED") {
			err = mcp.Errorf("CONFLICT", "the stash can't be brought back as it is, and keeps its entry; look at the status, for some files may have both versions: %w", err)
		}
	} else {
		err = repo.Stash(ctx, a.Message.Or(""), a.Untracked, who)
	}
	if err != nil {
		return r, err
	}
	n, err := repo.Stashes(ctx)
	r.Stashes = int64(n)
	for _, name := range files[:min(len(files), 1000)] {
		r.Files = append(r.Files, git.Valid(name))
	}
	return r, err
}

// PreviewStashChanges says which files StashChanges would change.
func (h *Handlers) PreviewStashChanges(ctx context.Context, a generated.StashChangesArgs) (mcp.Preview, error) {
	_, files, err := stashed(ctx, a)
	if err != nil {
		return mcp.Preview{}, err
	}
	verb := "put aside the changes of"
	if a.Action == generated.StashChangesActionRestore {
		verb = "bring back"
	}
	const most = 50
	names := make([]string, 0, most+1)
	for i, name := range files {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(files)-most))
			break
		}
		names = append(names, printable(name))
	}
	return mcp.Preview{Text: git.Valid(fmt.Sprintf("Would %s %s:\n%s\n", verb, counted(len(files), "file"), strings.Join(names, "\n")))}, nil
}

// stashed returns the files that a call would put aside or bring back.
func stashed(ctx context.Context, a generated.StashChangesArgs) (*git.Repo, []string, error) {
	repo, err := git.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	var files []string
	if a.Action == generated.StashChangesActionRestore {
		if files, err = repo.StashedFiles(ctx); err != nil {
			return nil, nil, err
		}
		return repo, files, repo.Permit(files)
	}
	untracked := "no"
	if a.Untracked {
		untracked = "all"
	}
	s, err := repo.Status(ctx, untracked, nil, "--ignore-submodules=all", "--no-renames")
	if err != nil {
		return nil, nil, err
	}
	if s.Cut {
		return nil, nil, mcp.Errorf("TOO_LARGE", "too many files changed to be put aside at once")
	}
	for _, e := range s.Entries {
		files = append(files, e.Path)
	}
	if len(files) == 0 {
		return nil, nil, mcp.Errorf("NOTHING_CHANGED", "there are no changes to put aside; untracked=true takes files that git does not track too")
	}
	return repo, files, repo.Permit(files)
}
