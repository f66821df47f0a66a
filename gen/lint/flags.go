package lint

import "github.com/teaagent/teaagent/gen/spec"

func flagsReadOnlyDestructive(c *Context, t *spec.Tool) {
	if t.ReadOnly.V && t.Destructive.V {
		c.Report(t.ReadOnly.Pos, "the tool is readOnly and destructive; remove one of the two")
	}
}

func flagsTierReadOnly(c *Context, t *spec.Tool) {
	switch {
	case t.ReadOnly.V && t.Destructive.V: // another rule's finding
	case t.ReadOnly.V && t.Tier.V != "Low":
		c.Report(at(t.Tier, t.ReadOnly.Pos), "a readOnly tool has tier Low, not %s; write Low, or remove readOnly", t.Tier.V)
	case !t.ReadOnly.V && t.Tier.V == "Low":
		c.Report(t.Tier.Pos, "tier Low is for readOnly tools; add readOnly: true, or write Medium")
	}
}

func flagsConfirm(c *Context, t *spec.Tool) {
	if t.Destructive.V && !t.RequiresConfirm.V {
		c.Report(t.RequiresConfirm.Pos, "a destructive tool requires confirmation; remove requiresConfirm: false")
	}
}

func flagsWorkspace(c *Context, t *spec.Tool) {
	if t.ReadOnly.V && t.Workspace.V == "write" {
		c.Report(t.Workspace.Pos, "a readOnly tool does not write to the workspace; write read, or remove readOnly")
	}
}
