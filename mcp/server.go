package mcp

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/ratelimit"
	"github.com/teaagent/teaagent/mcp/internal/ticket"
	"github.com/teaagent/teaagent/mcp/policy"
)

// server is a Server with its handlers, without their type.
type server struct {
	info      Info
	tools     []tool
	byName    map[string]*tool
	resources Resources // nil if the handlers serve none
	root      *Workspace
	mode      policy.Mode
	profile   Profile
	getenv    func(string) string
	log       *slog.Logger
	secrets   *Secrets
	state     *state
	tickets   *ticket.Issuer
	identity  string       // source text of the Implementation that modern results name
	calls     atomic.Int64 // that may change something, so far

	approvalTimeout time.Duration

	list func() ([]byte, error) // the members of tools/list's result, rendered at the first use
}

// tool is a spec with the way to its body.
type tool struct {
	spec  *Spec
	call  func(*Call, int)
	index int // of the spec in its category
	calls ratelimit.Log

	method bool // of resources: it fails by protocol errors alone
}

func (t *tool) timeout() time.Duration {
	if t.spec.Timeout > 0 {
		return t.spec.Timeout
	}
	return DefaultTimeout
}

// newServer binds the categories to the handlers.
func newServer[H any](s *Server[H], h H, o Options) (*server, error) {
	if err := checkGroups(s, o.Select.Groups); err != nil {
		return nil, err
	}
	state, err := openState(&s.Info, o)
	if err != nil {
		return nil, err
	}
	n := 0
	for i := range s.Categories {
		n += len(s.Categories[i].Specs)
	}
	srv := &server{
		info:    s.Info,
		tools:   make([]tool, 0, n),
		byName:  make(map[string]*tool, n),
		root:    o.Root,
		mode:    o.Mode,
		profile: o.Profile,
		getenv:  o.Getenv,
		log:     o.Log,
		secrets: o.Secrets,
		state:   state,
		tickets: ticket.New(),

		approvalTimeout: o.ApprovalTimeout,
	}
	var e Encoder
	srv.info.encodeInfo(&e, Revision20250618) // its description is in discover's answer
	srv.identity = string(e.buf)
	if srv.resources, err = resourcesOf(&s.Info, h); err != nil {
		return nil, err
	}
	bundles := make([]bundle, len(s.Categories))
	for i := range s.Categories {
		category := &s.Categories[i]
		bundles[i] = bundle{category.Schemas, category.Specs, func(spec *Spec) bool { return o.Select.serves(category.Name, spec) }}
		call := func(c *Call, tool int) { category.Call(c, h, tool) }
		for j := range category.Specs {
			if !bundles[i].serves(&category.Specs[j]) {
				continue
			}
			srv.tools = append(srv.tools, tool{spec: &category.Specs[j], call: call, index: j})
			t := &srv.tools[len(srv.tools)-1]
			srv.byName[t.spec.Name] = t
		}
	}
	if srv.usesWorkspace() && state.home != nil {
		if err := apart(state.home.Dir(), o.Root.Dir()); err != nil {
			return nil, err
		}
		if err := state.openTemps(); err != nil {
			srv.log.Warn("temporary files of a server that was killed may be left", "error", err)
		}
		root := *srv.root
		root.temps = state.temps
		srv.root = &root
	}
	srv.list = sync.OnceValues(func() ([]byte, error) { return renderList(bundles) })
	return srv, nil
}

// bundle is a category's part of tools/list.
type bundle struct {
	schemas *string
	specs   []Spec
	serves  func(*Spec) bool
}

// renderList puts tools/list together from a fragment per tool.
func renderList(bundles []bundle) ([]byte, error) {
	// A fragment is its schemas and less than a kilobyte: growing the list step
	// by step would take twice its memory, and most of the time.
	size := 64
	for _, part := range bundles {
		size += len(*part.schemas) + 1024*len(part.specs)
	}
	b := append(make([]byte, 0, size), `"tools":[`...)
	first := true
	for _, part := range bundles {
		inputs, outputs, err := splitBundle(*part.schemas, part.specs)
		if err != nil {
			return nil, err
		}
		for i := range part.specs {
			if !part.serves(&part.specs[i]) {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			b = part.specs[i].AppendWire(b, inputs[i], outputs[i])
		}
	}
	return append(b, ']'), nil
}

// usesWorkspace reports whether there is a workspace and some tool looks at it.
func (s *server) usesWorkspace() bool {
	for i := range s.tools {
		if s.tools[i].spec.Workspace != AccessNone {
			return s.root != nil
		}
	}
	return false
}
