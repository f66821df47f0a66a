// Package tree walks the directories of a workspace as a person would look
// through them: in the order of paths, without .git and without what .gitignore
// files leave out. It reads nothing but directories and .gitignore files, and
// those through the workspace.
package tree

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/teaagent/teaagent/mcp"
)

// Options say where a walk leads. The zero value walks the whole workspace.
type Options struct {
	Dir     string // where it starts; what is ignored is walked if it is named here
	From    string // leave out the paths that sort before this one
	Ignored bool   // walk what .gitignore leaves out too
	Glob    Glob   // files must match, relative to Dir
}

// Walk is a walk through a workspace. Skipped grows while it goes on.
type Walk struct {
	// Skipped counts the directories that could not be read, and the paths that
	// no client could ask for: over 4096 bytes long, or not UTF-8.
	Skipped int64

	w      *mcp.Workspace
	o      Options
	levels *level
	first  []mcp.Entry
}

// Run is files of one directory that follow each other in the walk: regular
// files and links, which may lead anywhere.
type Run struct {
	Dir   string // relative to the workspace; "." is the workspace itself
	Files []mcp.Entry
}

// Path returns the path of one of the run's files.
func (r *Run) Path(e mcp.Entry) string { return path.Join(r.Dir, e.Name) }

const (
	maxIgnoreFile = 1 << 20 // a longer .gitignore is skipped
	maxRun        = 64      // files of a run, at most
	maxPath       = 4096    // as the tools' path arguments have it
)

// New prepares a walk. It fails if there is no directory to start in.
func New(w *mcp.Workspace, o Options) (*Walk, error) {
	// A ".." that follows a link means its target's parent to the system; here
	// it takes back the link, so that paths in results are what they seem.
	o.Dir = path.Clean(o.Dir)
	entries, err := w.Entries(o.Dir)
	if err != nil {
		return nil, err
	}
	walk := &Walk{w: w, o: o, first: entries}
	if o.Dir != "." && !o.Ignored {
		walk.levels = walk.addLevel(nil, "")
		for i := range len(o.Dir) {
			if o.Dir[i] == '/' {
				walk.levels = walk.addLevel(walk.levels, o.Dir[:i])
			}
		}
	}
	return walk, nil
}

// Runs returns the files in the order of their paths, byte by byte. It ends
// early when ctx is done.
func (walk *Walk) Runs(ctx context.Context) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		dir := walk.o.Dir
		if dir == "." {
			dir = ""
		}
		walk.directory(ctx, dir, walk.first, walk.levels, yield)
	}
}

// directory walks one directory, "" being the workspace. It returns false if
// the walk is over.
func (walk *Walk) directory(ctx context.Context, dir string, entries []mcp.Entry, above *level, yield func(Run) bool) bool {
	entries = walk.keep(dir, entries, above, &above)
	run := Run{Dir: dir}
	if dir == "" {
		run.Dir = "."
	}
	flush := func() bool {
		done := run
		run.Files = nil
		return len(done.Files) == 0 || yield(done)
	}
	for _, e := range entries {
		if !e.Type.IsDir() {
			run.Files = append(run.Files, e)
			if len(run.Files) == maxRun && !flush() {
				return false
			}
			continue
		}
		if !flush() || ctx.Err() != nil {
			return false
		}
		name := join(dir, e.Name)
		inner, err := walk.w.Entries(name)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) { // gone since
				walk.Skipped++
			}
			continue
		}
		if !walk.directory(ctx, name, inner, above, yield) {
			return false
		}
	}
	return flush()
}

// keep sorts a directory's entries and drops what the walk leaves out. The
// directory's own .gitignore, if it has one, is put below the others.
func (walk *Walk) keep(dir string, entries []mcp.Entry, above *level, below **level) []mcp.Entry {
	if !walk.o.Ignored && slices.ContainsFunc(entries, isIgnoreFile) {
		above = walk.addLevel(above, dir)
		*below = above
	}
	kept := entries[:0]
	for _, e := range entries {
		if e.Name == ".git" || !e.Type.IsDir() && !e.Type.IsRegular() && e.Type != fs.ModeSymlink {
			continue
		}
		name := join(dir, e.Name)
		if len(name) > maxPath || !utf8.ValidString(e.Name) {
			walk.Skipped++
			continue
		}
		if walk.reaches(name, e.Type.IsDir()) && !above.ignored(name, e.Type.IsDir()) {
			kept = append(kept, e)
		}
	}
	slices.SortFunc(kept, func(a, b mcp.Entry) int { return strings.Compare(sortKey(a), sortKey(b)) })
	return kept
}

// reaches reports whether the options want a file, or what may be below a
// directory.
func (walk *Walk) reaches(name string, isDir bool) bool {
	rel := name
	if walk.o.Dir != "." {
		rel = name[len(walk.o.Dir)+1:]
	}
	from := walk.o.From
	if isDir {
		within := name + "/"
		return (within >= from || strings.HasPrefix(from, within)) && walk.o.Glob.Enter(rel)
	}
	return name >= from && walk.o.Glob.Match(rel)
}

// sortKey puts a directory where the paths in it belong.
func sortKey(e mcp.Entry) string {
	if e.Type.IsDir() {
		return e.Name + "/"
	}
	return e.Name
}

// isIgnoreFile leaves out links, as git does.
func isIgnoreFile(e mcp.Entry) bool { return e.Name == ".gitignore" && e.Type.IsRegular() }

// addLevel reads the .gitignore of a directory, if there is one.
func (walk *Walk) addLevel(above *level, dir string) *level {
	name := join(dir, ".gitignore")
	if info, err := walk.w.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return above
	}
	text, err := walk.w.ReadFile(name, maxIgnoreFile)
	if err != nil {
		walk.Skipped++
		return above
	}
	if rules := parseRules(string(text)); rules != nil {
		return &level{dir: dir, rules: rules, parent: above}
	}
	return above
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
