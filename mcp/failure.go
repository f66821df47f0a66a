package mcp

// situation is a reason for which a call is not answered as it wished.
type situation uint8

const (
	unknownTool situation = iota
	badArguments
	denied
	rateLimited
	locked
	unsendable
	unconfirmed
	authMissing
	failed
	unknownResource
	overloaded
	badRequest
	resourceFailed
	badState
	noCapability
	inputRequired
)

// Profile is the vocabulary of failures.
type Profile uint8

const (
	ProfileAuto     Profile = iota // Seed for 2024-11-05 and before initialize, Official otherwise
	ProfileSeed                    // the API standard's error codes
	ProfileOfficial                // the protocol's own shapes, which models can act on
)

var profileNames = [...]string{"auto", "seed", "official"}

// ParseProfile returns the profile that the command line writes as name.
func ParseProfile(name string) (Profile, bool) {
	for i, n := range profileNames {
		if n == name {
			return Profile(i), true
		}
	}
	return 0, false
}

// shape is how a failure looks on the wire: a protocol error with a code, or,
// if the code is 0, a result with isError and the label in front of its text.
type shape struct {
	code  int
	label string
}

// failures is the table of what failures look like, a row for each situation.
// DESIGN 4 has it in words; a test asserts every cell on the wire.
var failures = [...]struct {
	reason         string // machine-readable, in the failure's data
	seed, official shape
}{
	unknownTool:     {"unknown_tool", shape{code: -32601}, shape{code: -32602}},
	badArguments:    {"invalid_argument", shape{code: -32602}, shape{label: "INVALID_ARGUMENT"}},
	denied:          {"approval_denied", shape{code: -32001}, shape{label: "APPROVAL_DENIED"}},
	rateLimited:     {"rate_limited", shape{code: -32002}, shape{label: "RATE_LIMITED"}},
	locked:          {"workspace_locked", shape{code: -32003}, shape{label: "WORKSPACE_LOCKED"}},
	unsendable:      {"unsendable_result", shape{code: -32000}, shape{label: "INTERNAL"}},
	unconfirmed:     {"confirm_required", shape{label: "CONFIRM_REQUIRED"}, shape{label: "CONFIRM_REQUIRED"}},
	authMissing:     {"auth_missing", shape{label: "AUTH_MISSING"}, shape{label: "AUTH_MISSING"}},
	failed:          {"tool_failed", shape{}, shape{}}, // the label is the handler's own code
	unknownResource: {"unknown_resource", shape{code: -32602}, shape{code: -32602}},
	overloaded:      {"overloaded", shape{code: -32000}, shape{label: "OVERLOADED"}},
	badRequest:      {"invalid_params", shape{code: -32602}, shape{code: -32602}},
	resourceFailed:  {"resource_failed", shape{code: -32603}, shape{code: -32603}},
	badState:        {"request_state", shape{code: -32602}, shape{code: -32602}},
	noCapability:    {"capability_missing", shape{}, shape{}}, // a modern client gets codeCapability
	inputRequired:   {"input_required", shape{}, shape{}},     // see encodeQuestion
}

// shapeOf returns the cell of the table for a peer that speaks a revision.
func shapeOf(s situation, p Profile, r Revision) shape {
	if s == noCapability && r.Modern() {
		return shape{code: codeCapability}
	}
	seed := p == ProfileSeed || p == ProfileAuto && r <= Revision20241105
	if seed && !r.Modern() { // modern requests never see -32000 to -32019
		return failures[s].seed
	}
	return failures[s].official
}

// failure is one situation with what there is to say about it.
type failure struct {
	situation situation
	label     string // of failed: the handler's code
	text      string // for the model: what went wrong, and what to do
	extra     func(*Encoder)
}

// encodeData writes the object that a protocol error has as data, and an
// isError result in its _meta.
func (f *failure) encodeData(e *Encoder, tool string) {
	e.Begin('{')
	e.field("tool", tool)
	e.Key("reason")
	e.Text(failures[f.situation].reason)
	e.Key("details")
	e.Text(f.text)
	if f.extra != nil {
		f.extra(e)
	}
	e.End('}')
}

// encodeFailure writes the failure as the members of an answer that follow its id.
func (c *Call) encodeFailure(e *Encoder, f *failure) {
	tool, s := c.tool.spec.Name, c.shape(f.situation)
	if s.code != 0 {
		e.Key("error")
		e.Begin('{')
		e.Key("code")
		e.Int(int64(s.code), minInt, maxInt)
		e.Key("message")
		e.Text(f.text)
		e.Key("data")
		f.encodeData(e, tool)
		e.End('}')
		return
	}
	label := s.label
	if f.label != "" {
		label = f.label
	}
	e.Key("result")
	e.Begin('{')
	if c.peer.revision.Modern() {
		e.resultType("complete")
	}
	e.Key("content")
	e.Begin('[')
	Text("[" + label + "] " + f.text).encodeItem(e)
	e.End(']')
	e.Key("isError")
	e.Bool(true)
	c.encodeMeta(e, func(e *Encoder) {
		e.Key("dev.teaagent/error")
		f.encodeData(e, tool)
	})
	e.End('}')
}
