package spec

import "strings"

// ManifestFile is what a manifest is called as the only file of a specs folder.
const ManifestFile = "mcp-tools.json"

// manifest reads the canonical JSON form of the specs: an object with the
// server, its prefix, the shared types, and the tools, each with its category.
// It is put together into what server.yaml and a file of tools would be, so
// that both forms are read by the same code.
func (r *reader) manifest(n *node) {
	f := r.fields(n, "the manifest")
	if f == nil {
		return
	}
	server := f.get("server")
	f.need("server", `add "server": {"name": …, "version": …}`)
	prefix := f.get("prefix")
	f.need("prefix", `add what every tool's name starts with: "prefix": "docker"`)
	types := f.get("types")
	tools := f.get("tools")
	f.need("tools", `add "tools" with a list of tools`)
	f.close()

	if server != nil {
		r.manifestServer(server, n, prefix, types)
	}
	if tools != nil {
		r.toolFile(&node{kind: mappingKind, pos: n.pos, pairs: []pair{{key("tools", tools.pos), tools}}})
	}
}

func (r *reader) manifestServer(server, root, prefix, types *node) {
	if server.kind != mappingKind {
		r.wants(server, "server", "an object with name and version")
		return
	}
	all := &node{kind: mappingKind, pos: server.pos}
	named := false
	for _, p := range server.pairs {
		switch p.key.text {
		case "name":
			named = true
			all.pairs = append(all.pairs, pair{key("server", p.key.pos), p.value})
		case "server", "prefix", "types":
			r.fault(ruleUnknownKey, p.key.pos, "server has no key %q; it stands beside server, or is called name", p.key.text)
		default:
			all.pairs = append(all.pairs, p)
		}
	}
	if !named {
		r.fault(ruleMissing, server.pos, `server has no name; add it, as in serverInfo: "name": "docker"`)
		all.pairs = append(all.pairs, pair{key("server", server.pos), &node{pos: server.pos}})
	}
	if prefix == nil { // reported already, here or as null
		prefix = &node{pos: root.pos}
	}
	all.pairs = append(all.pairs, pair{key("prefix", prefix.pos), prefix})
	if types != nil {
		all.pairs = append(all.pairs, pair{key("types", types.pos), types})
	}
	before := len(r.findings)
	r.server(all)
	for i := before; i < len(r.findings); i++ { // they are worded for the file that it mostly reads
		r.findings[i].Message = manifestWords.Replace(r.findings[i].Message)
	}
}

var manifestWords = strings.NewReplacer(serverFile+" has", "server has", "it has server, prefix, ", "it has name, ")

func key(text string, at Pos) *node { return &node{kind: textKind, text: text, pos: at} }
