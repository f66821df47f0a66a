package gen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/teaagent/teaagent/gen/internal/emit"
	"github.com/teaagent/teaagent/gen/internal/plan"
	"github.com/teaagent/teaagent/gen/spec"
)

// handlers is what package handlers declares, read for names only: it need
// neither compile nor even parse.
type handlers struct {
	emit.Home
	dir     string // as findings show it
	empty   bool   // there is no Go file
	methods map[string]method
	files   map[string]bool // base names in lower case
}

// method is a method in package handlers, of whatever type.
type method struct {
	pos      spec.Pos
	receiver string
	pointer  bool
	args     []string // types of package generated among its parameters
	stub     bool     // its body is still the one that teagen wrote
}

// readHandlers looks through the package that people write.
func readHandlers(o Options) (*handlers, error) {
	mod, err := module(o.Dir)
	if err != nil {
		return nil, err
	}
	h := &handlers{
		Home:    emit.Home{Package: "handlers", Module: mod, Receiver: "Handlers", Pointer: true},
		dir:     filepath.Join(o.Dir, plan.Handlers),
		empty:   true,
		methods: map[string]method{},
		files:   map[string]bool{},
	}
	entries, err := os.ReadDir(h.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read package handlers: %w", err)
	}
	var names []string
	for _, e := range entries {
		h.files[strings.ToLower(e.Name())] = true
		if ext := filepath.Ext(e.Name()); ext == ".go" && !strings.HasSuffix(e.Name(), "_test.go") && !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	h.empty = len(names) == 0

	parsed := make([]*source, len(names))
	errs := make([]error, len(names))
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(names); i += workers {
				parsed[i], errs[i] = readSource(filepath.Join(h.dir, names[i]), mod)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("read package handlers: %w", err)
	}
	h.take(parsed)
	return h, nil
}

// take puts the sources together, and learns from them who receives methods:
// the type that New returns, or else the type with the most methods.
func (h *handlers) take(sources []*source) {
	count := map[string]int{}
	receiver := ""
	for _, s := range sources {
		if s.pkg != "" {
			h.Package = s.pkg
		}
		if s.returned != "" {
			receiver = s.returned
		}
		for name, m := range s.methods {
			h.methods[name] = m
			count[m.receiver]++
		}
	}
	if receiver == "" {
		for name, n := range count {
			if best := count[receiver]; n > best || n == best && name < receiver {
				receiver = name
			}
		}
	}
	if receiver == "" {
		return
	}
	h.Receiver = receiver
	pointers := 0
	for _, m := range h.methods {
		if m.receiver == receiver && m.pointer {
			pointers++
		}
	}
	h.Pointer = 2*pointers >= count[receiver]
}

// stubs renders a file for each tool that lacks a method. Where that file is
// there already, a finding says what to add to it; another finds each method
// for a tool that is gone.
func (h *handlers) stubs(srv *plan.Server) (map[string][]byte, []spec.Finding, error) {
	files := map[string][]byte{}
	var findings []spec.Finding
	if h.empty {
		content, err := emit.NewHandlers(h.Home)
		if err != nil {
			return nil, nil, err
		}
		files[plan.Handlers+"/handlers.go"] = content
	}
	finding, err := h.resources(srv, files)
	if err != nil {
		return nil, nil, err
	}
	findings = append(findings, finding...)
	args := map[string]bool{}
	for _, c := range srv.Categories {
		for _, t := range c.Tools {
			args[t.Args.Name] = true
			missing := h.missing(t)
			if missing == nil {
				continue
			}
			base := filepath.Base(t.Stub)
			if h.files[strings.ToLower(base)] {
				findings = append(findings, spec.Finding{
					Pos:     spec.Pos{File: filepath.Join(h.dir, base), Line: 1, Col: 1, Width: 1},
					Rule:    "handler-missing",
					Message: fmt.Sprintf("tool %s has no body here; add %s", t.Spec.Name, h.signatures(t, missing)),
				})
				continue
			}
			content, err := emit.Stub(t, missing, h.Home)
			if err != nil {
				return nil, nil, err
			}
			files[t.Stub] = content
		}
	}
	return files, append(findings, h.leftover(args)...), nil
}

// resources renders the stub of a server's resources, or says which methods to
// add where there is its file already.
func (h *handlers) resources(srv *plan.Server, files map[string][]byte) ([]spec.Finding, error) {
	var missing []string
	for _, name := range plan.ResourceMethods {
		if _, has := h.methods[name]; srv.Info.Resources && !has {
			missing = append(missing, name)
		}
	}
	if missing == nil {
		return nil, nil
	}
	if base := filepath.Base(plan.ResourcesStub); h.files[base] {
		return []spec.Finding{{
			Pos:     spec.Pos{File: filepath.Join(h.dir, base), Line: 1, Col: 1, Width: 1},
			Rule:    "handler-missing",
			Message: fmt.Sprintf("the specs declare resources, and %s is not here; add what mcp.Resources asks for, or take resources out of server.yaml", strings.Join(missing, " and ")),
		}}, nil
	}
	content, err := emit.Resources(missing, h.Home)
	files[plan.ResourcesStub] = content
	return nil, err
}

// missing names the tool's methods that nobody has written.
func (h *handlers) missing(t *plan.Tool) []string {
	var names []string
	for _, name := range []string{t.GoName, t.Preview} {
		if _, has := h.methods[name]; name != "" && !has {
			names = append(names, name)
		}
	}
	return names
}

// signatures says how the methods begin.
func (h *handlers) signatures(t *plan.Tool, names []string) string {
	receiver := h.Receiver
	if h.Pointer {
		receiver = "*" + receiver
	}
	var all []string
	for _, name := range names {
		result := "mcp.Result"
		if name == t.Preview {
			result = "mcp.Preview"
		} else if t.Result != nil {
			result = "generated." + t.Result.Name
		}
		all = append(all, fmt.Sprintf("func (h %s) %s(ctx context.Context, args generated.%s) (%s, error)", receiver, name, t.Args.Name, result))
	}
	return strings.Join(all, " and ")
}

// leftover finds methods that take the arguments of a tool that is gone.
func (h *handlers) leftover(args map[string]bool) []spec.Finding {
	var findings []spec.Finding
	for name, m := range h.methods {
		for _, t := range m.args {
			if strings.HasSuffix(t, "Args") && !args[t] {
				findings = append(findings, spec.Finding{
					Pos:     m.pos,
					Rule:    "handler-leftover",
					Message: fmt.Sprintf("method %s takes generated.%s, which no tool has any more; delete the method, or bring back its tool", name, t),
				})
			}
		}
	}
	return findings
}

// stubsLeft finds the stubs that still wait for a body.
func (h *handlers) stubsLeft(srv *plan.Server) []spec.Finding {
	var findings []spec.Finding
	for _, c := range srv.Categories {
		for _, t := range c.Tools {
			for _, name := range []string{t.GoName, t.Preview} {
				if m := h.methods[name]; m.stub {
					findings = append(findings, spec.Finding{
						Pos:      m.pos,
						Rule:     "handler-stub",
						Severity: spec.Warning,
						Message:  fmt.Sprintf("%s of %s still answers %s; write its body", name, t.Spec.Name, emit.NotImplemented),
					})
				}
			}
		}
	}
	return findings
}

// HandlerRules returns what is found in package handlers, for those who list rules.
func HandlerRules() []spec.Rule {
	return []spec.Rule{
		{ID: "handler-missing", Purpose: "Every tool has its methods in package handlers."},
		{ID: "handler-leftover", Purpose: "No method in package handlers takes the arguments of a tool that is gone."},
		{ID: "handler-stub", Purpose: "Stubs get a body."},
	}
}
