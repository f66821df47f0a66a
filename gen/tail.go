package gen

import (
	"strings"
	"sync"
)

// tail keeps the end of what a server writes to standard error, for the
// message that says why it did not start.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 2000

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if cut := len(t.text) - tailSize; cut > 0 {
		t.text = append(t.text[:0], t.text[cut:]...)
	}
	return len(p), nil
}

// said returns what there is, as the end of an error's text.
func (t *tail) said() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.text), "?"))
	if text == "" {
		return ""
	}
	return "; it wrote:\n" + text
}
