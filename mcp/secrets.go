package mcp

import (
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/teaagent/teaagent/mcp/internal/lex"
	"github.com/teaagent/teaagent/mcp/internal/redact"
)

// Secrets knows the values that must not leave the server: those of secret
// environment variables, and of the secret arguments of calls. They, and what
// looks like a token, are masked in errors, logs, prompts, the pending list and
// the audit log; the former also in successful results.
type Secrets struct {
	env *redact.Set                // of the environment: never changes
	all atomic.Pointer[redact.Set] // with the arguments' values

	mu     sync.Mutex
	recent []string // arguments' values, oldest first
}

// keepSecrets bounds how many values of arguments are remembered. A handler may
// name one of an earlier call, but hardly one that is this old.
const keepSecrets = 256

// NewSecrets reads the secret variables. short are those too short to be told
// from ordinary text: they are not masked.
func NewSecrets(env []EnvVar, getenv func(string) string) (s *Secrets, short []string) {
	var values []redact.Secret
	for _, v := range env {
		if v.Secret {
			values = append(values, redact.Secret{Name: v.Name, Value: getenv(v.Name)})
		}
	}
	s = new(Secrets)
	s.env, short = redact.New(values)
	s.all.Store(s.env)
	return s, short
}

// Writer returns a writer that masks what is written to w, each Write as a
// whole. It is meant for lines of a log.
func (s *Secrets) Writer(w io.Writer) io.Writer { return redact.Writer(w, s.all.Load) }

// head masks a text and cuts it to max bytes.
func (s *Secrets) head(text string, max int) string { return s.all.Load().Head(text, max) }

// Mask masks secrets in a text that is to be shown.
func (s *Secrets) Mask(text string) string { return s.all.Load().Text(text) }

// brief masks a text, then cuts it. Without secrets it only cuts.
func (s *Secrets) brief(text string) string {
	if s == nil {
		return shorten(text)
	}
	return shorten(s.Mask(text))
}

// remember adds the values of a call's secret arguments.
func (s *Secrets) remember(values []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.recent)
	for _, v := range values {
		if !slices.Contains(s.recent, v) {
			s.recent = append(s.recent, v)
		}
	}
	if len(s.recent) == before {
		return
	}
	if over := len(s.recent) - keepSecrets; over > 0 {
		s.recent = slices.Delete(s.recent, 0, over)
	}
	s.all.Store(s.env.With(s.recent...))
}

// maskValues returns what masks the environment's secrets in a result, or nil if
// there are none. The caller's own arguments it may have back.
func (s *Secrets) maskValues() func(string) string {
	if s == nil || s.env.Empty() {
		return nil
	}
	return s.env.Values
}

// maskJSON masks the texts in a JSON value. Where that is not possible without
// breaking it, as when a number is a secret, it hides the whole value.
func maskJSON(value []byte, mask func(string) string) []byte {
	text := string(value)
	masked := mask(text)
	if masked == text {
		return value
	}
	if lex.Valid([]byte(masked)) != nil {
		return []byte(`"[redacted]"`)
	}
	return []byte(masked)
}
