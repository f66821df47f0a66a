package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// instructs matches what a text has no business to say: orders about other
// tools, about what a model was told, or about what a person gets to know.
var instructs = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`\b(ignore|disregard|forget|override) (all |any |the |your |other |every )*(previous|prior|earlier|above|existing|other|system) (\w+ )?(instructions?|prompts?|rules|messages?|tools?|guidelines)\b`,
	`\b(do not|don't|never|without) (ever )?(tell|telling|inform|informing|mention|mentioning|reveal|revealing|show|showing|notify|notifying|alert|alerting)( (this|it|that|anything))?( to)? (the )?(user|human|person|operator)\b`,
	`\b(hide|conceal|keep) (this|it|that|these|the \w+) (secret )?from (the )?(user|human|person|operator)\b`,
	`\b(before|after|when|whenever) (you )?(use|using|call|calling|invoke|invoking|run|running) (any|every|all|another|other|each)( other| of the)? tools?\b`,
	`\b(instead of|rather than|never (use|call)|do not (use|call)|don't (use|call)) (any |all |the )?other tools?\b`,
	`\b(always|must) (be )?(use|call|invoke|run|used|called|invoked)( this tool)? (first|before (any|every|all|other|anything))\b`,
	`</?(important|system|instructions?|secret|hidden|admin)>`,
	`\bsystem prompt\b`,
	`\b(you are now|pretend (to be|that you)|act as (if|though) you)\b`,
}, "|"))

// Without one of these words a text matches nothing of instructs; most have none.
var suspects = strings.Fields("instruction prompt rules message guideline tool user human person operator first before < pretend you act")

func suspect(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(suspects, func(word string) bool { return strings.Contains(text, word) })
}

// texts calls visit with every text that models get to read.
func texts(set *spec.Set, visit func(*spec.Tool, spec.Value[string])) {
	visit(nil, set.Server.Description)
	visit(nil, set.Server.Instructions)
	for _, t := range set.Tools {
		visit(t, t.Title)
		visit(t, t.Description)
		visit(t, t.Usage)
		check := func(s *spec.Schema) { visit(t, s.Description) }
		walkNamed(t.Args, check)
		walkNamed(t.Result, check)
	}
}

func textInstructs(c *Context) {
	texts(c.Set, func(_ *spec.Tool, v spec.Value[string]) {
		if !suspect(v.V) {
			return
		}
		if words := instructs.FindString(v.V); words != "" {
			c.ReportPart(v, words, "%q instructs the model beyond this tool; say what the tool does", words)
		}
	})
}

func textTools(c *Context) {
	prefix := c.Set.Server.Prefix.V
	if prefix == "" {
		return
	}
	names := make(map[string]bool, len(c.Set.Tools))
	var all []string
	advised := 0
	for _, t := range c.Set.Tools {
		names[t.Name.V] = true
		all = append(all, t.Name.V)
	}
	isVariable := func(word string) bool {
		return slices.ContainsFunc(c.Set.Server.Env, func(v *spec.EnvVar) bool { return v.Name.V == word })
	}
	texts(c.Set, func(t *spec.Tool, v spec.Value[string]) {
		if !strings.Contains(v.V, prefix+"_") {
			return
		}
		for word := range strings.FieldsFuncSeq(v.V, func(r rune) bool { return r != '_' && notNamed(r) }) {
			if !strings.HasPrefix(word, prefix+"_") || len(word) == len(prefix)+1 || names[word] || isVariable(word) || isArg(t, word) {
				continue
			}
			near := ""
			if advised++; advised <= 100 { // looking for the nearest of many takes long
				near = spec.Nearest(word, all)
			}
			if near != "" {
				c.ReportPart(v, word, "there is no tool %q; write %q", word, near)
			} else {
				c.ReportPart(v, word, "there is no tool %q; a model would try to call it", word)
			}
		}
	})
}

func notNamed(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
}

func isArg(t *spec.Tool, word string) bool {
	found := false
	if t != nil {
		check := func(s *spec.Schema) { found = found || s.Name.V == word }
		walkNamed(t.Args, check)
		walkNamed(t.Result, check)
	}
	return found
}

// Verbs that leave no doubt about what they do.
var (
	losing  = strings.Fields("delete destroy drop erase kill prune purge remove terminate truncate uninstall unlink wipe")
	looking = strings.Fields("check count describe diff fetch find get grep inspect list look lookup peek ping preview print query read search show stat tail view watch")
)

// toolVerb returns the verb that a tool's name starts with, in lower case.
func toolVerb(c *Context, t *spec.Tool) string {
	words := nameWords(base(t.Name.V, c.Set.Server.Prefix.V))
	if len(words) == 0 {
		return ""
	}
	return strings.ToLower(words[0])
}

func flagsVerb(c *Context, t *spec.Tool) {
	switch verb := toolVerb(c, t); {
	case t.ReadOnly.V && t.Destructive.V: // another rule's
	case t.ReadOnly.V && slices.Contains(losing, verb):
		c.Report(t.ReadOnly.Pos, "a tool that starts with %q is not readOnly; remove readOnly, or rename the tool", verb)
	case t.Destructive.V && slices.Contains(looking, verb):
		c.Report(at(t.Destructive, t.Name.Pos), "a tool that starts with %q is not destructive; remove destructive, or rename the tool", verb)
	}
}

func flagsLosing(c *Context, t *spec.Tool) {
	if verb := toolVerb(c, t); !t.Destructive.V && !t.ReadOnly.V && slices.Contains(losing, verb) {
		c.Report(t.Name.Pos, "a tool that starts with %q is destructive, it seems; add destructive: true", verb)
	}
}
