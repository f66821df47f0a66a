package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/approval"
	"github.com/teaagent/teaagent/mcp/internal/lex"
	"github.com/teaagent/teaagent/mcp/internal/sandbox"
	"github.com/teaagent/teaagent/mcp/policy"
)

// DefaultApprovalTimeout is how long a person has to answer.
const DefaultApprovalTimeout = 60 * time.Second

// sessionLife bounds what "this session" allows: a modern client has no session,
// and a server may run for weeks.
const sessionLife = 8 * time.Hour

const (
	maxShown   = 4 << 10 // bytes of arguments, and of a preview, that a person is shown
	maxPreview = 10 * time.Second
)

// judge decides about the call as it stands. The rule of a failure to read the
// grants is to refuse: a denial may be among them.
func (c *Call) judge(fresh bool, decide func(policy.Tool, policy.Call, []policy.Grant, time.Time) policy.Decision) *failure {
	grants, err := c.srv.state.grants(fresh)
	if err != nil {
		c.decision = policy.Decision{Rule: "store:approvals"}
		return c.refusal("no call is allowed while the approvals can't be read: "+err.Error(), nil)
	}
	spec := c.tool.spec
	call := policy.Call{Unconfined: c.dec.commands != nil && !sandbox.Confines()}
	var now time.Time
	if len(grants) > 0 { // to nothing else do they matter
		now = time.Now()
		call.Digest = c.digest
		call.Commands = c.dec.commands
		for _, name := range c.dec.paths {
			call.Paths = append(call.Paths, c.srv.root.pathOf(name))
		}
	}
	c.grants = grants
	c.decision = decide(policy.Tool{
		Name: spec.Name, Tier: uint8(spec.Tier), ReadOnly: spec.ReadOnly, Destructive: spec.Destructive,
	}, call, grants, now)
	if c.decision.Verdict != policy.Denied {
		return nil
	}
	if g := c.decision.Grant; g != nil {
		text := fmt.Sprintf("%s is denied by an operator's rule (%s)", spec.Name, c.decision.Rule)
		if g.Note != "" {
			text += ": " + g.Note
		}
		return c.refusal(text+".", nil)
	}
	return c.refusal(fmt.Sprintf("%s is not allowed in permission mode %s. Restart the server with another --permission-mode to let it run.", spec.Name, c.srv.mode), nil)
}

func (c *Call) judgeRun(fresh bool) *failure {
	return c.judge(fresh, func(t policy.Tool, call policy.Call, grants []policy.Grant, now time.Time) policy.Decision {
		return policy.Judge(c.srv.mode, t, call, grants, now)
	})
}

// checkPolicy fails what the permission mode, or an operator, does not allow.
func (c *Call) checkPolicy() *failure { return c.judgeRun(c.fresh) }

// checkDenied fails a preview that an operator denies. Modes do not matter to
// it: it changes nothing.
func (c *Call) checkDenied() *failure {
	return c.judge(c.fresh, func(t policy.Tool, call policy.Call, grants []policy.Grant, now time.Time) policy.Decision {
		if d, denied := policy.Deny(t, call, grants, now); denied {
			return d
		}
		return policy.Decision{Verdict: policy.Allowed, Rule: "preview"}
	})
}

// findGrant lets a call pass for which there is a grant, or asks a person where
// the mode says so. What was decided before the wait is decided again after it.
func (c *Call) findGrant() *failure {
	if c.decision.Verdict == policy.Allowed {
		return nil
	}
	rule := c.decision.Rule
	if before := c.admittedBefore(); before != "" { // the policy was looked at again since
		c.decision, c.approval = policy.Decision{Verdict: policy.Allowed, Rule: rule}, before
		return nil
	}
	if c.decision.Verdict == policy.NeedsGrant || !c.peer.elicitation {
		return c.pend("")
	}
	var scope, no string
	switch in := c.input; {
	case in != nil && in.late:
		no = askTimedOut
	case in != nil && in.approval != nil:
		scope, no = readApproval(in.approval)
	case c.peer.revision.Modern():
		return c.putApproval()
	default:
		scope, no = c.askPerson()
	}
	if no != "" {
		if no == askTimedOut {
			return c.pend(fmt.Sprintf("Nobody answered within %s. ", c.srv.approvalTimeout))
		}
		return c.refusal(fmt.Sprintf("%s needs approval in permission mode %s, and the user did not give it: %s. Do not try again unless the user asks for it.", c.tool.spec.Name, c.srv.mode, no), func(e *Encoder) {
			e.Key("answer")
			e.Text(no)
		})
	}
	if refused := c.judgeRun(true); refused != nil {
		return refused
	}
	if scope == "session" {
		c.srv.state.allowSession(c.sessionGrant())
	}
	c.decision = policy.Decision{Verdict: policy.Allowed, Rule: rule, Grant: nil}
	c.approval = scope
	return nil
}

// sessionGrant is what "this session" allows: the tool, wherever its paths lead
// inside the workspace. Of a command it allows that very call: what follows the
// first words may be anything.
func (c *Call) sessionGrant() policy.Grant {
	g := policy.Grant{Tool: c.tool.spec.Name, Expires: time.Now().Add(sessionLife)}
	if c.dec.commands != nil {
		g.Digest = c.digest()
	} else if c.dec.paths != nil {
		g.Paths = []string{"**"}
	}
	return g
}

// pend refuses a call that nobody could be asked about, and leaves it to an
// operator. The answer says how he would approve exactly this call.
func (c *Call) pend(why string) *failure {
	digest := c.digest()
	spec := c.tool.spec
	text := fmt.Sprintf("%s needs approval in permission mode %s (rule %s). %s", spec.Name, c.srv.mode, c.decision.Rule, why)
	if c.srv.state.book == nil {
		return c.refusal(text+"The server keeps no approvals: start it with --permission-mode allow, or use a client that can ask its user.", nil)
	}
	command := c.srv.info.Name + " mcp approvals approve " + digest
	if c.srv.root != nil {
		command += " --root " + shellQuote(c.srv.root.Dir())
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := c.srv.state.book.Pend(ctx, approval.Pending{
		Tool: spec.Name, Digest: digest, Rule: c.decision.Rule, Arguments: c.shownArguments(maxShown), First: time.Now(),
	})
	if err != nil {
		c.srv.log.Error("record a call that waits for approval", "tool", spec.Name, "err", err)
		text += "It could not be put on the list of pending calls (the server's log says why). "
	}
	text += "An operator approves exactly this call, once, by running:\n  " + command + "\nThen send the same call again."
	if c.guard == guardPreview {
		text += " dry_run=true shows what it would do, without approval."
	}
	return c.refusal(text, func(e *Encoder) {
		e.Key("digest")
		e.Text(digest)
		e.Key("command")
		e.Text(command)
		e.Key("pending")
		e.Bool(err == nil)
	})
}

// refusal is a denial by the rule of the call's decision.
func (c *Call) refusal(text string, extra func(*Encoder)) *failure {
	rule := c.decision.Rule
	return &failure{situation: denied, text: text, extra: func(e *Encoder) {
		e.Key("rule")
		e.Text(rule)
		if extra != nil {
			extra(e)
		}
	}}
}

// spendGrant takes one use of the grant that let the call pass, before the body
// runs: whatever happens then, it can't be used again.
func (c *Call) spendGrant() *failure {
	g := c.decision.Grant
	if g == nil || g.ID == sessionID || c.admittedBefore() != "" {
		return nil
	}
	err := c.srv.state.book.Spend(c.Context(), g)
	if err == nil {
		return nil
	}
	if errors.Is(err, approval.ErrSpent) {
		return c.refusal(fmt.Sprintf("the approval of this call of %s was used, or withdrawn, just now; it needs another one.", c.tool.spec.Name), nil)
	}
	return c.refusal("the approval could not be taken: "+err.Error(), nil)
}

const askTimedOut = "no answer in time"

// askPerson asks the user of the client whether the call may run. Anything but
// a clear yes is a no, which says what came instead.
func (c *Call) askPerson() (scope, no string) {
	c.hold()
	defer c.release()
	ctx, cancel := context.WithTimeout(c.Context(), c.srv.approvalTimeout)
	defer cancel()
	answer, err := c.conn.request(ctx, "elicitation/create", c.approvalParams(ctx))
	switch {
	case c.ended() != nil:
		return "", "the call was cancelled"
	case ctx.Err() != nil:
		return "", askTimedOut
	case err != nil:
		return "", "the client answered with an error"
	}
	return readApproval(answer)
}

// putApproval ends a modern call with the question whether it may run.
func (c *Call) putApproval() *failure {
	if !c.put(question{approvalKey, c.approvalParams(c.Context()), c.srv.approvalTimeout}) {
		return c.refusal("the call was cancelled", nil)
	}
	return inputNeeded(c.input.question)
}

func (c *Call) approvalParams(ctx context.Context) []byte {
	form := approvalForm
	if c.peer.revision < Revision20251125 {
		form = approvalFormBefore
	}
	return elicitation(c.describe(ctx), []byte(form))
}

// Revision 2025-11-25 has a way of its own to name the members of an enum.
const (
	approvalForm       = approvalStart + `"oneOf":[{"const":"once","title":"once"},{"const":"session","title":"this session"}]` + approvalEnd
	approvalFormBefore = approvalStart + `"enum":["once","session"],"enumNames":["once","this session"]` + approvalEnd
)

const (
	approvalStart = `{"type":"object","properties":{` +
		`"approve":{"type":"boolean","title":"Let it run","description":"Yes lets the call run. Anything else stops it."},` +
		`"scope":{"type":"string","title":"For how long",`
	approvalEnd = `,"default":"once","description":"once: this call. session: further calls of this tool too, until the server ends, for 8 hours at most."}},` +
		`"required":["approve"]}`
)

// readApproval reads the answer to an approval's form to the letter.
func readApproval(answer []byte) (scope, no string) {
	if len(answer) == 0 {
		return "", "the answer is empty"
	}
	action, content := readAnswer(answer)
	switch {
	case action == "decline":
		return "", "declined"
	case action == "cancel":
		return "", "dismissed"
	case action != "accept" || content == nil:
		return "", "the answer is no clear yes"
	}
	scope = "once"
	approved, foreign := false, false
	members(content, func(key []byte, l *lex.Lexer) {
		switch kind := l.Kind(); {
		case string(key) == "approve" && (kind == 't' || kind == 'f'):
			approved = l.Bool()
		case string(key) == "scope" && kind == '"':
			scope = string(l.String())
		default:
			foreign = true
			l.Skip()
		}
	})
	switch {
	case foreign, scope != "once" && scope != "session":
		return "", "the answer is no clear yes"
	case !approved:
		return "", "declined"
	}
	return scope, ""
}

// describe is what a person reads before the decision.
func (c *Call) describe(ctx context.Context) string {
	spec := c.tool.spec
	var b strings.Builder
	fmt.Fprintf(&b, "May %s run?\n\n%s\n\nEffect: %s\n", spec.Name, spec.Description, effect(spec))
	if c.srv.root != nil && spec.Workspace != AccessNone {
		fmt.Fprintf(&b, "Workspace: %s\n", c.srv.root.Dir())
	}
	fmt.Fprintf(&b, "Arguments: %s\n", c.shownArguments(maxShown))
	if c.guard == guardPreview {
		fmt.Fprintf(&b, "\nWhat it would do:\n%s\n", c.srv.secrets.head(c.foresee(ctx), maxShown))
	}
	fmt.Fprintf(&b, "\nDigest: %s", c.digest())
	return c.srv.secrets.Mask(b.String())
}

// effect says in a few words what a tool may do.
func effect(s *Spec) string {
	var parts []string
	switch s.Tier {
	case TierCritical:
		parts = append(parts, "irreversible, or reaches production")
	case TierHigh:
		parts = append(parts, "reaches beyond the workspace, or runs commands")
	case TierMedium:
		parts = append(parts, "writes in the workspace")
	default:
		parts = append(parts, "reads")
	}
	if s.Destructive {
		parts = append(parts, "may destroy what is there")
	}
	return fmt.Sprintf("%s (tier %s)", strings.Join(parts, "; "), s.Tier)
}

// foresee runs the call's preview, for a person to read.
func (c *Call) foresee(ctx context.Context) string {
	p := &Call{srv: c.srv, conn: c.conn, tool: c.tool, peer: c.peer, args: c.args, dec: new(Decoder), foreseeing: true}
	defer context.AfterFunc(ctx, func() { p.end(context.Canceled) })()
	timer := time.AfterFunc(maxPreview, func() { p.end(context.DeadlineExceeded) })
	defer timer.Stop()
	p.invoke()
	p.end(context.Canceled)
	switch {
	case p.fail != nil:
		return "(The preview failed: " + p.fail.text + ")"
	case p.preview == nil:
		return "(There is no preview.)"
	}
	return p.preview.text()
}

// digest is what an operator approves: of the call's canonical JSON.
func (c *Call) digest() string {
	if c.sum == "" {
		c.sum = policy.Digest(policy.Canonical(c.tool.spec.Name, c.args, false))
	}
	return c.sum
}

// shownArguments is the arguments' source text without secrets, cut to max bytes.
func (c *Call) shownArguments(max int) string {
	args := c.args
	if len(c.dec.hidden) > 0 {
		var b []byte
		from := 0
		for _, span := range c.dec.hidden {
			b = append(b, args[from:span[0]]...)
			b = append(b, `"[redacted]"`...)
			from = span[1]
		}
		args = append(b, args[from:]...)
	}
	return c.srv.secrets.head(string(args), max)
}

func shellQuote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:@,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
