package mcp

// guard says which of confirm and dry_run a tool takes beside its own arguments.
type guard uint8

const (
	guardNone    guard = iota
	guardConfirm       // requires confirm: true
	guardPreview       // and can be run dry
)

// guardKey reads confirm and dry_run where the tool is guarded.
func (d *Decoder) guardKey(name []byte) bool {
	switch {
	case d.guard >= guardConfirm && string(name) == "confirm":
		d.confirm = d.flag("confirm")
	case d.guard == guardPreview && string(name) == "dry_run":
		d.dryRun = d.flag("dry_run")
	default:
		return false
	}
	return true
}

func (d *Decoder) flag(name string) bool {
	if k := d.lex.Kind(); k != 't' && k != 'f' {
		d.report(Violation{"/" + name, "true or false", d.came(false)})
		return false
	}
	return d.lex.Bool()
}
