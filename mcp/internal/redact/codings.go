package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// minCore is how long the part of a base64 text must be that only the secret
// has a share in.
const minCore = 8

// maxTwice bounds what is looked for escaped twice, which takes some fifty copies:
// a client may send secrets of megabytes.
const maxTwice = 16 << 10

// codings returns a value as it may appear in texts: as it is, escaped for JSON
// or by Go, once and twice (a text in JSON in a log), for URLs, in base64 and in
// hexadecimal digits.
func codings(value string) []string {
	all := []string{value}
	if !plain(value) {
		for _, once := range escapes(value) {
			all = append(all, once)
			if len(value) <= maxTwice {
				all = append(all, escapes(once)...)
			}
		}
	}
	for _, escaped := range []string{url.QueryEscape(value), url.PathEscape(value), strings.ReplaceAll(url.QueryEscape(value), "+", "%20")} {
		all = append(all, escaped, lowerHex(escaped))
	}
	for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			if core := core(alphabet, value, shift); len(core) >= minCore {
				all = append(all, core)
			}
		}
	}
	digits := hex.EncodeToString([]byte(value))
	all = append(all, digits, strings.ToUpper(digits))
	slices.Sort(all)
	return slices.Compact(all)
}

// core is the part of the base64 of a text with the value in it that does not
// depend on what is around the value, which begins shift bytes into a group.
func core(e *base64.Encoding, value string, shift int) string {
	text := e.EncodeToString(append(make([]byte, shift), value...))
	return text[[3]int{0, 2, 3}[shift] : 8*(shift+len(value))/6]
}

// plain reports whether a value stays as it is in every escaping.
func plain(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' || c > '~' || strings.IndexByte(`"\/<>&`, c) >= 0 {
			return false
		}
	}
	return true
}

// escapes returns a value as the inside of a string in JSON and in Go.
func escapes(value string) []string {
	text := inside(marshal(value, false))
	low, up := ascii(text, "%04x"), ascii(text, "%04X")
	return []string{
		text, inside(marshal(value, true)), strings.ReplaceAll(text, "/", `\/`),
		low, up, strings.ReplaceAll(low, "/", `\/`),
		inside(strconv.Quote(value)), inside(strconv.QuoteToASCII(value)),
	}
}

func marshal(value string, html bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(html)
	e.Encode(value) // a string always can be
	return strings.TrimSuffix(b.String(), "\n")
}

func inside(quoted string) string { return quoted[1 : len(quoted)-1] }

// ascii escapes what is not ASCII.
func ascii(s, digits string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u`+digits, unit)
		}
	}
	return b.String()
}

// lowerHex writes the digits of a URL's escapes in lower case.
func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], bytes.ToLower(b[i+1:i+3]))
			i += 2
		}
	}
	return string(b)
}
