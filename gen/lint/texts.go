package lint

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/teaagent/teaagent/gen/spec"
)

// textHidden looks at the files as they stand, comments and examples included,
// and at the texts that clients get, where a hidden character may come from an
// escape. Examples' data may hold anything that is written visibly.
func textHidden(c *Context) {
	for name, text := range c.Set.Files() {
		hiddenInFile(c, name, text)
	}
	s := &c.Set.Server
	hiddenInText(c, s.Name, s.Prefix, s.Version, s.Title, s.Description, s.Instructions, s.Readme)
	for _, v := range s.Env {
		hiddenInText(c, v.Name, v.Description)
	}
	for _, v := range s.Categories {
		hiddenInText(c, v.Name, v.Description)
	}
	if s.Resources != nil {
		for _, t := range s.Resources.Templates {
			hiddenInText(c, t.URITemplate, t.Name, t.Title, t.Description, t.MIMEType)
		}
	}
	hiddenInSchemas(c, c.Set.Types)
	for _, t := range c.Set.Tools {
		hiddenInText(c, t.Name, t.Title, t.Description, t.Usage, t.Category)
		for _, e := range t.Examples {
			hiddenInText(c, e.Does)
		}
		hiddenInSchemas(c, t.Args)
		hiddenInSchemas(c, t.Result)
	}
}

func hiddenInFile(c *Context, name, text string) {
	if !strings.ContainsFunc(text, spec.Hidden) {
		return
	}
	for i, line := range strings.Split(text, "\n") {
		if !strings.ContainsFunc(strings.TrimSuffix(line, "\r"), spec.Hidden) {
			continue
		}
		col := 0
		run := spec.Pos{}
		var first rune
		for _, r := range strings.TrimSuffix(line, "\r") + " " { // the space ends a run
			col++
			switch {
			case spec.Hidden(r) && run.Width == 0:
				run, first = spec.Pos{File: name, Line: i + 1, Col: col, Width: 1}, r
			case spec.Hidden(r):
				run.Width++
			case run.Width > 0:
				c.Report(run, "hidden characters (U+%04X and %d more); remove them", first, run.Width-1)
				run.Width = 0
			}
		}
	}
}

func hiddenInText(c *Context, values ...spec.Value[string]) {
	for _, v := range values {
		i := strings.IndexFunc(v.V, spec.Hidden)
		if i < 0 || !v.Set() {
			continue
		}
		r, _ := utf8.DecodeRuneInString(v.V[i:])
		if _, ok := c.Set.Within(v.Pos, string(r)); !ok { // else it is reported where it stands
			c.Report(v.Pos, "the text has a hidden character, U+%04X, by an escape; remove it", r)
		}
	}
}

func hiddenInSchemas(c *Context, schemas []*spec.Schema) {
	for _, s := range schemas {
		if s == nil {
			continue
		}
		hiddenInText(c, s.Name, s.Description, s.Pattern)
		hiddenInLiterals(c, s.Enum...)
		hiddenInLiterals(c, s.Examples...)
		hiddenInLiterals(c, s.Default, s.Const)
		hiddenInSchemas(c, []*spec.Schema{s.Items, s.Extra})
		hiddenInSchemas(c, s.Properties)
		hiddenInSchemas(c, s.OneOf)
	}
}

// hiddenInLiterals looks at the texts in JSON values, which may be escaped there.
func hiddenInLiterals(c *Context, literals ...spec.Value[spec.Literal]) {
	for _, l := range literals {
		text := string(l.V)
		if strings.Contains(text, `\`) {
			text = ""
			dec := json.NewDecoder(strings.NewReader(string(l.V)))
			for {
				token, err := dec.Token()
				if err != nil {
					break
				}
				if part, ok := token.(string); ok {
					text += part
				}
			}
		}
		hiddenInText(c, spec.Value[string]{V: text, Pos: l.Pos})
	}
}
