package redact

import "strings"

// shape is what a kind of token looks like.
type shape struct {
	name  string
	begin string // how it begins, in any case if fold
	fold  bool
	min   int // bytes of the token behind that
	chars *[256]bool
	// mixed asks for a digit, or letters of both cases: a name has neither.
	mixed bool
	// keep leaves the beginning as it is: it is no secret, what follows is.
	keep    bool
	special func(s *shape, text string, i int) (from, to int, ok bool) // finds it instead

	is, isNot string // examples, for the tests
}

var (
	alnum  = charset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
	word   = charset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
	dashed = charset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
	upper  = charset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
	b64    = charset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/=.~")
)

const (
	x20 = "abcdefghijABCDEFGHIJ"
	x40 = x20 + x20
)

// table is the shapes that are known. A token has to begin where a word begins.
var table = []shape{
	{name: "GitHub", begin: "ghp_", min: 20, chars: word, is: "ghp_" + x40, isNot: "ghp_short"},
	{name: "GitHub OAuth", begin: "gho_", min: 20, chars: word, is: "gho_" + x40, isNot: "xgho_" + x40},
	{name: "GitHub user", begin: "ghu_", min: 20, chars: word, is: "ghu_" + x40, isNot: "ghu-" + x40},
	{name: "GitHub server", begin: "ghs_", min: 20, chars: word, is: "ghs_" + x40, isNot: "ghs_"},
	{name: "GitHub refresh", begin: "ghr_", min: 20, chars: word, is: "ghr_" + x40, isNot: "ghr"},
	{name: "GitHub fine-grained", begin: "github_pat_", min: 20, chars: word, is: "github_pat_" + x40, isNot: "github_pat_x"},
	{name: "GitLab", begin: "glpat-", min: 16, chars: dashed, is: "glpat-" + x20, isNot: "glpat-1"},
	{name: "Slack a", begin: "xoxa-", min: 12, chars: dashed, mixed: true, is: "xoxa-123456789012-" + x20, isNot: "xoxa-lovely-greetings"},
	{name: "Slack b", begin: "xoxb-", min: 12, chars: dashed, mixed: true, is: "xoxb-123456789012-" + x20, isNot: "xoxoxoxoxoxoxoxoxo"},
	{name: "Slack p", begin: "xoxp-", min: 12, chars: dashed, mixed: true, is: "xoxp-123456789012-" + x20, isNot: "xoxp-"},
	{name: "Slack r", begin: "xoxr-", min: 12, chars: dashed, mixed: true, is: "xoxr-123456789012-" + x20, isNot: "xoxo-with-love-2024"},
	{name: "Slack s", begin: "xoxs-", min: 12, chars: dashed, mixed: true, is: "xoxs-123456789012-" + x20, isNot: "foxxoxs-123456789012"},
	{name: "AWS key", begin: "AKIA", min: 16, chars: upper, is: "AKIAABCDEFGHIJKLMNOP", isNot: "AKIAN"},
	{name: "AWS session", begin: "ASIA", min: 16, chars: upper, is: "ASIAABCDEFGHIJKLMNOP", isNot: "ASIATIC"},
	{name: "AWS secret", begin: "aws_secret_access_key", fold: true, min: 30, chars: b64, special: assigned, keep: true, is: "AWS_SECRET_ACCESS_KEY = " + x40, isNot: "aws_secret_access_key=$KEY"},
	{name: "AWS secret in JSON", begin: "SecretAccessKey", fold: true, min: 30, chars: b64, special: assigned, keep: true, is: `SecretAccessKey": "` + x40, isNot: "secretAccessKey " + x40},
	{name: "Google", begin: "AIza", min: 30, chars: dashed, is: "AIza" + x40, isNot: "AIzanami"},
	{name: "Stripe", begin: "sk_live_", min: 16, chars: word, is: "sk_live_" + x20, isNot: "sk_live_"},
	{name: "Stripe restricted", begin: "rk_live_", min: 16, chars: word, is: "rk_live_" + x20, isNot: "rk_live_x"},
	{name: "OpenAI, Anthropic", begin: "sk-", min: 20, chars: dashed, mixed: true, is: "sk-ant-" + x40, isNot: "sk-spinner-rotating-plane-large"},
	{name: "npm", begin: "npm_", min: 30, chars: alnum, mixed: true, is: "npm_" + x40, isNot: "npm_package_dependencies_typescript_eslint"},
	{name: "PyPI", begin: "pypi-", min: 30, chars: dashed, mixed: true, is: "pypi-" + x40, isNot: "pypi-server-behind-a-proxy-for-the-team"},
	{name: "Hugging Face", begin: "hf_", min: 30, chars: alnum, mixed: true, is: "hf_" + x40, isNot: "hf_hub_download_with_progress_callbacks"},
	{name: "JSON web token", begin: "eyJ", min: 20, chars: b64, special: jwt, is: "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl", isNot: "eyJhbGciOiJIUzI1NiJ9"},
	{name: "bearer", begin: "bearer ", fold: true, min: 12, chars: b64, special: credentials, keep: true, is: "Bearer " + x20, isNot: "Bearer authentication failed"},
	{name: "basic", begin: "basic ", fold: true, min: 12, chars: b64, special: credentials, keep: true, is: "Basic dXNlcjpwYXNzd29yZA==", isNot: "Basic Authentication required"},
	{name: "authorization", begin: "bearer ", fold: true, min: 6, chars: b64, special: header, keep: true, is: "Authorization: Bearer abc123", isNot: "Authorization: Bearer"},
	{name: "authorization, basic", begin: "basic ", fold: true, min: 6, chars: b64, special: header, keep: true, is: `Authorization": "Basic YTpi+w==`, isNot: "authorization of basic knowledge"},
	{name: "password in a URL", begin: "://", special: userinfo, is: "postgres://me:hunter2@host/db", isNot: "https://example.com:80?to=me@x"},
	{name: "private key", begin: "-----BEGIN ", special: privateKey, is: "-----BEGIN RSA PRIVATE KEY-----\nabc", isNot: "-----BEGIN CERTIFICATE-----"},
}

// byPair is the table by the two bytes with which a shape begins; shapePairs are
// those bytes, and those of a mask.
var byPair, shapePairs = func() (map[uint16][]*shape, pairs) {
	index, found := map[uint16][]*shape{}, pairs{}
	found.add(pair(anonymous, 0))
	for i := range table {
		s := &table[i]
		begins := []string{s.begin[:2]}
		if s.fold {
			low, up := strings.ToLower(s.begin[:2]), strings.ToUpper(s.begin[:2])
			begins = []string{low, up, low[:1] + up[1:], up[:1] + low[1:]}
		}
		for _, begin := range begins {
			found.add(pair(begin, 0))
			index[pair(begin, 0)] = append(index[pair(begin, 0)], s)
		}
	}
	return index, found
}()

func charset(chars string) *[256]bool {
	var set [256]bool
	for i := range len(chars) {
		set[chars[i]] = true
	}
	return &set
}

// find returns what of the text at i is to be masked. after is where the last mask
// ended: what follows it begins a word.
func (s *shape) find(text string, i, after int) (from, to int, ok bool) {
	end := i + len(s.begin)
	if end > len(text) || text[i:end] != s.begin && (!s.fold || !strings.EqualFold(text[i:end], s.begin)) {
		return 0, 0, false
	}
	if i != after && word[s.begin[0]] && !beginsWord(text, i) {
		return 0, 0, false
	}
	if s.special != nil {
		return s.special(s, text, i)
	}
	to = reach(text, end, s.chars)
	return i, to, to-end >= s.min && (!s.mixed || mixed(text[end:to]))
}

func reach(text string, i int, chars *[256]bool) int {
	for i < len(text) && chars[text[i]] {
		i++
	}
	return i
}

// beginsWord reports whether the byte before i is of no word. What ends an escape
// is not: \n in JSON, \u003d, %3D in a URL.
func beginsWord(text string, i int) bool {
	if i == 0 || !word[text[i-1]] {
		return true
	}
	return i >= 2 && text[i-2] == '\\' && strings.IndexByte("abfnrtv", text[i-1]) >= 0 ||
		i >= 3 && text[i-3] == '%' && isHex(text[i-2:i]) ||
		i >= 6 && text[i-6:i-4] == `\u` && isHex(text[i-4:i])
}

func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// mixed reports whether a token looks random: words don't have digits, or upper
// case behind lower case.
func mixed(token string) bool {
	lower := false
	for i := range len(token) {
		switch c := token[i]; {
		case '0' <= c && c <= '9', lower && 'A' <= c && c <= 'Z':
			return true
		case 'a' <= c && c <= 'z':
			lower = true
		}
	}
	return false
}

// jwt finds three parts of base64 with dots between them. None begins behind a
// dash: each of many there would have to be followed to the end.
func jwt(_ *shape, text string, i int) (from, to int, ok bool) {
	if i > 0 && text[i-1] == '-' {
		return 0, 0, false
	}
	to = i
	for part := range 3 {
		end := reach(text, to, dashed)
		if end-to < 8 {
			return 0, 0, false
		}
		if to = end; part < 2 {
			if to == len(text) || text[to] != '.' {
				return 0, 0, false
			}
			to++
		}
	}
	return i, to, true
}

// assigned finds the value that a name gets: name=value, name = value, "name": "value".
func assigned(s *shape, text string, i int) (from, to int, ok bool) {
	const maxBetween = 8 // spaces, quotes, escapes of quotes
	end := i + len(s.begin)
	from = end
	for from < len(text) && from < end+maxBetween && strings.IndexByte(" \t=:\"'\\", text[from]) >= 0 {
		from++
	}
	to = reach(text, from, s.chars)
	return from, to, to-from >= s.min && strings.ContainsAny(text[end:from], "=:")
}

// credentials finds what follows "Bearer" anywhere.
func credentials(s *shape, text string, i int) (from, to int, ok bool) {
	from = i + len(s.begin)
	to = reach(text, from, s.chars)
	return from, to, to-from >= s.min && mixed(text[from:to])
}

// header finds what follows "Authorization: Bearer", whatever it looks like.
func header(s *shape, text string, i int) (from, to int, ok bool) {
	const name = "authorization"
	const maxBetween = 8
	before := text[max(0, i-len(name)-maxBetween):i]
	trimmed := strings.TrimRight(before, " =:\"'\\[")
	if len(trimmed) < len(name) || !strings.EqualFold(trimmed[len(trimmed)-len(name):], name) || !strings.ContainsAny(before[len(trimmed):], "=:") {
		return 0, 0, false
	}
	from = i + len(s.begin)
	to = reach(text, from, s.chars)
	return from, to, to-from >= s.min
}

// userinfo finds the password in scheme://user:password@host.
func userinfo(_ *shape, text string, i int) (from, to int, ok bool) {
	const maxAuthority = 300
	for j := i + 3; j < len(text) && j < i+maxAuthority; j++ {
		switch c := text[j]; {
		case strings.HasPrefix(text[j:], "[redacted"): // the colon in a mask divides nothing
			if end := strings.IndexByte(text[j:min(len(text), i+maxAuthority)], ']'); end > 0 {
				j += end
			}
		case c == '@':
			return from, j, from > 0 && j > from
		case c == ':' && from == 0:
			from = j + 1
		case (c == '?' || c == '#') && (from == 0 || strings.Trim(text[from:j], "0123456789") == ""): // it was a port
			return 0, 0, false
		case c == '/' || c == '\\' || c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>':
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// privateKey finds a PEM block, also one that is cut short.
func privateKey(_ *shape, text string, i int) (from, to int, ok bool) {
	const maxHeader = 80
	header := text[i:min(len(text), i+maxHeader)]
	end := strings.Index(header[len("-----BEGIN "):], "-----")
	if end < 0 || !strings.HasSuffix(header[:len("-----BEGIN ")+end], "PRIVATE KEY") {
		return 0, 0, false
	}
	const footer = "-----END "
	body := i + len("-----BEGIN ") + end
	if at := strings.Index(text[body:], footer); at >= 0 {
		to = body + at + len(footer)
		if rest := strings.Index(text[to:min(len(text), to+maxHeader)], "-----"); rest >= 0 {
			to += rest + len("-----")
		}
		return i, to, true
	}
	return i, len(text), true
}
