package spec

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/teaagent/teaagent/mcp"
)

var goNameShape = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// tierNames lists the tiers as specs write them.
var tierNames = func() (names []string) {
	for t := mcp.TierLow; t <= mcp.TierCritical; t++ {
		names = append(names, t.String())
	}
	return names
}()

// toolFile reads a file of one category's tools.
func (r *reader) toolFile(n *node) {
	f := r.fields(n, "a file of tools")
	if f == nil {
		return
	}
	category := f.text("category")
	f.list("tools", "a list of tools, each starting with \"- name:\"", func(n *node) { r.tool(n, category) })
	f.need("tools", `add "tools:" with a list of tools`)
	r.sharedTypes(f)
	f.close("lint")
}

func (r *reader) tool(n *node, category Value[string]) {
	t := &Tool{Pos: n.pos}
	what := "the tool"
	for _, p := range n.pairs {
		if p.key.text == "name" && p.value.kind == textKind {
			what = "tool " + quote(p.value.text)
		}
	}
	f := r.fields(n, what)
	if f == nil {
		return
	}
	r.set.Tools = append(r.set.Tools, t)

	t.Name = f.text("name")
	f.need("name", "add name: <prefix>_<verbNoun>")
	t.Title = f.text("title")
	t.Description = f.text("description")
	t.Usage = f.text("usage")
	if t.Category = f.text("category"); !f.has("category") {
		t.Category = category
	}
	if t.Category.V == "" && !t.Category.Set() && !f.has("category") {
		r.fault(ruleMissing, t.Pos, "%s has no category, nor has its file; add category: to the file", what)
	}
	t.Destructive = f.flag("destructive", false)
	t.RequiresConfirm = f.flag("requiresConfirm", t.Destructive.V)
	t.ReadOnly = f.flag("readOnly", false)
	t.Idempotent = f.flag("idempotent", false)
	t.Stateful = f.flag("stateful", false)
	t.OpenWorld = f.flag("openWorld", true)
	t.Tier = f.oneOf("tier", defaultTier(t).String(), tierNames...)
	t.Workspace = f.oneOf("workspace", mcp.AccessNone.String(), mcp.AccessNone.String(), mcp.AccessRead.String(), mcp.AccessWrite.String())
	r.auth(t, f)
	t.RateLimit = r.rateLimit(f)
	t.TimeoutSeconds = f.count("timeoutSeconds", 1, 0)
	f.mapping("args", "a mapping of args, such as {path: {type: string}}", func(name Value[string], n *node) {
		t.Args = append(t.Args, r.schema(n, name, where{noun: "arg", path: name.V}))
	})
	if result := f.get("result"); result != nil {
		t.ResultPos = result.pos
		t.Result = []*Schema{}
		f.mapping("result", "a mapping of fields, such as {count: {type: integer}}", func(name Value[string], n *node) {
			t.Result = append(t.Result, r.schema(n, name, where{noun: "result field", path: name.V, result: true}))
		})
	}
	f.list("examples", "a list of examples, each starting with \"- does:\"", func(n *node) { r.example(t, n) })
	t.GoName = f.text("goName")
	t.Lint = r.lint(f, false)
	r.shape(t.GoName, goNameShape, "goName", "letters and digits, the first an upper-case letter, such as ReadFile")
	t.Deprecated = r.deprecated(f)
	f.close()
}

// defaultTier is the tier of a tool that states none.
func defaultTier(t *Tool) mcp.Tier {
	switch {
	case t.Destructive.V:
		return mcp.TierHigh
	case t.ReadOnly.V:
		return mcp.TierLow
	}
	return mcp.TierMedium
}

func (r *reader) auth(t *Tool, f *fields) {
	const wanted = "a list of variables, such as [DOCKER_HOST], or none"
	n := f.get("auth")
	if n == nil {
		return
	}
	t.AuthPos = n.pos
	if n.kind == textKind {
		if t.AuthNone = n.text == "none"; !t.AuthNone {
			r.misread(ruleType, n.pos, "auth wants a list of variables, or none; write [%s]", visible(n.text))
		}
		return
	}
	seen := make(map[string]bool)
	f.list("auth", wanted, func(n *node) {
		name := Value[string]{r.text(n, "a variable in auth"), n.pos}
		switch {
		case name.V == "none":
			r.misread(ruleValue, n.pos, "none stands alone; write auth: none")
		case seen[name.V]:
			r.misread(ruleValue, n.pos, "auth names %s twice; remove one", quote(name.V))
		default:
			seen[name.V] = true
			t.Auth = append(t.Auth, name)
		}
	})
}

func (r *reader) rateLimit(f *fields) *RateLimit {
	n := f.get("rateLimit")
	if n == nil {
		return nil
	}
	f = r.fields(n, "rateLimit")
	if f == nil {
		return nil
	}
	l := &RateLimit{Pos: n.pos}
	l.MaxCalls = f.count("maxCalls", 1, 1)
	f.need("maxCalls", "add how many calls a window allows")
	l.WindowSeconds = f.count("windowSeconds", 1, 1)
	f.need("windowSeconds", "add the length of a window")
	f.close()
	return l
}

func (r *reader) example(t *Tool, n *node) {
	f := r.fields(n, "an example")
	if f == nil {
		return
	}
	e := &Example{Pos: n.pos, Args: Value[Literal]{V: "{}"}}
	t.Examples = append(t.Examples, e)
	e.Does = f.text("does")
	f.need("does", "add what the call does, as in: does: deletes a file")
	f.mapping("files", "a mapping of files, such as {notes/a.txt: its text}", func(name Value[string], n *node) {
		e.Files = append(e.Files, NamedText{name, Value[string]{r.text(n, "a file"), n.pos}})
	})
	if args := f.get("args"); args != nil {
		if args.kind == mappingKind {
			e.Args = r.literal(args)
			r.allowsMapping(&Schema{Properties: callArgs(t)}, args, "args", ruleValue)
		} else {
			r.wants(args, "args", "a mapping of arguments")
		}
	}
	if returns := f.get("returns"); returns != nil {
		e.Returns = r.literal(returns)
	}
	f.list("needs", "a list of variables, such as [DOCKER_HOST]", func(n *node) {
		e.Needs = append(e.Needs, Value[string]{r.text(n, "a variable in needs"), n.pos})
	})
	f.close()
}

// callArgs are the args of a call: the declared ones, and those of the guards.
func callArgs(t *Tool) []*Schema {
	guard := func(name string) *Schema {
		return &Schema{Name: Value[string]{V: name}, Type: Value[string]{V: "boolean"}}
	}
	args := slices.Clip(t.Args)
	if t.RequiresConfirm.V {
		args = append(args, guard("confirm"))
	}
	if t.Destructive.V {
		args = append(args, guard("dry_run"))
	}
	return args
}

// deriveTitle makes "Read file" of teaagent_readFile, and "Get URL" of x_getURL.
func deriveTitle(name, prefix string) string {
	base, ok := strings.CutPrefix(name, prefix+"_")
	if !ok {
		if _, after, found := strings.Cut(name, "_"); found {
			base = after
		}
	}
	var words []string
	runes := []rune(base)
	for start, i := 0, 1; i <= len(runes); i++ {
		if i < len(runes) && !startsWord(runes, i) {
			continue
		}
		if word := strings.Trim(string(runes[start:i]), "_-. "); word != "" {
			words = append(words, word)
		}
		start = i
	}
	for i, word := range words {
		lower := strings.ToLower(word)
		switch {
		case word == strings.ToUpper(word) && len(word) > 1: // an acronym
		case i == 0:
			words[i] = strings.ToUpper(lower[:1]) + lower[1:]
		default:
			words[i] = lower
		}
	}
	return strings.Join(words, " ")
}

// startsWord reports whether a new word starts at i > 0: after a separator, at
// an upper-case letter after a lower-case one, and at the last upper-case
// letter of several before a lower-case one ("URLList").
func startsWord(runes []rune, i int) bool {
	before, r := runes[i-1], runes[i]
	switch {
	case strings.ContainsRune("_-.", r):
		return true
	case !unicode.IsUpper(r):
		return false
	case !unicode.IsUpper(before):
		return true
	}
	return i+1 < len(runes) && unicode.IsLower(runes[i+1])
}
