// Command compare lists the tools of a server and of the one that was generated
// from its import, and names what differs.
//
//	compare REPORT GENERATED -- CMD ARGS…
//
// Expected are what the generator adds (schemas that are closed, annotations,
// the guards of destructive tools, bounds of 64-bit integers) and what means the
// same (refs inlined, null written in another way). Every other difference must
// be named by the report of the import, and be in at most one tool in ten.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/teaagent/teaagent/mcp/client"
)

func main() {
	if len(os.Args) < 5 || os.Args[3] != "--" {
		fail("usage: compare REPORT GENERATED -- CMD ARGS…")
	}
	report, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail("%v", err)
	}
	theirs, ours := list(os.Args[4:]), list([]string{os.Args[2], "mcp", "serve"})
	notes := readNotes(string(report))
	byName := map[string]map[string]any{}
	for _, t := range ours {
		byName[t["name"].(string)] = t
	}
	losing, unnamed, guarded := 0, 0, 0
	for _, t := range theirs {
		name, _ := t["name"].(string)
		mine := byName[name]
		delete(byName, name)
		if mine == nil {
			fmt.Printf("%s is missing\n", name)
			unnamed++
			continue
		}
		c := &comparison{root: t["inputSchema"], guarded: isTrue(mine, "annotations", "destructive")}
		c.tool(t, mine)
		if c.guarded {
			guarded++
		}
		if len(c.differences) > 0 {
			losing++
		}
		for _, d := range c.differences {
			if named := notes.name(name, d.pointer); named != "" {
				fmt.Printf("named    %s %s: %s\n", name, d.pointer, d.text)
			} else {
				fmt.Printf("UNNAMED  %s %s: %s\n", name, d.pointer, d.text)
				unnamed++
			}
		}
	}
	for name := range byName {
		fmt.Printf("%s was never there\n", name)
		unnamed++
	}
	fmt.Printf("compared %d tools: %d differ otherwise than expected, %d differences no report names; %d have guards\n", len(theirs), losing, unnamed, guarded)
	if unnamed > 0 || losing*10 > len(theirs) {
		os.Exit(1)
	}
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "compare: "+format+"\n", args...)
	os.Exit(2)
}

// list returns the tools of a server, with numbers as they are written.
func list(command []string) (tools []map[string]any) {
	c, err := client.Start(context.Background(), command, client.Options{})
	if err != nil {
		fail("%s: %v", command[0], err)
	}
	defer c.Close()
	texts, err := c.Tools(context.Background())
	if err != nil {
		fail("%s: %v", command[0], err)
	}
	for _, text := range texts {
		var t map[string]any
		d := json.NewDecoder(strings.NewReader(string(text)))
		d.UseNumber()
		if err := d.Decode(&t); err != nil {
			fail("%s: %v", command[0], err)
		}
		tools = append(tools, t)
	}
	return tools
}

// notes are the places that a report names, by tool.
type notes map[string][]string

func readNotes(report string) notes {
	n := notes{}
	for line := range strings.Lines(report) {
		kind, rest, _ := strings.Cut(line, " ")
		if kind != "lost" && kind != "dropped" {
			continue
		}
		where, _, _ := strings.Cut(strings.TrimSpace(rest), ": ")
		tool, pointer, _ := strings.Cut(where, " ")
		n[tool] = append(n[tool], pointer)
	}
	return n
}

// name returns the place that names a difference: that of the difference, or
// the schema that it is in.
func (n notes) name(tool, pointer string) string {
	for _, p := range n[tool] {
		schema := p[:max(0, strings.LastIndexByte(p, '/'))]
		if p == pointer || strings.HasPrefix(pointer, p+"/") || strings.Count(schema, "/") > 1 && (pointer == schema || strings.HasPrefix(pointer, schema+"/")) {
			return p
		}
	}
	return ""
}

func isTrue(t map[string]any, keys ...string) bool {
	var v any = t
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v == true
}
