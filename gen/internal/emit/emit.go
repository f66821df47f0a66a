// Package emit writes a plan down: Go files, schema bundles, the manifest
// and the list of variables, as bytes under their paths. It decides nothing and never touches the disk.
package emit

import (
	"bytes"
	"fmt"
	"go/format"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/dave/jennifer/jen"

	"github.com/teaagent/teaagent/gen/internal/plan"
)

// runtimePath is the package that generated code calls.
const runtimePath = "github.com/teaagent/teaagent/mcp"

// Files renders everything that teagen owns, by path. Stubs are not among it:
// they belong to people from the moment they are written.
func Files(srv *plan.Server) (map[string][]byte, error) {
	type file struct {
		path   string
		render func() ([]byte, error)
	}
	files := []file{
		{plan.Manifest, func() ([]byte, error) { return manifest(srv.Set) }},
		{plan.ServerFile, func() ([]byte, error) { return serverFile(srv) }},
	}
	if len(srv.Env) > 0 {
		files = append(files, file{plan.EnvFile, func() ([]byte, error) { return envFile(srv), nil }})
	}
	if len(srv.Types) > 0 {
		files = append(files, file{plan.TypesFile, func() ([]byte, error) { return typesFile(srv.Types) }})
	}
	for _, c := range srv.Categories {
		files = append(files,
			file{c.File, func() ([]byte, error) { return categoryFile(c) }},
			file{c.Bundle, func() ([]byte, error) { return bundle(c), nil }})
	}

	// Files depend on nothing but the plan: every processor takes the next one.
	rendered := make([][]byte, len(files))
	errs := make([]error, len(files))
	next := make(chan int, len(files))
	for i := range files {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				rendered[i], errs[i] = files[i].render()
			}
		})
	}
	wg.Wait()

	out := make(map[string][]byte, len(files))
	for i, f := range files {
		if errs[i] != nil {
			return nil, fmt.Errorf("render %s: %w", f.path, errs[i])
		}
		out[f.path] = rendered[i]
	}
	return out, nil
}

// goFile starts a Go file that calls the runtime.
func goFile(pkg string) *jen.File {
	f := jen.NewFile(pkg)
	f.NoFormat = true // source formats once, after the imports are in order
	f.ImportName(runtimePath, "mcp")
	return f
}

// source renders a Go file as gofmt would leave it.
func source(f *jen.File) ([]byte, error) {
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return nil, err
	}
	src := groupImports(b.Bytes())
	out, err := format.Source(src)
	if err != nil {
		return nil, fmt.Errorf("teagen wrote Go that does not parse; please report this: %w\n%s", err, numbered(src))
	}
	return out, nil
}

// groupImports puts the standard library's imports in front of the others,
// with a blank line between. jennifer writes one sorted block.
func groupImports(src []byte) []byte {
	const open = "\nimport (\n"
	start := bytes.Index(src, []byte(open))
	if start < 0 {
		return src
	}
	start += len(open)
	end := start + bytes.Index(src[start:], []byte("\n)\n"))
	var std, others []string
	for line := range strings.SplitSeq(string(src[start:end]), "\n") {
		_, path, _ := strings.Cut(line, `"`)
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			others = append(others, line)
		} else {
			std = append(std, line)
		}
	}
	if std == nil || others == nil {
		return src
	}
	block := strings.Join(std, "\n") + "\n\n" + strings.Join(others, "\n")
	return bytes.Join([][]byte{src[:start], []byte(block), src[end:]}, nil)
}

func numbered(src []byte) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(string(src)) {
		n++
		b.WriteString(strconv.Itoa(n) + "\t" + line)
	}
	return b.String()
}
