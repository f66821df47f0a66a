package spec

import (
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// serverFile is the one spec file that holds no tools.
const serverFile = "server.yaml"

// maxFileSize bounds a spec file. Examples embed files; nothing else comes near.
const maxFileSize = 4 << 20

// file is a spec file as found in the folder.
type file struct {
	name string // as in Pos.File
	data []byte
}

// Load reads the specs in a folder: server.yaml, and every other *.yaml and
// *.yml as the tools of one category; or a manifest, mcp-tools.json, as the
// folder's only file. A file's name stands for a manifest by itself. Load
// reports all faults it finds, sorted, and returns what could be read beside
// them, so that lint can report more in the same run; nothing may be generated
// from a Set with a finding of severity Error. The error is for trouble, such
// as a folder that cannot be read.
func Load(dir string) (*Set, []Finding, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return loadManifest(dir)
	}
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		return nil, nil, fmt.Errorf("read specs: %w", err)
	}
	var files []file
	var refused []Finding
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if ext != ".yaml" && ext != ".yml" || strings.HasPrefix(e.Name(), ".") {
			continue // hidden ones are editors' own
		}
		name := filepath.Join(dir, e.Name())
		data, fault, err := readFile(name)
		if err != nil {
			return nil, nil, fmt.Errorf("read specs: %w", err)
		}
		if fault != "" {
			refused = append(refused, finding(ruleLimit, Pos{File: name}, "%s", fault))
			continue
		}
		files = append(files, file{name, data})
	}
	if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == ManifestFile }) {
		if len(files)+len(refused) == 0 {
			return loadManifest(filepath.Join(dir, ManifestFile))
		}
		refused = append(refused, finding(ruleMissing, Pos{File: filepath.Join(dir, ManifestFile)}, "a manifest is all of the specs, and here are others beside it; keep one of the two"))
	}
	set, findings := read(files)
	server := filepath.Join(dir, serverFile)
	if !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == serverFile }) {
		findings = append(findings, finding(ruleMissing, Pos{File: server}, "there is no server.yaml; add one with server, prefix and version"))
	}
	return set, Sort(append(findings, refused...)), nil
}

func loadManifest(name string) (*Set, []Finding, error) {
	data, fault, err := readFile(name)
	if err != nil {
		return nil, nil, fmt.Errorf("read specs: %w", err)
	}
	if fault != "" {
		set, _ := read(nil)
		return set, []Finding{finding(ruleLimit, Pos{File: name}, "%s", fault)}, nil
	}
	set, findings := read([]file{{name, data}})
	return set, Sort(findings), nil
}

// LoadFiles is Load for files that are in memory, by name. One whose name ends
// in .json is a manifest.
func LoadFiles(files map[string][]byte) (*Set, []Finding) {
	var all []file
	for _, name := range slices.Sorted(maps.Keys(files)) {
		all = append(all, file{name, files[name]})
	}
	set, findings := read(all)
	return set, Sort(findings)
}

func isManifest(name string) bool { return filepath.Ext(name) == ".json" }

// readFile returns a file's bytes, or why it is no spec file. It never waits on
// a pipe or a device.
func readFile(name string) (data []byte, fault string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, "", err
	}
	if !info.Mode().IsRegular() {
		return nil, "not a regular file", nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, "", err
	}
	if len(data) > maxFileSize {
		return nil, fmt.Sprintf("larger than %d MiB; split it", maxFileSize>>20), nil
	}
	return data, "", nil
}

// read reads the files into one Set.
func read(files []file) (*Set, []Finding) {
	type parsed struct {
		src    *source
		root   *node
		faults *faults
	}
	parsing := make([]parsed, len(files))
	var wg sync.WaitGroup
	for i, f := range files {
		wg.Go(func() { // parsing takes most of the time that loading does
			p := parsed{src: newSource(f.name, f.data), faults: new(faults)}
			if isManifest(f.name) {
				p.root = readJSON(p.src, p.faults)
			} else {
				p.root = readYAML(p.src, p.faults)
			}
			parsing[i] = p
		})
	}
	wg.Wait()

	r := &reader{set: &Set{sources: make(map[string]*source), misread: make(map[Pos]bool)}, enums: make(map[*Schema]map[Literal]bool), types: make(map[string]*declaration), filed: make(map[string]*faults)}
	for _, p := range parsing {
		r.faults, r.filed[p.src.name] = p.faults, p.faults
		r.declareTypes(p.root)
	}
	var findings []Finding
	for _, p := range parsing {
		r.set.sources[p.src.name] = p.src
		r.faults = p.faults
		switch {
		case p.root == nil && len(p.faults.findings) > 0:
		case p.root == nil || p.root.kind == nullKind:
			r.fault(ruleMissing, p.src.wholeLine(1), "this file says nothing; remove it, or write what it is for")
		case isManifest(p.src.name):
			r.manifest(p.root)
		case filepath.Base(p.src.name) == serverFile:
			r.server(p.root)
		default:
			r.toolFile(p.root)
		}
	}
	r.deprecations()
	for _, p := range parsing {
		findings = append(findings, p.faults.findings...)
	}
	findings = append(findings, r.unusedTypes()...)
	for _, t := range r.set.Tools {
		if !t.Title.Set() {
			t.Title.V = deriveTitle(t.Name.V, r.set.Server.Prefix.V)
		}
	}
	return r.set, findings
}

// Misread reports whether Load found fault with the value at p. Rules about
// what it says would only repeat that.
func (s *Set) Misread(p Pos) bool { return s.misread[placeOf(p)] }

// placeOf is where p starts, whatever its width.
func placeOf(p Pos) Pos { return Pos{File: p.File, Line: p.Line, Col: p.Col} }

// Files yields the name, as in Pos.File, and the text of every file, in name order.
func (s *Set) Files() iter.Seq2[string, string] {
	return func(yield func(name, text string) bool) {
		for _, name := range slices.Sorted(maps.Keys(s.sources)) {
			if !yield(name, s.sources[name].text) {
				return
			}
		}
	}
}
