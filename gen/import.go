package gen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/teaagent/teaagent/gen/importer"
	"github.com/teaagent/teaagent/gen/internal/plan"
	"github.com/teaagent/teaagent/gen/lint"
	"github.com/teaagent/teaagent/gen/spec"
	"github.com/teaagent/teaagent/mcp/client"
)

// ImportOptions say what to import, and where to.
type ImportOptions struct {
	File    string   // a JSON file with a list of tools; or
	Command []string // the command of a server that speaks over its standard streams
	Out     string   // the folder for the specs
	Name    string   // of the server; default: what it says
	Prefix  string   // default: what the tools' names have in common
	Stderr  io.Writer
}

// Imported says what an import wrote and what there is to look at.
type Imported struct {
	Files    []string // as written
	Tools    int
	Losing   int             // tools of which something could not be kept
	Notes    []importer.Note // in the order of the tools
	Allowed  int             // rules that tools break and are let off, beside each tool
	Findings []spec.Finding  // that keep the specs from being generated from

	set *spec.Set
}

// Print writes the findings with the lines that they are about.
func (im *Imported) Print(w io.Writer) error { return im.set.Format(w, im.Findings) }

// Import writes specs of the tools of a file or of a live server, into a folder
// that has none. They say what the original says: names and texts that break
// rules of ours are let off beside each tool, with the reason.
func Import(ctx context.Context, o ImportOptions) (*Imported, error) {
	if err := noSpecs(o.Out); err != nil {
		return nil, err
	}
	src, from, err := sourceOf(ctx, o)
	if err != nil {
		return nil, err
	}
	made, err := importer.Import(src)
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", from, err)
	}
	im := &Imported{Tools: made.Tools, Losing: made.Losing(), Notes: made.Notes}
	texts, err := im.settle(made, o.Out, from)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return nil, err
	}
	for _, f := range made.Files {
		name := filepath.Join(o.Out, f.Name)
		if err := os.WriteFile(name, texts[name], 0o644); err != nil {
			return nil, err
		}
		im.Files = append(im.Files, name)
	}
	return im, nil
}

// settle renders the files. What lint finds is let off where it is found, since
// an import changes no name and no text; the rest is the report's.
func (im *Imported) settle(made *importer.Imported, out, from string) (map[string][]byte, error) {
	texts, err := im.judged(made, out)
	if err != nil {
		return nil, err
	}
	for range 100 { // a name given to one type settles those inside it
		i := slices.IndexFunc(im.Findings, func(f spec.Finding) bool { return f.Rule == "go-name-type" })
		if i < 0 || !made.Share(im.Findings[i], texts[im.Findings[i].Pos.File]) {
			break
		}
		if texts, err = im.judged(made, out); err != nil {
			return nil, err
		}
	}
	because := "imported from " + from + " as it was"
	let := map[*spec.Tree][]string{}
	for _, f := range im.Findings {
		owner := made.Owner(im.set, f.Pos)
		if owner == nil || f.Severity != spec.Error || !isLint(f.Rule) {
			continue
		}
		if !slices.Contains(let[owner], f.Rule) {
			let[owner] = append(let[owner], f.Rule)
			im.Allowed++
		}
	}
	for owner, rules := range let {
		slices.Sort(rules)
		list := spec.List()
		for _, r := range rules {
			list.Items = append(list.Items, spec.Text(r))
		}
		owner.Set("lint", spec.Mapping().Set("allow", list).Set("because", spec.Text(because)))
	}
	texts, err = im.judged(made, out)
	im.Findings = slices.DeleteFunc(im.Findings, func(f spec.Finding) bool { return f.Severity != spec.Error })
	return texts, err
}

// judged renders the files, and finds what is wrong with them.
func (im *Imported) judged(made *importer.Imported, out string) (texts map[string][]byte, err error) {
	if texts, err = render(made, out); err != nil {
		return nil, err
	}
	im.set, im.Findings, err = judge(texts)
	return texts, err
}

func isLint(rule string) bool {
	return slices.ContainsFunc(lint.Rules(), func(r lint.Rule) bool { return r.ID == rule })
}

func render(made *importer.Imported, out string) (map[string][]byte, error) {
	texts := map[string][]byte{}
	for _, f := range made.Files {
		text, err := spec.WriteYAML(f.Root)
		if err != nil {
			return nil, err
		}
		texts[filepath.Join(out, f.Name)] = text
	}
	return texts, nil
}

// judge runs the stages that find what is wrong with specs.
func judge(texts map[string][]byte) (*spec.Set, []spec.Finding, error) {
	set, findings := spec.LoadFiles(texts)
	srv, planned := plan.From(set)
	tools, err := wire(set, srv)
	if err != nil {
		return nil, nil, err
	}
	if len(findings) > 0 {
		tools = nil
	}
	findings = append(findings, lint.Run(set, tools, lint.Options{})...)
	return set, spec.Sort(append(findings, planned...)), nil
}

// noSpecs fails if a folder holds specs that an import would mix with.
func noSpecs(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".yaml", ".yml", ".json":
			return fmt.Errorf("%s is there already; an import goes into a folder without specs: say --out", filepath.Join(dir, e.Name()))
		}
	}
	return err
}

// sourceOf reads the tools, and says in words where from.
func sourceOf(ctx context.Context, o ImportOptions) (importer.Source, string, error) {
	src := importer.Source{Name: o.Name, Prefix: o.Prefix}
	if len(o.Command) == 0 {
		data, err := os.ReadFile(o.File)
		if err != nil {
			return src, "", err
		}
		src.Tools, err = readTree(o.File, data)
		return src, filepath.Base(o.File), err
	}
	info, data, err := listServer(ctx, o.Command, o.Stderr)
	if err != nil {
		return src, "", err
	}
	src.Tools, err = readTree("tools/list", data)
	if src.Name == "" {
		src.Name = info.Name
	}
	src.Title, src.Version, src.Instructions = info.Title, info.Version, info.Instructions
	if src.Title == src.Name {
		src.Title = ""
	}
	from := info.Name
	if from == "" {
		from = filepath.Base(o.Command[0])
	}
	return src, from, err
}

func readTree(name string, data []byte) (*spec.Tree, error) {
	tree, findings := spec.ReadJSON(name, data)
	var faults []error
	for _, f := range findings {
		faults = append(faults, f)
	}
	return tree, errors.Join(faults...)
}

// listServer asks a server for its tools. They are returned as an object with
// a list under tools, one line for each.
func listServer(ctx context.Context, command []string, stderr io.Writer) (client.ServerInfo, []byte, error) {
	tail := &tail{}
	if stderr == nil {
		stderr = tail
	}
	c, err := client.Start(ctx, command, client.Options{Stderr: stderr})
	if err != nil {
		return client.ServerInfo{}, nil, fmt.Errorf("%s: %w%s", command[0], err, tail.said())
	}
	defer c.Close()
	tools, err := c.Tools(ctx)
	if err != nil {
		return client.ServerInfo{}, nil, fmt.Errorf("%s: %w%s", command[0], err, tail.said())
	}
	var b strings.Builder
	b.WriteString("{\"tools\":[")
	for i, t := range tools {
		b.WriteString([]string{"\n", ",\n"}[min(i, 1)])
		b.Write(t)
	}
	b.WriteString("\n]}\n")
	return c.Info, []byte(b.String()), nil
}
