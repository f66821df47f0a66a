package mcp

// Null reports whether null comes next, and consumes it.
func (d *Decoder) Null() bool {
	if d.lex.Kind() != 'n' {
		return false
	}
	d.lex.Null()
	d.pending = false
	return true
}

// JSON reads any value.
func (d *Decoder) JSON() JSON {
	d.pending = false
	return append(JSON{}, d.lex.Skip()...)
}

// Variant returns which of names the object that comes next has at its key
// discriminator, and leaves the object to be read. It returns "" after
// reporting, and consuming, one that has none of them.
func (d *Decoder) Variant(discriminator string, names ...string) string {
	if d.lex.Kind() != '{' {
		d.mismatch("an object", false)
		return ""
	}
	ahead := d.lex
	came := "nothing"
	for ahead.Enter(); ahead.More(); {
		if string(ahead.Key()) != discriminator {
			ahead.Skip()
			continue
		}
		if ahead.Kind() == '"' {
			s := ahead.String()
			for _, name := range names {
				if string(s) == name {
					return name
				}
			}
		} else {
			ahead.Skip()
		}
		came = d.brief(string(ahead.Raw()))
	}
	d.pending = false
	d.lex.Skip()
	d.report(Violation{d.pointer() + "/" + escapePointer(discriminator), "one of " + quoteAll(names), came})
	return ""
}
