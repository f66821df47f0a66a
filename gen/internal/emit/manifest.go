package emit

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/teaagent/teaagent/gen/internal/plan"
	"github.com/teaagent/teaagent/gen/spec"
)

// manifest is the canonical JSON of the specs. It says what they say and no
// default beside the five fields that every manifest has, so that it can be
// generated from in their place.
func manifest(set *spec.Set) ([]byte, error) {
	var w writer
	w.open('{')
	w.key("server")
	w.server(&set.Server)
	w.text("prefix", set.Server.Prefix)
	if len(set.Types) > 0 {
		w.key("types")
		w.schemas(set.Types)
	}
	w.key("tools")
	w.open('[')
	for _, t := range set.Tools {
		w.tool(t)
	}
	w.close(']')
	w.close('}')
	var b bytes.Buffer
	b.Grow(2 * len(w.b))
	if err := json.Indent(&b, w.b, "", "  "); err != nil {
		return nil, err // a Literal of the model is no JSON: our bug
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func (w *writer) server(s *spec.Server) {
	w.open('{')
	w.text("name", s.Name)
	w.text("version", s.Version)
	w.text("title", s.Title)
	w.text("description", s.Description)
	w.text("instructions", s.Instructions)
	w.text("readme", s.Readme)
	if len(s.Env) > 0 {
		w.key("env")
		w.open('{')
		for _, e := range s.Env {
			w.key(e.Name.V)
			w.open('{')
			w.text("description", e.Description)
			w.flag("required", e.Required, false)
			w.flag("secret", e.Secret, false)
			w.close('}')
		}
		w.close('}')
	}
	if s.Resources != nil {
		w.resources(s.Resources)
	}
	w.lint(s.Lint)
	if len(s.Categories) > 0 {
		w.key("categories")
		w.open('{')
		for _, c := range s.Categories {
			w.key(c.Name.V)
			w.open('{')
			w.text("description", c.Description)
			w.close('}')
		}
		w.close('}')
	}
	w.close('}')
}

func (w *writer) resources(r *spec.Resources) {
	w.key("resources")
	w.open('{')
	if len(r.Templates) > 0 {
		w.key("templates")
		w.open('[')
		for _, t := range r.Templates {
			w.open('{')
			w.text("uriTemplate", t.URITemplate)
			w.text("name", t.Name)
			w.text("title", t.Title)
			w.text("description", t.Description)
			w.text("mimeType", t.MIMEType)
			w.close('}')
		}
		w.close(']')
	}
	w.close('}')
}

func (w *writer) tool(t *spec.Tool) {
	w.open('{')
	w.key("name")
	w.quote(t.Name.V)
	w.key("description")
	w.quote(t.Description.V)
	w.key("category")
	w.quote(t.Category.V)
	w.key("destructive")
	w.bool(t.Destructive.V)
	w.key("requiresConfirm")
	w.bool(t.RequiresConfirm.V)
	if t.Title.Set() {
		w.text("title", t.Title)
	}
	w.text("usage", t.Usage)
	w.flag("readOnly", t.ReadOnly, false)
	w.flag("idempotent", t.Idempotent, false)
	w.flag("stateful", t.Stateful, false)
	w.flag("openWorld", t.OpenWorld, true)
	if t.Tier.Set() {
		w.text("tier", t.Tier)
	}
	if t.Workspace.Set() || t.Workspace.V != "none" {
		w.text("workspace", t.Workspace)
	}
	switch {
	case t.AuthNone:
		w.key("auth")
		w.quote("none")
	case len(t.Auth) > 0:
		w.key("auth")
		w.texts(t.Auth)
	}
	if r := t.RateLimit; r != nil {
		w.key("rateLimit")
		w.open('{')
		w.key("maxCalls")
		w.int(r.MaxCalls.V)
		w.key("windowSeconds")
		w.int(r.WindowSeconds.V)
		w.close('}')
	}
	w.size("timeoutSeconds", t.TimeoutSeconds)
	if len(t.Args) > 0 {
		w.key("args")
		w.schemas(t.Args)
	}
	if t.Result != nil {
		w.key("result")
		w.schemas(t.Result)
	}
	if len(t.Examples) > 0 {
		w.key("examples")
		w.open('[')
		for _, e := range t.Examples {
			w.example(e)
		}
		w.close(']')
	}
	w.text("goName", t.GoName)
	w.lint(t.Lint)
	if d := t.Deprecated; d != nil {
		w.key("deprecated")
		w.open('{')
		w.text("replacedBy", d.ReplacedBy)
		w.text("since", d.Since)
		w.text("removeIn", d.RemoveIn)
		w.close('}')
	}
	w.close('}')
}

func (w *writer) example(e *spec.Example) {
	w.open('{')
	w.text("does", e.Does)
	if len(e.Files) > 0 {
		w.key("files")
		w.open('{')
		for _, f := range e.Files {
			w.key(f.Name.V)
			w.quote(f.Text.V)
		}
		w.close('}')
	}
	if e.Args.Set() || e.Args.V != "" && e.Args.V != "{}" {
		w.literal("args", e.Args)
	}
	w.literal("returns", e.Returns)
	if len(e.Needs) > 0 {
		w.key("needs")
		w.texts(e.Needs)
	}
	w.close('}')
}

// schemas writes named schemas as an object, in their order.
func (w *writer) schemas(list []*spec.Schema) {
	w.open('{')
	for _, s := range list {
		w.key(s.Name.V)
		w.schema(s)
	}
	w.close('}')
}

func (w *writer) schema(s *spec.Schema) {
	w.open('{')
	if s.Shared != nil {
		w.reference(s)
		w.close('}')
		return
	}
	w.text("type", s.Type)
	w.text("description", s.Description)
	w.flag("required", s.Required, false)
	w.flag("nullable", s.Nullable, false)
	w.flag("secret", s.Secret, false)
	w.text("role", s.Role)
	w.literals("enum", s.Enum)
	w.literal("const", s.Const)
	w.literal("default", s.Default)
	w.literals("examples", s.Examples)
	w.literal("minimum", s.Minimum)
	w.literal("maximum", s.Maximum)
	w.literal("exclusiveMinimum", s.ExclusiveMinimum)
	w.literal("exclusiveMaximum", s.ExclusiveMaximum)
	w.literal("multipleOf", s.MultipleOf)
	w.size("minLength", s.MinLength)
	w.size("maxLength", s.MaxLength)
	w.text("pattern", s.Pattern)
	w.text("format", s.Format)
	if s.Items != nil {
		w.key("items")
		w.schema(s.Items)
	}
	w.size("minItems", s.MinItems)
	w.size("maxItems", s.MaxItems)
	w.flag("uniqueItems", s.UniqueItems, false)
	if s.Type.V == "object" && !s.IsMap() {
		w.key("properties")
		w.schemas(s.Properties)
	}
	if s.Extra != nil {
		w.key("additionalProperties")
		w.schema(s.Extra)
	}
	w.flag("additionalProperties", s.Open, false)
	w.text("discriminator", s.Discriminator)
	if len(s.OneOf) > 0 {
		w.key("oneOf")
		w.open('[')
		for _, o := range s.OneOf {
			w.schema(o)
		}
		w.close(']')
	}
	w.close('}')
}

// reference writes a $ref with what its place says beside it.
func (w *writer) reference(s *spec.Schema) {
	w.text("$ref", s.Ref)
	if s.Description.Pos != s.Shared.Description.Pos {
		w.text("description", s.Description)
	}
	w.flag("required", s.Required, false)
	w.flag("nullable", s.Nullable, false)
	w.literal("default", s.Default)
	if len(s.Examples) > 0 && (len(s.Shared.Examples) == 0 || s.Examples[0].Pos != s.Shared.Examples[0].Pos) {
		w.literals("examples", s.Examples)
	}
}

// writer writes compact JSON in the order it is told.
type writer struct {
	b    []byte
	more bool // a comma is due
}

func (w *writer) comma() {
	if w.more {
		w.b = append(w.b, ',')
	}
	w.more = true
}

func (w *writer) open(bracket byte) {
	w.comma()
	w.b = append(w.b, bracket)
	w.more = false
}

func (w *writer) close(bracket byte) {
	w.b = append(w.b, bracket)
	w.more = true
}

func (w *writer) key(name string) {
	w.comma()
	w.b = append(plan.AppendString(w.b, name), ':')
	w.more = false
}

func (w *writer) quote(s string) {
	w.comma()
	w.b = plan.AppendString(w.b, s)
}

func (w *writer) bool(v bool) {
	w.comma()
	w.b = strconv.AppendBool(w.b, v)
}

func (w *writer) int(n int) {
	w.comma()
	w.b = strconv.AppendInt(w.b, int64(n), 10)
}

// text writes a member that was stated or is not empty.
func (w *writer) text(key string, v spec.Value[string]) {
	if v.Set() || v.V != "" {
		w.key(key)
		w.quote(v.V)
	}
}

// flag writes a member that was stated or is not what its absence means.
func (w *writer) flag(key string, v spec.Value[bool], absent bool) {
	if v.Set() || v.V != absent {
		w.key(key)
		w.bool(v.V)
	}
}

func (w *writer) size(key string, v spec.Value[int]) {
	if v.Set() {
		w.key(key)
		w.int(v.V)
	}
}

func (w *writer) literal(key string, v spec.Value[spec.Literal]) {
	if v.V != "" {
		w.key(key)
		w.comma()
		w.b = append(w.b, v.V...)
	}
}

func (w *writer) literals(key string, vs []spec.Value[spec.Literal]) {
	if len(vs) == 0 {
		return
	}
	w.key(key)
	w.open('[')
	for _, v := range vs {
		w.comma()
		w.b = append(w.b, v.V...)
	}
	w.close(']')
}

func (w *writer) texts(vs []spec.Value[string]) {
	w.open('[')
	for _, v := range vs {
		w.quote(v.V)
	}
	w.close(']')
}
