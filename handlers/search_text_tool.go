package handlers

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/grep"
	"github.com/teaagent/teaagent/handlers/tree"
	"github.com/teaagent/teaagent/mcp"
)

// SearchText returns a page of the lines that match a pattern, in the order of
// their files' paths.
func (h *Handlers) SearchText(ctx context.Context, a generated.SearchTextArgs) (generated.SearchTextResult, error) {
	q, err := newQuery(a)
	if err != nil {
		return generated.SearchTextResult{}, err
	}
	w := mcp.WorkspaceFrom(ctx)
	info, err := w.Stat(a.Path)
	if err != nil {
		return generated.SearchTextResult{}, err
	}
	page := &page{limit: q.limit}
	if info.IsDir() {
		err = q.searchDirectory(ctx, w, path.Clean(a.Path), page)
	} else {
		err = q.searchFile(ctx, w, path.Clean(a.Path), page)
	}
	return page.result(), err
}

// query is a call's arguments, read and checked.
type query struct {
	pattern *grep.Pattern
	glob    tree.Glob
	context int
	limit   int
	ignored bool

	path string // go on in this file
	line int64  // behind this line
}

func newQuery(a generated.SearchTextArgs) (*query, error) {
	pattern, err := grep.Compile(a.Pattern, grep.Options{Literal: a.Literal, IgnoreCase: a.IgnoreCase})
	if err != nil {
		return nil, err
	}
	q := &query{pattern: pattern, context: int(a.Context), limit: int(a.Limit), ignored: a.Ignored}
	if glob, ok := a.Glob.Get(); ok {
		if q.glob, err = tree.ParseGlob(glob); err != nil {
			return nil, err
		}
	}
	if after, ok := a.After.Get(); ok {
		i := strings.LastIndexByte(after, ':')
		if i < 1 {
			return nil, badPlace(after)
		}
		q.path = after[:i]
		if q.line, err = strconv.ParseInt(after[i+1:], 10, 64); err != nil || q.line < 0 {
			return nil, badPlace(after)
		}
	}
	return q, nil
}

func badPlace(after string) error {
	return mcp.Errorf("INVALID_ARGUMENT", `after is %q, which is not a place; pass on what an earlier result has as next: "src/main.go:120"`, after)
}

// search returns a search of one file.
func (q *query) search() *grep.Search {
	return &grep.Search{Pattern: q.pattern, Context: q.context}
}

// skipIn returns the line of a file behind which the page begins.
func (q *query) skipIn(name string) int64 {
	if name == q.path {
		return q.line
	}
	return 0
}

// searchFile searches the one file that the call names.
func (q *query) searchFile(ctx context.Context, w *mcp.Workspace, name string, p *page) error {
	if name < q.path || !q.glob.Match(path.Base(name)) {
		return nil
	}
	f, err := w.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	s := q.search()
	s.Skip, s.Max, s.MaxSize = q.skipIn(name), q.limit+1, maxListBytes
	matches, err := s.Text(ctx, f)
	switch {
	case errors.Is(err, grep.ErrBinary):
		return mcp.Errorf("NOT_TEXT", "%q is a binary file", name)
	case errors.Is(err, grep.ErrLongLine):
		return mcp.Errorf("TOO_LARGE", "%q has a line that is too long to be searched", name)
	case ctx.Err() != nil:
		return tooSlow(ctx)
	case err != nil:
		return err
	}
	p.searched++
	p.take(found{name, matches})
	return nil
}

// found is what there is in one file.
type found struct {
	path    string
	matches []grep.Match
}

// page collects the matches of an answer.
type page struct {
	limit     int
	size      int
	matches   []generated.SearchTextMatch
	truncated bool
	searched  int64
	skipped   int64
}

// take adds a file's matches. It returns false if the page is full.
func (p *page) take(f found) bool {
	for i := range f.matches {
		m := &f.matches[i]
		p.size += m.Size() + len(f.path)
		if len(p.matches) == p.limit || p.size > maxListBytes && len(p.matches) > 0 {
			p.truncated = true
			return false
		}
		line := generated.SearchTextMatch{Path: f.path, Line: m.Line, Text: m.Text}
		if m.Before != nil {
			line.Before = mcp.Some(m.Before)
		}
		if m.After != nil {
			line.After = mcp.Some(m.After)
		}
		p.matches = append(p.matches, line)
	}
	return true
}

func (p *page) result() generated.SearchTextResult {
	r := generated.SearchTextResult{Matches: p.matches, Truncated: p.truncated, Searched: p.searched}
	if p.truncated {
		last := p.matches[len(p.matches)-1]
		r.Next = mcp.Some(fmt.Sprintf("%s:%d", last.Path, last.Line))
	}
	if p.skipped > 0 {
		r.Skipped = mcp.Some(p.skipped)
	}
	return r
}
