package spec

import "regexp"

var (
	prefixShape   = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	categoryShape = regexp.MustCompile(`^[a-z][a-z0-9]*([_-][a-z0-9]+)*$`)
	envShape      = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	// RFC 3986's characters, escapes that are whole, and RFC 6570's expressions.
	templateShape = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:([A-Za-z0-9._~:/?#@!$&'()*+,;=-]|\[|\]|%[0-9A-Fa-f]{2}|\{[+#./;?&]?` + templateVar + `(,` + templateVar + `)*\})+$`)
	mimeShape     = regexp.MustCompile(`^[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+(; *[a-z0-9-]+=[A-Za-z0-9.-]+)*$`)
)

// templateVar is a variable of a template, with its modifier: a length, or * for all.
const templateVar = `[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*(\*|:[1-9][0-9]{0,3})?`

// server reads specs/server.yaml.
func (r *reader) server(n *node) {
	f := r.fields(n, serverFile)
	if f == nil {
		return
	}
	s := &r.set.Server
	s.Pos = n.pos
	s.Name = f.text("server")
	f.need("server", "add its name, as in serverInfo: server: docker")
	s.Prefix = f.text("prefix")
	f.need("prefix", "add what every tool's name starts with: prefix: docker")
	r.shape(s.Prefix, prefixShape, "prefix", "lower-case letters and digits, such as docker")
	s.Version = f.text("version")
	f.need("version", `add one: version: "0.1.0"`)
	s.Title = f.text("title")
	s.Description = f.text("description")
	s.Instructions = f.text("instructions")
	s.Readme = f.text("readme")
	f.mapping("env", "a mapping of variables, such as {DOCKER_HOST: {description: …}}", r.envVar)
	if n := f.get("resources"); n != nil {
		r.resources(n)
	}
	f.mapping("categories", "a mapping of categories, such as {files: {description: …}}", r.category)
	s.Lint = r.lint(f, true)
	r.sharedTypes(f)
	f.close()
	for _, v := range []Value[string]{s.Name, s.Prefix, s.Version} {
		if v.Set() && v.V == "" && !r.set.Misread(v.Pos) {
			r.misread(ruleValue, v.Pos, "an empty text; write one that says something")
		}
	}
}

func (r *reader) envVar(name Value[string], n *node) {
	if name.V == "" {
		r.misread(ruleValue, name.Pos, "a variable has a name; write one, such as DOCKER_HOST")
	}
	r.shape(name, envShape, "the variable", "letters, digits and underscores, such as DOCKER_HOST")
	v := &EnvVar{Name: name}
	r.set.Server.Env = append(r.set.Server.Env, v)
	f := r.fields(n, "variable "+quote(name.V))
	if f == nil {
		return
	}
	v.Description = f.text("description")
	v.Required = f.flag("required", false)
	v.Secret = f.flag("secret", false)
	f.close()
}

// resources reads the declaration of resources, which may be empty.
func (r *reader) resources(n *node) {
	f := r.fields(n, "resources")
	if f == nil {
		return
	}
	all := &Resources{Pos: n.pos}
	r.set.Server.Resources = all
	names := map[string]Pos{}
	f.list("templates", "a list of templates, each starting with \"- uriTemplate:\"", func(n *node) {
		f := r.fields(n, "a template")
		if f == nil {
			return
		}
		t := &Template{Pos: n.pos}
		all.Templates = append(all.Templates, t)
		t.URITemplate = f.text("uriTemplate")
		f.need("uriTemplate", "add it, as in: uriTemplate: docker://containers/{id}")
		r.shape(t.URITemplate, templateShape, "uriTemplate", "a scheme, a colon, and characters of URIs with {names} among them, such as docker://containers/{id}")
		t.Name = f.text("name")
		f.need("name", "add one that is short and its own, as in: name: container")
		t.Title = f.text("title")
		t.Description = f.text("description")
		t.MIMEType = f.text("mimeType")
		r.shape(t.MIMEType, mimeShape, "mimeType", "a type, a slash and a subtype, such as text/plain")
		f.close()
		if before, twice := names[t.Name.V]; twice && t.Name.V != "" {
			r.misread(ruleValue, t.Name.Pos, "template %s is declared before, in line %d; give this one a name of its own", quote(t.Name.V), before.Line)
		}
		names[t.Name.V] = t.Name.Pos
	})
	f.close()
}

func (r *reader) category(name Value[string], n *node) {
	r.shape(name, categoryShape, "the category", "lower-case letters, digits, - and _, such as files; files are named for it")
	c := &Category{Name: name}
	r.set.Server.Categories = append(r.set.Server.Categories, c)
	f := r.fields(n, "category "+quote(name.V))
	if f == nil {
		return
	}
	c.Description = f.text("description")
	f.close()
}

// shape reports a written name that does not have its shape.
func (r *reader) shape(name Value[string], shape *regexp.Regexp, what, wanted string) {
	if name.Set() && name.V != "" && !shape.MatchString(name.V) && !r.set.Misread(name.Pos) {
		r.misread(ruleValue, name.Pos, "%s %s is not made of %s", what, quote(name.V), wanted)
	}
}
