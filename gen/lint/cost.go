package lint

import "github.com/teaagent/teaagent/gen/spec"

// maxList is how large tools/list may get where server.yaml sets no ceiling.
const maxList = 60_000

// Bytes returns the size of the tools' part of an answer to tools/list.
func Bytes(tools []*Tool) int {
	n := len(`{"tools":[]}`) + max(0, len(tools)-1)
	for _, t := range tools {
		n += len(t.JSON)
	}
	return n
}

// Tokens estimates what a model counts for JSON of a size: four bytes to a
// token, which is close for English texts and generous for schemas.
func Tokens(bytes int) int { return (bytes + 3) / 4 }

func ceiling(set *spec.Set) spec.Value[int] {
	if l := set.Server.Lint; l != nil {
		return l.Ceiling
	}
	return spec.Value[int]{}
}

func costList(c *Context) {
	if n := Bytes(c.Tools); n > maxList && ceiling(c.Set).V == 0 {
		c.Report(serverPlace(c.Set), "tools/list has %d bytes, about %d tokens of every conversation; shorten texts, or set a ceiling", n, Tokens(n))
	}
}

func costCeiling(c *Context) {
	most := ceiling(c.Set)
	if n := Bytes(c.Tools); most.V > 0 && n > most.V {
		c.Report(most.Pos, "tools/list has %d bytes, over the ceiling of %d; shorten texts, or raise it (teagen budget shows what each tool costs)", n, most.V)
	}
}
