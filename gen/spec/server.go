package spec

import "regexp"

var (
	prefixShape   = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	categoryShape = regexp.MustCompile(`^[a-z][a-z0-9]*([_-][a-z0-9]+)*$`)
	envShape      = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

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
