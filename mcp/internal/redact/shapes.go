package redact

import "strings"

// shape is what a kind of token looks like.
type shape struct {
	name  string
	begin string // how it begins, in any case if fold
	fold  bool
	min   int // bytes of the token behind that
	chars *[256]bool
	// keep leaves the beginning as it is: it is no secret, what follows is.
	keep    bool
	special func(text string, i int) (from, to int, ok bool) // instead of the above

	is, isNot string // examples, for the tests
}

var (
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
	{name: "Slack", begin: "xox", min: 12, chars: dashed, is: "xoxb-123456789012-" + x20, isNot: "xoxo love"},
	{name: "AWS key", begin: "AKIA", min: 16, chars: upper, is: "AKIAABCDEFGHIJKLMNOP", isNot: "AKIAN"},
	{name: "AWS session", begin: "ASIA", min: 16, chars: upper, is: "ASIAABCDEFGHIJKLMNOP", isNot: "ASIATIC"},
	{name: "AWS secret", begin: "aws_secret_access_key=", fold: true, min: 30, chars: b64, keep: true, is: "AWS_SECRET_ACCESS_KEY=" + x40, isNot: "aws_secret_access_key=$KEY"},
	{name: "Google", begin: "AIza", min: 30, chars: dashed, is: "AIza" + x40, isNot: "AIzanami"},
	{name: "Stripe", begin: "sk_live_", min: 16, chars: word, is: "sk_live_" + x20, isNot: "sk_live_"},
	{name: "Stripe restricted", begin: "rk_live_", min: 16, chars: word, is: "rk_live_" + x20, isNot: "rk_live_x"},
	{name: "OpenAI, Anthropic", begin: "sk-", min: 20, chars: dashed, is: "sk-ant-" + x40, isNot: "sk-learn"},
	{name: "npm", begin: "npm_", min: 30, chars: word, is: "npm_" + x40, isNot: "npm_config_registry"},
	{name: "PyPI", begin: "pypi-", min: 30, chars: dashed, is: "pypi-" + x40, isNot: "pypi-server"},
	{name: "Hugging Face", begin: "hf_", min: 30, chars: word, is: "hf_" + x40, isNot: "hf_hub_download"},
	{name: "JSON web token", begin: "eyJ", min: 20, chars: b64, special: jwt, is: "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl", isNot: "eyJhbGciOiJIUzI1NiJ9"},
	{name: "bearer", begin: "bearer ", fold: true, min: 12, chars: b64, keep: true, is: "Bearer " + x20, isNot: "bearer of news"},
	{name: "basic", begin: "basic ", fold: true, min: 12, chars: b64, keep: true, is: "Basic dXNlcjpwYXNzd29yZA==", isNot: "basic knowledge"},
	{name: "password in a URL", begin: "://", special: userinfo, is: "postgres://me:hunter2@host/db", isNot: "https://example.com:80/@x"},
	{name: "private key", begin: "-----BEGIN ", special: privateKey, is: "-----BEGIN RSA PRIVATE KEY-----\nabc", isNot: "-----BEGIN CERTIFICATE-----"},
}

// byFirst is the table by the byte with which a shape begins.
var byFirst = func() (index [256][]*shape) {
	for i := range table {
		s := &table[i]
		first := s.begin[0]
		index[first] = append(index[first], s)
		if s.fold {
			index[first&^0x20] = append(index[first&^0x20], s)
		}
	}
	return index
}()

func charset(chars string) *[256]bool {
	var set [256]bool
	for i := range len(chars) {
		set[chars[i]] = true
	}
	return &set
}

// find returns what of the text at i is to be masked.
func (s *shape) find(text string, i int) (from, to int, ok bool) {
	end := i + len(s.begin)
	if end > len(text) || text[i+1] != s.begin[1] && !s.fold || text[i:end] != s.begin && (!s.fold || !strings.EqualFold(text[i:end], s.begin)) {
		return 0, 0, false
	}
	if s.special != nil {
		return s.special(text, i)
	}
	if i > 0 && word[text[i-1]] {
		return 0, 0, false
	}
	to = span(text, end, s.chars)
	if to-end < s.min {
		return 0, 0, false
	}
	if s.keep {
		return end, to, true
	}
	return i, to, true
}

func span(text string, i int, chars *[256]bool) int {
	for i < len(text) && chars[text[i]] {
		i++
	}
	return i
}

// jwt finds three parts of base64 with dots between them.
func jwt(text string, i int) (from, to int, ok bool) {
	if i > 0 && word[text[i-1]] {
		return 0, 0, false
	}
	to = i
	for part := range 3 {
		end := span(text, to, dashed)
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

// userinfo finds the password in scheme://user:password@host.
func userinfo(text string, i int) (from, to int, ok bool) {
	const maxAuthority = 300
	for j := i + 3; j < len(text) && j < i+maxAuthority; j++ {
		switch c := text[j]; {
		case c == '@':
			return from, j, from > 0 && j > from
		case c == ':' && from == 0:
			from = j + 1
		case c == '/' || c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>':
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// privateKey finds a PEM block, also one that is cut short.
func privateKey(text string, i int) (from, to int, ok bool) {
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
