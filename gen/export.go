package gen

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strconv"

	"github.com/teaagent/teaagent/gen/internal/emit"
	"github.com/teaagent/teaagent/gen/internal/plan"
	"github.com/teaagent/teaagent/gen/lint"
)

// Export returns the manifest of the specs; as an array, the bare form that
// other tools read: an object for each tool with the standard's five fields and
// its schemas. The text is nil if the report has an error.
func Export(o Options, array bool) ([]byte, *Report, error) {
	r, srv, err := inspect(o.withDefaults())
	if err != nil || r.Failed() {
		return nil, r, err
	}
	if array {
		text, err := bareArray(srv)
		return text, r, err
	}
	files, err := emit.Files(srv)
	return files[plan.Manifest], r, err
}

func bareArray(srv *plan.Server) ([]byte, error) {
	planned := map[string]*plan.Tool{}
	for _, c := range srv.Categories {
		for _, t := range c.Tools {
			planned[t.Spec.Name] = t
		}
	}
	b := []byte("[")
	for i, t := range srv.Set.Tools {
		b = append(b, []string{"", ","}[min(i, 1)]...)
		b = plan.AppendString(append(b, `{"name":`...), t.Name.V)
		b = plan.AppendString(append(b, `,"description":`...), t.Description.V)
		b = plan.AppendString(append(b, `,"category":`...), t.Category.V)
		b = strconv.AppendBool(append(b, `,"destructive":`...), t.Destructive.V)
		b = strconv.AppendBool(append(b, `,"requiresConfirm":`...), t.RequiresConfirm.V)
		p := planned[t.Name.V]
		b = plan.AppendSchema(append(b, `,"inputSchema":`...), p.Input)
		if p.Output != nil {
			b = plan.AppendSchema(append(b, `,"outputSchema":`...), p.Output)
		}
		b = append(b, '}')
	}
	var out bytes.Buffer
	if err := json.Indent(&out, append(b, ']'), "", "  "); err != nil {
		return nil, err // our own JSON: our bug
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// LintServer judges what a live server lists, as LintFile does with a file.
func LintServer(ctx context.Context, command []string, profiles []string, stderr io.Writer) (*Report, error) {
	_, data, err := listServer(ctx, command, stderr)
	if err != nil {
		return nil, err
	}
	set, findings, err := lint.Foreign("tools/list", data, lint.Options{Profiles: profiles})
	return &Report{Findings: findings, Tools: len(set.Tools), set: set}, err
}
