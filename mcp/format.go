package mcp

import (
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// hasFormat reports whether s has one of the formats of JSON Schema 2020-12
// that DESIGN asserts. A name that is none of them holds for nothing: the
// generator never emits one.
func hasFormat(s, name string) bool {
	switch name {
	case "date-time":
		_, ok := parseDateTime(s)
		return ok
	case "date":
		return isDate(s)
	case "time":
		_, ok := timeOfDay(s)
		return ok
	case "email":
		return isEmail(s)
	case "uri":
		return isURI(s)
	case "uuid":
		return isUUID(s)
	case "ipv4":
		a, err := netip.ParseAddr(s)
		return err == nil && a.Is4()
	case "ipv6":
		a, err := netip.ParseAddr(s)
		return err == nil && a.Is6() && a.Zone() == ""
	}
	return false
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// parseDateTime reads RFC 3339: time.Parse alone takes neither lower-case
// letters nor leap seconds, and takes a comma that the RFC does not know.
func parseDateTime(s string) (time.Time, bool) {
	if len(s) < len("2006-01-02T15:04:05Z") || s[10]|0x20 != 't' || !isDate(s[:10]) {
		return time.Time{}, false
	}
	leap, ok := timeOfDay(s[11:])
	if !ok {
		return time.Time{}, false
	}
	text := strings.ToUpper(s)
	if leap {
		text = text[:17] + "59" + text[19:]
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, false
	}
	if leap {
		t = t.Add(time.Second)
	}
	return t, true
}

// timeOfDay checks RFC 3339's full-time and tells whether it is a leap second,
// which only the last minute of a UTC day can have.
func timeOfDay(s string) (leap, ok bool) {
	hour, min, sec := -1, -1, -1
	if len(s) >= 9 && s[2] == ':' && s[5] == ':' {
		hour, min, sec = digits(s[0:2]), digits(s[3:5]), digits(s[6:8])
	}
	if hour < 0 || hour > 23 || min < 0 || min > 59 || sec < 0 || sec > 60 {
		return false, false
	}
	zone := s[8:]
	if zone[0] == '.' {
		fraction := len(zone) - len(strings.TrimLeft(zone[1:], "0123456789"))
		if fraction == 1 {
			return false, false
		}
		zone = zone[fraction:]
	}
	offset := 0
	if zone != "Z" && zone != "z" {
		if len(zone) != 6 || zone[0] != '+' && zone[0] != '-' || zone[3] != ':' {
			return false, false
		}
		h, m := digits(zone[1:3]), digits(zone[4:6])
		if h < 0 || h > 23 || m < 0 || m > 59 {
			return false, false
		}
		if offset = h*60 + m; zone[0] == '+' {
			offset = -offset
		}
	}
	if sec == 60 {
		day := 24 * 60
		return true, ((hour*60+min+offset)%day+day)%day == day-1
	}
	return false, true
}

// digits returns the number that the digits of s spell, or -1.
func digits(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// isEmail checks RFC 5321's Mailbox.
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || len(s) > 254 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if len(local) > 1 && local[0] == '"' && local[at-1] == '"' {
		if strings.ContainsAny(local[1:at-1], `\"`) {
			return false
		}
	} else if !isDotAtom(local) {
		return false
	}
	if literal, ok := strings.CutPrefix(domain, "["); ok {
		literal, ok = strings.CutSuffix(literal, "]")
		v6, is6 := strings.CutPrefix(literal, "IPv6:")
		return ok && (is6 && hasFormat(v6, "ipv6") || !is6 && hasFormat(literal, "ipv4"))
	}
	return isHostname(domain)
}

func isDotAtom(s string) bool {
	for atom := range strings.SplitSeq(s, ".") {
		if atom == "" {
			return false
		}
		for _, c := range atom {
			if !isAlnum(c) && !strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", c) {
				return false
			}
		}
	}
	return true
}

// isHostname checks RFC 1123: dot-separated labels of letters, digits and inner hyphens.
func isHostname(s string) bool {
	s = strings.TrimSuffix(s, ".")
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range label {
			if !isAlnum(c) && c != '-' {
				return false
			}
		}
	}
	return true
}

func isAlnum(c rune) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isURI(s string) bool {
	u, err := url.Parse(s)
	if err != nil || !u.IsAbs() {
		return false
	}
	// url.Parse takes an IPv6 host without brackets; RFC 3986 does not.
	host := u.Hostname()
	return !strings.Contains(host, ":") || strings.Contains(u.Host, "[") && hasFormat(host, "ipv6")
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i] | 0x20; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if s[i] != '-' {
				return false
			}
		case s[i] >= '0' && s[i] <= '9', c >= 'a' && c <= 'f':
		default:
			return false
		}
	}
	return true
}
