package spec

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// flowWidth is how long a mapping or list may be to be written on one line.
const flowWidth = 110

// WriteYAML writes a value as a spec file would have it: small mappings and
// lists on one line, tools apart by blank lines, and texts plain where no
// reader could take them for something else. Load reads what it was given.
func WriteYAML(t *Tree) ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(yamlNode(t, true)); err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	if err := enc.Close(); err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	return apart(b.Bytes()), nil
}

// apart puts a blank line before each entry of a list of the root but its first.
func apart(text []byte) []byte {
	var b bytes.Buffer
	first := true
	for line := range bytes.Lines(text) {
		entry := bytes.HasPrefix(line, []byte("  - "))
		if entry && !first {
			b.WriteByte('\n')
		}
		first = !entry && (first || !bytes.HasPrefix(line, []byte(" ")))
		b.Write(line)
	}
	return b.Bytes()
}

func yamlNode(t *Tree, block bool) *yaml.Node {
	n := &yaml.Node{LineComment: comment(t.Comment)}
	switch t.Kind {
	case '{':
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
		if !block || isSmall(t) {
			n.Style, block = yaml.FlowStyle, false
		}
		for i, key := range t.Keys {
			k, v := yamlNode(Text(key), false), yamlNode(t.Items[i], block)
			if v.Kind == yaml.ScalarNode && v.Style&yaml.LiteralStyle != 0 && v.LineComment != "" {
				k.HeadComment, v.LineComment = v.LineComment, ""
			}
			if v.Kind != yaml.ScalarNode && v.LineComment != "" { // behind the key, or before it
				k.HeadComment, v.LineComment = v.LineComment, ""
			}
			n.Content = append(n.Content, k, v)
		}
	case '[':
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		if !block || isSmall(t) {
			n.Style, block = yaml.FlowStyle, false
		}
		for _, item := range t.Items {
			n.Content = append(n.Content, yamlNode(item, block))
		}
	case '"':
		n.Kind, n.Tag, n.Value = yaml.ScalarNode, "!!str", t.Text
		n.Style = textStyle(t.Text, block)
	case '0':
		// Without a tag it is plain. To the encoder a great integer is a float,
		// and 1e700 a text: a tag that says otherwise would be written out.
		n.Kind, n.Value = yaml.ScalarNode, t.Text
	case 't', 'f':
		n.Kind, n.Tag, n.Value = yaml.ScalarNode, "!!bool", t.Text
	default:
		n.Kind, n.Tag, n.Value = yaml.ScalarNode, "!!null", "null"
	}
	return n
}

func comment(text string) string {
	if text == "" {
		return ""
	}
	return "# " + visible(strings.Join(strings.Fields(text), " "))
}

// isSmall reports whether a value reads well on one line: no comment in it, at
// most one level below it, and not long.
func isSmall(t *Tree) bool {
	if len(t.Items) == 0 {
		return true
	}
	width := 2
	for i, item := range t.Items {
		if item.Comment != "" || strings.Contains(item.Text, "\n") {
			return false
		}
		if len(item.Items) > 0 {
			for _, inner := range item.Items {
				if len(inner.Items) > 0 || inner.Comment != "" || strings.Contains(inner.Text, "\n") {
					return false
				}
				width += utf8.RuneCountInString(inner.Text) + 2
			}
			for _, k := range item.Keys {
				width += utf8.RuneCountInString(k) + 2
			}
		}
		width += utf8.RuneCountInString(item.Text) + 2
		if i < len(t.Keys) {
			width += utf8.RuneCountInString(t.Keys[i]) + 2
		}
	}
	return width <= flowWidth
}

// plainText is text that every YAML reader takes for text without quotes, in a
// flow too. What looks like a word of YAML's is not among it.
var plainText = regexp.MustCompile(`^[A-Za-z$_./][A-Za-z0-9 _./$()+;@%=<>*^~'"-]*$`)

var notText = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null|nan|\.inf|\.nan|infinity|[.][0-9].*|[.]+|<<|=)$`)

// textStyle returns the style in which a text stays what it is.
func textStyle(text string, block bool) yaml.Style {
	switch {
	case text == "" || strings.TrimSpace(text) != text && !isLiteral(text):
	case plainText.MatchString(text) && !notText.MatchString(text) && !strings.HasPrefix(text, "---") && !strings.HasPrefix(text, "..."):
		return 0
	case block && isLiteral(text):
		return yaml.LiteralStyle
	}
	return yaml.DoubleQuotedStyle
}

// isLiteral reports whether a text of several lines can be written as they are.
func isLiteral(text string) bool {
	if !strings.Contains(strings.TrimRight(text, "\n"), "\n") || strings.HasPrefix(text, " ") || strings.HasPrefix(text, "\n") {
		return false
	}
	if strings.HasSuffix(text, "\n\n") {
		return false
	}
	for line := range strings.Lines(text) {
		if trimmed := strings.TrimSuffix(line, "\n"); strings.TrimRight(trimmed, " ") != trimmed {
			return false
		}
	}
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' && r != '\n' || r > 0xffff || Hidden(r) || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff
	})
}
