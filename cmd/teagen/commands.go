package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/gen"
	"github.com/teaagent/teaagent/gen/spec"
)

func generateCommand() *cli.Command {
	return command(cli.Command{
		Name:  "generate",
		Usage: "write the code that the specs ask for",
		Description: `Brings generated/, mcp-tools.json and, for a server with environment variables,
.env.example up to date, removes what nothing generates any more, and adds a
stub to handlers/ for each tool without a body. With a finding in the specs it
writes nothing; files that people wrote it never touches.

Example, after adding a tool to specs/files.yaml:

   $ teagen generate
   wrote    generated/files_gen.go
   wrote    generated/schemas/files.json
   stub     handlers/delete_file_tool.go
   wrote    mcp-tools.json
   generated: 3 categories, 12 tools, 4 files written`,
	}, func(c *cli.Context) error {
		r, err := withReport(c, gen.Generate)
		if err != nil {
			return err
		}
		listChanges(c.App.Writer, r.Changes)
		fmt.Fprintf(c.App.Writer, "generated: %s, %s\n", sizes(r), done(r.Changes))
		return closing(c, r)
	})
}

func verifyCommand() *cli.Command {
	return command(cli.Command{
		Name:  "verify",
		Usage: "check that the generated code is what the specs ask for",
		Description: `Runs all that generate runs, and compares in place of writing: for CI, and for a
look before generating. Prints what differs; exits with 1 if something does.

Example, after editing a description in specs/files.yaml:

   $ teagen verify
   changed   generated/files_gen.go
   --- generated/files_gen.go
   +++ generated/files_gen.go (as the specs say)
   @@ -31,3 +31,3 @@
   …
   verify: 1 changed, 0 missing, 0 orphaned; cure it with: go generate ./...`,
	}, func(c *cli.Context) error {
		r, err := withReport(c, gen.Verify)
		if err != nil {
			return err
		}
		out := c.App.Writer
		count := map[gen.Kind]int{}
		for _, change := range r.Changes {
			count[change.Kind]++
			fmt.Fprintf(out, "%-9s %s\n", change.Kind, change.Path)
			if err := change.Diff(out); err != nil {
				return err
			}
		}
		if len(r.Changes) == 0 {
			fmt.Fprintf(out, "verify: %s, nothing differs\n", sizes(r))
			return closing(c, r)
		}
		if err := closing(c, r); err != nil && err != errFindings {
			return err
		}
		fmt.Fprintf(out, "verify: %d changed, %d missing, %d orphaned; cure it with: go generate ./...\n",
			count[gen.Changed], count[gen.Missing], count[gen.Orphaned])
		return errFindings
	})
}

// withReport runs the generator, and ends with findings that kept it from
// coming to its end.
func withReport(c *cli.Context, run func(gen.Options) (*gen.Report, error)) (*gen.Report, error) {
	dir, err := root(c.String("dir"))
	if err != nil {
		return nil, err
	}
	r, err := run(gen.Options{Dir: dir, Specs: c.String("specs")})
	if err != nil {
		return nil, err
	}
	if r.Failed() && !r.Settled {
		return nil, closing(c, r)
	}
	return r, nil
}

// closing prints the findings and their number. It fails if one is an error.
func closing(c *cli.Context, r *gen.Report) error {
	if len(r.Findings) == 0 {
		return nil
	}
	if err := r.Print(c.App.ErrWriter); err != nil {
		return err
	}
	severities := map[spec.Severity]int{}
	for _, f := range r.Findings {
		severities[f.Severity]++
	}
	var counts []string
	if n := severities[spec.Error]; n > 0 {
		counts = append(counts, plural(n, "error"))
	}
	if n := severities[spec.Warning]; n > 0 {
		counts = append(counts, plural(n, "warning"))
	}
	text := strings.Join(counts, ", ")
	if r.Failed() && !r.Settled && c.Command.Name == "generate" {
		text += "; nothing was written"
	}
	fmt.Fprintln(c.App.ErrWriter, text)
	if r.Failed() {
		return errFindings
	}
	return nil
}

// listed is how many changes of a run are named one by one.
const listed = 40

func listChanges(w io.Writer, changes []gen.Change) {
	for i, c := range changes {
		if i == listed && len(changes) > listed+1 {
			fmt.Fprintf(w, "… and %d more\n", len(changes)-listed)
			return
		}
		verb := "wrote"
		switch {
		case c.Kind == gen.Orphaned:
			verb = "removed"
		case strings.HasPrefix(c.Path, "handlers/"):
			verb = "stub"
		}
		fmt.Fprintf(w, "%-8s %s\n", verb, c.Path)
	}
}

// done says in words what the changes were.
func done(changes []gen.Change) string {
	written, removed := 0, 0
	for _, c := range changes {
		if c.Kind == gen.Orphaned {
			removed++
		} else {
			written++
		}
	}
	switch {
	case written == 0 && removed == 0:
		return "nothing changed"
	case removed == 0:
		return plural(written, "file") + " written"
	case written == 0:
		return plural(removed, "file") + " removed"
	}
	return plural(written, "file") + " written, " + fmt.Sprint(removed) + " removed"
}

func sizes(r *gen.Report) string {
	if r.Categories == 0 {
		return plural(r.Tools, "tool") // of a server that was not generated
	}
	categories := plural(r.Categories, "category")
	if r.Categories != 1 {
		categories = fmt.Sprint(r.Categories) + " categories"
	}
	return categories + ", " + plural(r.Tools, "tool")
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
