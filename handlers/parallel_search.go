package handlers

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"sync"

	"github.com/teaagent/teaagent/handlers/grep"
	"github.com/teaagent/teaagent/handlers/tree"
	"github.com/teaagent/teaagent/mcp"
)

// job is a run of files on its way from the walk to the page.
type job struct {
	run      tree.Run
	found    []found
	searched int64
	skipped  int64
	done     chan struct{} // closed when the above is there
}

// searchDirectory searches a directory's files on all processors and adds what
// is found to the page in the order of the walk:
//
//	walk ▶ jobs  ▶ searchers, one for each processor
//	     └▶ order ▶ page: waits for the first job, then for the second …
//
// Both queues are short, so that the walk stays little ahead of the page and
// stops soon after it is full. A job keeps no more than fits on a page.
func (q *query) searchDirectory(ctx context.Context, w *mcp.Workspace, dir string, p *page) error {
	walk, err := tree.New(w, tree.Options{Dir: dir, From: q.path, Ignored: q.ignored, Glob: q.glob})
	if err != nil {
		return err
	}
	searchers := runtime.GOMAXPROCS(0)
	jobs := make(chan *job, 2*searchers)
	order := make(chan *job, 4*searchers)
	inner, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait() // the workspace is the call's: nothing goes on behind it
	defer cancel()
	running.Go(func() {
		defer close(order)
		defer close(jobs)
		for run := range walk.Runs(inner) {
			j := &job{run: run, done: make(chan struct{})}
			for _, queue := range []chan *job{order, jobs} {
				select {
				case queue <- j:
				case <-inner.Done():
					return
				}
			}
		}
	})
	for range searchers {
		running.Go(func() {
			s := q.search()
			for j := range jobs {
				q.searchRun(inner, w, s, j)
				close(j.done)
			}
		})
	}
	for j := range order {
		select {
		case <-j.done:
		case <-ctx.Done():
			return tooSlow(ctx)
		}
		p.searched += j.searched
		p.skipped += j.skipped
		for _, f := range j.found {
			if !p.take(f) {
				return nil
			}
		}
	}
	p.skipped += walk.Skipped // the walk is over: order is closed
	return tooSlow(ctx)
}

// searchRun searches the files of one directory until they fill a page.
func (q *query) searchRun(ctx context.Context, w *mcp.Workspace, s *grep.Search, j *job) {
	dir, err := w.Sub(j.run.Dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			j.skipped += int64(len(j.run.Files))
		}
		return
	}
	defer dir.Close()
	count, size := 0, 0
	for _, e := range j.run.Files {
		if e.Type != 0 || ctx.Err() != nil { // what a link leads to has a path of its own
			continue
		}
		name := j.run.Path(e)
		s.Skip, s.Max, s.MaxSize = q.skipIn(name), q.limit+1-count, maxListBytes-size
		matches, err := searchIn(ctx, dir, e.Name, s)
		switch {
		case err == nil:
			j.searched++
		case errors.Is(err, grep.ErrBinary), errors.Is(err, fs.ErrNotExist), ctx.Err() != nil:
		default:
			j.skipped++
		}
		if matches == nil {
			continue
		}
		j.found = append(j.found, found{name, matches})
		count += len(matches)
		for i := range matches {
			size += matches[i].Size() + len(name)
		}
		if count > q.limit || size > maxListBytes {
			return
		}
	}
}

func searchIn(ctx context.Context, dir *mcp.Workspace, name string, s *grep.Search) ([]grep.Match, error) {
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return s.Text(ctx, f)
}
