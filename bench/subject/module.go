package subject

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/teaagent/teaagent/bench/shape"
)

// perCategory is the number of tools of one category, which is one spec file.
const perCategory = 100

// modulePath is the path of the modules that are generated into.
const modulePath = "bench.example/generated"

// WriteSpecs makes dir a module with nothing but the specs of that many tools,
// ready for `teagen generate`.
func (w *Workshop) WriteSpecs(ctx context.Context, dir string, tools int) error {
	if err := w.writeGoMod(ctx, dir); err != nil {
		return err
	}
	var server bytes.Buffer
	server.WriteString(serverSpec)
	for first := 1; first <= tools; first += perCategory {
		category := category(first)
		fmt.Fprintf(&server, "  %s: {description: Things from number %d on.}\n", category, first)
		var specs bytes.Buffer
		fmt.Fprintf(&specs, "category: %s\ntools:\n", category)
		for i := first; i < first+perCategory && i <= tools; i++ {
			fmt.Fprintf(&specs, toolSpec, shape.Name(i), shape.Description(i), shape.PathText, shape.MaxPath, shape.NoteText,
				shape.CountText, shape.MinCount, shape.MaxCount, shape.DefaultCount, shape.AllText, shape.OrderText, shape.TagsText)
		}
		if err := write(filepath.Join(dir, "specs", category+".yaml"), specs.Bytes()); err != nil {
			return err
		}
	}
	if tools > 40 {
		server.WriteString("lint: {severity: {tools-too-many: off, tools-many: off}, ceiling: 10000000, because: what no client takes is measured all the same.}\n")
	}
	return write(filepath.Join(dir, "specs", "server.yaml"), server.Bytes())
}

const serverSpec = `server: bench
prefix: t
version: 1.0.0
title: Bench
description: Synthetic tools for the benchmark.
categories:
`

const toolSpec = `  - name: %s
    description: %s
    readOnly: true
    tier: Low
    openWorld: false
    workspace: none
    auth: none
    args:
      path: {type: string, required: true, minLength: 1, description: %s, maxLength: %d}
      note: {type: string, description: %s}
      count: {type: integer, description: %s, minimum: %d, maximum: %d, default: %d}
      all: {type: boolean, description: %s}
      order: {type: string, enum: [name, size, time], description: %s}
      tags: {type: array, items: {type: string}, description: %s}
    examples:
      - does: lists
        args: {path: a}
`

// category names the category whose first tool is the given one: letters only,
// since it becomes the name of a Go type.
func category(first int) string {
	return "things" + string(rune('a'+first/perCategory))
}

// writeGoMod gives the module the requirements of the repo's own, so that
// every package is built from the versions that the repo is built from.
func (w *Workshop) writeGoMod(ctx context.Context, dir string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(filepath.Join(w.Repo, name))
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, name), b); err != nil {
			return err
		}
	}
	const repo = "github.com/teaagent/teaagent"
	return w.run(ctx, dir, "go", "mod", "edit", "-module="+modulePath, "-require="+repo+"@v0.0.0", "-replace="+repo+"="+w.Repo)
}

// writeBodies writes the handlers of that many tools, in one file per category
// as an author might, and the server's main.
func writeBodies(dir string, tools int) error {
	for name, b := range map[string][]byte{
		"handlers/handlers.go": []byte(handlersFile),
		"cmd/bench/main.go":    []byte(mainFile),
		"shape/shape.go":       shape.Source, // a copy: this module must not need the peers
	} {
		if err := write(filepath.Join(dir, filepath.FromSlash(name)), b); err != nil {
			return err
		}
	}
	for first := 1; first <= tools; first += perCategory {
		var b bytes.Buffer
		b.WriteString(bodiesHead)
		for i := first; i < first+perCategory && i <= tools; i++ {
			fmt.Fprintf(&b, body, i)
		}
		if err := write(filepath.Join(dir, "handlers", category(first)+".go"), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

const handlersFile = `// Package handlers has the bodies of the benchmark's tools.
package handlers

import (
	"` + modulePath + `/generated"
	"github.com/teaagent/teaagent/mcp"
)

// Handlers implements every tool.
type Handlers struct{}

// New returns the handlers.
func New(mcp.Env) (generated.Handlers, error) { return &Handlers{}, nil }
`

const bodiesHead = `package handlers

import (
	"context"

	"` + modulePath + `/generated"
	"` + modulePath + `/shape"
	"github.com/teaagent/teaagent/mcp"
)
`

const body = `
func (*Handlers) ListThing%04[1]d(_ context.Context, a generated.ListThing%04[1]dArgs) (mcp.Result, error) {
	return mcp.Text(shape.Answer(a.Path, a.Count, a.All.Or(false), string(a.Order), len(a.Tags.Or(nil)), a.Note.Or(""))), nil
}
`

const mainFile = `// The benchmark's server on teaagent.
package main

import (
	"` + modulePath + `/generated"
	"` + modulePath + `/handlers"
	"github.com/teaagent/teaagent/mcp/mcpcmd"
)

func main() { mcpcmd.Main(generated.Server, handlers.New) }
`

// write writes a file and the folders that lead to it.
func write(name string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, b, 0o600)
}
