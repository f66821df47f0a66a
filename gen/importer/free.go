package importer

import (
	"regexp"
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// freeArgs reads args that are described and not specified: a mapping of names,
// a list of names, or a text that lists them. Every type but those that are
// stated is a guess.
func (c *converter) freeArgs(free, out *spec.Tree) *spec.Tree {
	args := spec.Mapping()
	switch free.Kind {
	case '{':
		for i, name := range free.Keys {
			value := free.Items[i]
			switch {
			case value.Is('{') && (value.Get("type") != nil || value.Get("enum") != nil):
				args.Set(name, c.named(value, "/args/"+escapePointer(name), value.Get("required").Is('t'), false))
			case value.Is('{'):
				c.guess(args, name, firstText(value.Get("description")))
			case value.Is('"'):
				c.guess(args, name, value.Text)
			default:
				c.guess(args, name, "")
			}
		}
	case '[':
		for _, item := range free.Items {
			switch {
			case item.Is('{') && item.Get("name").Is('"'):
				name := item.Get("name").Text
				if item.Get("type") != nil || item.Get("schema") != nil {
					rest := item.Without("name")
					args.Set(name, c.named(rest, "/args/"+escapePointer(name), item.Get("required").Is('t'), false))
				} else {
					c.guess(args, name, firstText(item.Get("description")))
				}
			case item.Is('"'):
				c.freeArg(args, item.Text)
			default:
				c.lost("/args", "an arg without a name: %s", item.JSON())
			}
		}
	case '"':
		if text := strings.TrimSpace(free.Text); text != "" && !strings.EqualFold(text, "none") && text != "-" {
			for part := range strings.SplitSeq(text, ",") {
				if !argText.MatchString(strings.TrimSpace(part)) { // a sentence, then
					c.lost("/args", "the args are described in words that name none; they stand under usage")
					out.Set("usage", spec.Text("Arguments: "+text).Commented("decide: write args"))
					return spec.Mapping()
				}
			}
			for part := range strings.SplitSeq(text, ",") {
				c.freeArg(args, part)
			}
		}
	case 'n':
	default:
		c.lost("/args", "args are neither a mapping, a list nor a text")
	}
	return args
}

// argText is a name in brackets or not, perhaps optional, then what describes it.
var argText = regexp.MustCompile(`^(<?\[?)([A-Za-z_][A-Za-z0-9_.-]*)(\??)[>\]]*(\?)?\s*(?:\(([^()]*)\)|[:=-]+\s*(.*))?$`)

func (c *converter) freeArg(args *spec.Tree, text string) {
	m := argText.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		c.lost("/args", "%q names no arg", text)
		return
	}
	c.guess(args, m[2], strings.TrimSpace(m[5]+m[6]))
}

// guess writes an arg of which only the name and a text are known.
func (c *converter) guess(args *spec.Tree, name, text string) {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' })
	kind, stated := "string", false
	for _, w := range words[:min(len(words), 3)] {
		if k := map[string]string{"string": "string", "str": "string", "text": "string", "number": "number", "float": "number", "int": "integer", "integer": "integer", "boolean": "boolean", "bool": "boolean"}[w]; k != "" && !stated {
			kind, stated = k, true
		}
	}
	s := spec.Mapping()
	s.Set("type", spec.Text(kind).Commented("decide: its type, and whether it is required"))
	if text != "" {
		s.Set("description", spec.Text(text))
	}
	c.note(Decide, "/args/"+escapePointer(name), "the arg is described in words; it is an optional %s here", kind)
	args.Set(name, s)
}
