package spec

import (
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
)

var uuidShape = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)

// hasFormat reports whether a text in a spec has one of Formats. The runtime's
// decoder is exact; this finds the slips an author makes.
func hasFormat(text, format string) bool {
	var err error
	switch format {
	case "date-time":
		_, err = time.Parse(time.RFC3339, withoutLeapSecond(strings.ToUpper(text)))
	case "date":
		_, err = time.Parse(time.DateOnly, text)
	case "time":
		_, err = time.Parse("15:04:05Z07:00", withoutLeapSecond(strings.ToUpper(text)))
	case "email":
		var a *mail.Address
		a, err = mail.ParseAddress(text)
		return err == nil && a.Address == text
	case "uri":
		var u *url.URL
		u, err = url.Parse(text)
		return err == nil && u.IsAbs()
	case "uuid":
		return uuidShape.MatchString(text)
	case "ipv4", "ipv6":
		var a netip.Addr
		a, err = netip.ParseAddr(text)
		return err == nil && a.Zone() == "" && a.Is4() == (format == "ipv4")
	}
	return err == nil
}

func withoutLeapSecond(text string) string {
	return strings.Replace(text, ":60", ":59", 1)
}
