package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/teaagent/teaagent/gen/internal/plan"
)

// Change is one file that differs from what the specs say.
type Change struct {
	Path string // from the root of the repo, with slashes
	Kind Kind

	old, new []byte
	mode     fs.FileMode
}

// Kind is how a file differs.
type Kind uint8

const (
	Changed  Kind = iota // it holds something else
	Missing              // it is not there
	Orphaned             // it is there, and nothing generates it any more
)

// String returns the kind as Verify prints it.
func (k Kind) String() string { return [...]string{"changed", "missing", "orphaned"}[k] }

// site is the repo that generated files are settled in. All access is through
// its root, so no path leads elsewhere.
type site struct {
	root    *os.Root
	folders map[string]*os.Root // those that were looked into; nil for one that is missing
}

func openSite(dir string) (*site, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the repo: %w", err)
	}
	return &site{root, map[string]*os.Root{".": root}}, nil
}

// Close lets go of the repo.
func (s *site) Close() {
	for _, folder := range s.folders {
		if folder != nil {
			folder.Close()
		}
	}
}

// folder opens a folder of the repo, or returns nil if there is none.
func (s *site) folder(name string) (*os.Root, error) {
	if f, known := s.folders[name]; known {
		return f, nil
	}
	above, err := s.folder(path.Dir(name))
	if err != nil {
		return nil, err
	}
	var f *os.Root
	if above != nil {
		info, err := stat(above, name)
		if err != nil {
			return nil, err
		}
		if info != nil && !info.IsDir() {
			return nil, fmt.Errorf("%s is a file, where teagen needs a folder: move it away, then generate again", name)
		}
		if info != nil {
			if f, err = above.OpenRoot(path.Base(name)); err != nil {
				return nil, fmt.Errorf("open a folder of generated files: %w", err)
			}
		}
	}
	s.folders[name] = f
	return f, nil
}

// compare finds what differs from the files that should be there. It fails,
// with everything that is in the way, rather than let a file be lost that
// teagen did not write. A list of variables that is somebody's is no trouble,
// since no code needs ours: it is kept, as the second result says.
func (s *site) compare(files, stubs map[string][]byte) (changes []Change, kept []string, err error) {
	var blocked []error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		c, differs, err := s.look(name, files[name])
		switch {
		case err != nil:
			blocked = append(blocked, err)
		case differs && c.Kind == Changed && !ours(name, c.old) && name == plan.EnvFile:
			kept = append(kept, name)
		case differs && c.Kind == Changed && !ours(name, c.old):
			blocked = append(blocked, fmt.Errorf("%s was not written by teagen, which would have to overwrite it: move it away, then generate again", name))
		case differs:
			changes = append(changes, c)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(stubs)) {
		c, differs, err := s.look(name, stubs[name])
		switch {
		case err != nil:
			blocked = append(blocked, err)
		case differs && c.Kind == Missing: // one that is there is somebody's
			changes = append(changes, c)
		}
	}
	orphans, err := s.orphans(files)
	if err != nil {
		blocked = append(blocked, err)
	}
	changes = append(changes, orphans...)
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes, kept, errors.Join(blocked...)
}

// look compares one file with what it should hold.
func (s *site) look(name string, want []byte) (Change, bool, error) {
	c := Change{Path: name, Kind: Missing, new: want, mode: 0o644}
	folder, err := s.folder(path.Dir(name))
	if folder == nil {
		return c, true, err // the folder is missing, so the file is
	}
	info, err := stat(folder, name)
	if info == nil {
		return c, true, err
	}
	if !info.Mode().IsRegular() {
		return c, false, fmt.Errorf("%s is a folder or a device, where teagen writes a file: move it away, then generate again", name)
	}
	c.Kind, c.mode = Changed, info.Mode().Perm()
	if c.old, err = folder.ReadFile(path.Base(name)); err != nil {
		return c, false, fmt.Errorf("read a generated file: %w", err)
	}
	return c, !bytes.Equal(c.old, want), nil
}

// stat looks at what a folder holds under the last part of name. It returns
// nil for what does not exist, and refuses links: what they lead to is not
// teagen's to write.
func stat(folder *os.Root, name string) (fs.FileInfo, error) {
	info, err := folder.Lstat(path.Base(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look at generated files: %w", err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a symbolic link, and teagen writes only what lies in the repo itself: remove the link, then generate again", name)
	}
	return info, nil
}

// orphans finds files that teagen wrote once and writes no more.
func (s *site) orphans(files map[string][]byte) ([]Change, error) {
	found, err := s.orphanedEnv(files)
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{plan.Generated, plan.Schemas} {
		folder, _ := s.folder(dir)
		if folder == nil {
			return found, nil // look has said why, for the files in it
		}
		entries, err := fs.ReadDir(folder.FS(), ".")
		if err != nil {
			return nil, fmt.Errorf("look for files that are generated no more: %w", err)
		}
		for _, e := range entries {
			name := dir + "/" + e.Name()
			if _, wanted := files[name]; wanted || !e.Type().IsRegular() || path.Ext(name) != extension[dir] {
				continue
			}
			old, err := folder.ReadFile(e.Name())
			if err != nil {
				return nil, fmt.Errorf("look for files that are generated no more: %w", err)
			}
			if ours(name, old) {
				found = append(found, Change{Path: name, Kind: Orphaned, old: old})
			}
		}
	}
	return found, nil
}

// orphanedEnv finds the list of variables where there are none any more. It
// stands among people's files: an empty one, or whatever else, may be theirs.
func (s *site) orphanedEnv(files map[string][]byte) ([]Change, error) {
	if _, wanted := files[plan.EnvFile]; wanted {
		return nil, nil
	}
	info, err := s.root.Lstat(plan.EnvFile)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() == 0) {
		return nil, nil
	}
	var old []byte
	if err == nil {
		old, err = s.root.ReadFile(plan.EnvFile)
	}
	if err != nil {
		return nil, fmt.Errorf("look for files that are generated no more: %w", err)
	}
	if !ours(plan.EnvFile, old) {
		return nil, nil
	}
	return []Change{{Path: plan.EnvFile, Kind: Orphaned, old: old}}, nil
}

// extension is what teagen writes in each of its folders.
var extension = map[string]string{plan.Generated: ".go", plan.Schemas: ".json"}

var (
	header   = regexp.MustCompile(`^// Code generated by teagen .*DO NOT EDIT\.$`)
	listed   = regexp.MustCompile(`^# Code generated by teagen .*DO NOT EDIT\.$`)
	conflict = regexp.MustCompile(`^(<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)( |$)`)
	bundled  = regexp.MustCompile(`^("[^"]*": ?\{"input":|\}$)`)
)

// ours reports whether teagen wrote a file, by how it starts: Go and the list of
// variables with our header, a bundle with a tool's schemas, the manifest with its server. What
// git left of one while merging still is ours: its markers are not looked at.
func ours(name string, data []byte) bool {
	var lines []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\r\n"); !conflict.MatchString(line) {
			lines = append(lines, line)
		}
		if len(lines) == 2 {
			break
		}
	}
	switch {
	case len(lines) == 0: // nobody's work is lost with it
		return true
	case path.Ext(name) == ".go":
		return header.MatchString(lines[0])
	case name == plan.EnvFile:
		return listed.MatchString(lines[0])
	case len(lines) < 2 || lines[0] != "{":
		return false
	case name == plan.Manifest:
		return lines[1] == `  "server": {`
	}
	return bundled.MatchString(lines[1])
}
