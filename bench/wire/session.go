package wire

import (
	"encoding/json"
	"fmt"
	"time"
)

// ProtocolVersion is the revision that the benchmark speaks; every subject serves it.
const ProtocolVersion = "2025-06-18"

// Initialize opens the session.
func (c *Conn) Initialize() error {
	_, err := c.Request("initialize", map[string]any{
		"protocolVersion": ProtocolVersion,
		"capabilities":    map[string]any{},
		"clientInfo":      map[string]any{"name": "bench", "version": "1.0.0"},
	})
	return err
}

// Initialized tells the server that the client is ready, which ends the handshake.
func (c *Conn) Initialized() error { return c.Notify("notifications/initialized") }

// List asks for all tools, page by page, and returns how long the pages took
// together, without the time to check them. It fails unless the server offers
// the named tools, in any order, each once and with the named arguments.
func (c *Conn) List(names, args []string) (time.Duration, error) {
	missing := make(map[string]bool, len(names))
	for _, n := range names {
		missing[n] = true
	}
	var took time.Duration
	params := []byte("{}")
	for {
		id, frame := c.frame("tools/list", params)
		sent := time.Now()
		line, err := c.exchange(id, frame)
		took += time.Since(sent)
		if err != nil {
			return 0, fmt.Errorf("tools/list: %w", err)
		}
		cursor, err := takePage(line, missing, args)
		if err != nil {
			return 0, fmt.Errorf("tools/list: %w", err)
		}
		if cursor == "" {
			break
		}
		if params, err = json.Marshal(map[string]string{"cursor": cursor}); err != nil {
			return 0, err
		}
	}
	if len(missing) > 0 {
		return 0, fmt.Errorf("tools/list: %d of %d tools are missing", len(missing), len(names))
	}
	return took, nil
}

// takePage removes the page's tools from missing and returns the next cursor.
func takePage(line []byte, missing map[string]bool, args []string) (cursor string, err error) {
	m, err := parse(line)
	if err != nil {
		return "", err
	}
	if m.Error != nil {
		return "", fmt.Errorf("answered with an error: %s", excerpt(line))
	}
	var page struct {
		NextCursor string
		Tools      []struct {
			Name        string
			InputSchema struct{ Properties map[string]json.RawMessage }
		}
	}
	if err := json.Unmarshal(m.Result, &page); err != nil {
		return "", fmt.Errorf("%w: %s", err, excerpt(line))
	}
	for _, t := range page.Tools {
		if !missing[t.Name] {
			return "", fmt.Errorf("tool %q was not expected, or came twice", t.Name)
		}
		delete(missing, t.Name)
		for _, a := range args {
			if t.InputSchema.Properties[a] == nil {
				return "", fmt.Errorf("tool %q does not advertise its argument %q", t.Name, a)
			}
		}
	}
	if page.NextCursor != "" && len(page.Tools) == 0 {
		return "", fmt.Errorf("an empty page with a next one: %s", excerpt(line))
	}
	return page.NextCursor, nil
}
