// Package gen turns the specs of a repo into its generated code. Generate and
// Verify run the same stages; only the last step differs:
//
//	load    specs, every value with its place         gen/spec
//	lint    rules                                     gen/lint
//	plan    Go names, types, wire schemas, paths      gen/internal/plan
//	emit    every file's bytes                        gen/internal/emit
//	settle  written where they differ, or compared    here
//
// Nothing is written while a finding of the first three is an error, nor
// before every file is rendered and none is in the way.
package gen

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"github.com/teaagent/teaagent/gen/internal/emit"
	"github.com/teaagent/teaagent/gen/internal/plan"
	"github.com/teaagent/teaagent/gen/lint"
	"github.com/teaagent/teaagent/gen/spec"
)

// Options say where things are. The zero value is the current folder.
type Options struct {
	Dir   string // the root of the repo, where go.mod is; default "."
	Specs string // the folder of the specs, from Dir; default "specs"

	// Profiles are the clients whose limits lint looks at, in place of those in
	// server.yaml; lint.Profiles lists them.
	Profiles []string

	unlinted bool // for tests: lint is stricter about names than the stages after it
}

// Report says what a run found and did.
type Report struct {
	Findings   []spec.Finding // sorted
	Categories int
	Tools      int
	Changes    []Change // what was written, or would be; sorted by path
	Settled    bool     // the specs were fit to generate from: Changes is all there is

	set  *spec.Set
	wire []*lint.Tool
}

// Failed reports whether a finding is an error.
func (r *Report) Failed() bool {
	return spec.HasErrors(r.Findings)
}

// Print writes the findings with the lines that they are about.
func (r *Report) Print(w io.Writer) error { return r.set.Format(w, r.Findings) }

// Generate brings the repo's generated code up to date with its specs. The
// error is for trouble: what is wrong with the specs is in the report.
func Generate(o Options) (*Report, error) {
	sealed := sealOf(o.withDefaults())
	if r, ok := sealed.report(); ok {
		return r, nil
	}
	r, err := run(o, func(s *site, changes []Change) error { return s.write(changes) })
	if err == nil {
		sealed.write(r)
	}
	return r, err
}

// Verify reports what Generate would do, and does nothing.
func Verify(o Options) (*Report, error) {
	return run(o, func(*site, []Change) error { return nil })
}

// Lint reports what Generate would find, and looks at no generated file. It
// also lists the stubs that still wait for a body.
func Lint(o Options) (*Report, error) {
	o = o.withDefaults()
	r, srv, err := inspect(o)
	if err != nil {
		return r, err
	}
	home, err := readHandlers(o)
	if err != nil {
		return r, err
	}
	r.Findings = spec.Sort(append(r.Findings, home.stubsLeft(srv)...))
	return r, nil
}

// run is all stages, with an ending of its own.
func run(o Options, end func(*site, []Change) error) (*Report, error) {
	o = o.withDefaults()
	r, srv, err := inspect(o)
	if err != nil || r.Failed() {
		return r, err
	}
	files, err := emit.Files(srv)
	if err != nil {
		return r, err
	}
	home, err := readHandlers(o)
	if err != nil {
		return r, err
	}
	stubs, findings, err := home.stubs(srv)
	if err != nil {
		return r, err
	}
	if o.Specs == plan.Manifest {
		delete(files, plan.Manifest) // it is the source here
	}
	s, err := openSite(o.Dir)
	if err != nil {
		return r, err
	}
	defer s.Close()
	changes, kept, err := s.compare(files, stubs)
	if err != nil {
		return r, err
	}
	for _, name := range kept {
		findings = append(findings, keptFile(o, name))
	}
	r.Changes = changes
	if err := end(s, changes); err != nil {
		return r, err
	}
	r.Findings = spec.Sort(append(r.Findings, findings...))
	r.Settled = true
	return r, nil
}

// inspect is the stages that find what is wrong with the specs.
func inspect(o Options) (*Report, *plan.Server, error) {
	specs := o.Specs
	if !filepath.IsAbs(specs) {
		specs = filepath.Join(o.Dir, specs)
	}
	set, findings, err := spec.Load(specs)
	if err != nil {
		return &Report{set: &spec.Set{}}, nil, err
	}
	srv, planned := plan.From(set)
	tools, err := wire(set, srv)
	if err != nil {
		return &Report{set: set}, nil, err
	}
	if !o.unlinted {
		shown := tools
		if spec.HasErrors(findings) {
			shown = nil // of specs read in part, clients would get something else
		}
		findings = append(findings, lint.Run(set, shown, lint.Options{Profiles: o.Profiles})...)
	}
	findings = append(findings, planned...)
	return &Report{
		Findings:   spec.Sort(findings),
		Categories: len(srv.Categories),
		Tools:      srv.Tools(),
		set:        set,
		wire:       tools,
	}, srv, nil
}

func (o Options) withDefaults() Options {
	if o.Dir == "" {
		o.Dir = "."
	}
	if o.Specs == "" {
		o.Specs = "specs"
	}
	o.Specs = filepath.ToSlash(filepath.Clean(o.Specs))
	return o
}

// module reads the path of the repo's module.
func module(dir string) (string, error) {
	name := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("read the module's path: %w; run go mod init first", err)
	}
	path := modfile.ModulePath(data)
	if path == "" {
		return "", fmt.Errorf("%s has no module line; run go mod init first", name)
	}
	return path, nil
}
