package handlers

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/teaagent/teaagent/handlers/tree"
	"github.com/teaagent/teaagent/handlers/uri"
	"github.com/teaagent/teaagent/mcp"
)

const (
	resourcesPage = 100     // files of a page
	lookedAt      = 20_000  // files that are looked at for a page, at most
	maxResource   = 2 << 20 // bytes of a file that is read as a resource
)

// ListResources lists the files of the workspace in the order of their paths,
// as findFiles finds them, less those that hold secrets. A cursor says after
// which path it goes on, so that files may come and go meanwhile.
func (h *Handlers) ListResources(ctx context.Context, cursor string) (page []mcp.Resource, next string, err error) {
	var o tree.Options
	if cursor != "" {
		after, err := readCursor(cursor)
		if err != nil {
			return nil, "", err
		}
		o.From = after + "\x00"
	}
	w := mcp.WorkspaceFrom(ctx)
	walk, err := tree.New(w, o)
	if err != nil {
		return nil, "", err
	}
	looked, last := 0, ""
	for run := range walk.Runs(ctx) {
		for _, e := range run.Files {
			name := run.Path(e)
			if looked++; len(page) == resourcesPage || looked > lookedAt {
				return page, writeCursor(last), nil
			}
			last = name
			if r, ok := resourceOf(w, name); ok {
				page = append(page, r)
			}
		}
	}
	return page, "", tooSlow(ctx)
}

// resourceOf returns the resource that a file is, unless it is none.
func resourceOf(w *mcp.Workspace, name string) (mcp.Resource, bool) {
	info, err := w.Stat(name)
	if err != nil || !info.Mode().IsRegular() || secret(w, name) != "" {
		return mcp.Resource{}, false
	}
	mime := mimeType(name)
	kind := "File"
	if strings.HasPrefix(mime, "text/") {
		kind = "Text"
	}
	return mcp.Resource{
		URI:         uri.Of(name),
		Name:        name,
		Description: fmt.Sprintf("%s in the workspace, %d bytes.", kind, info.Size()),
		MIMEType:    mime,
		Size:        mcp.Some(info.Size()),
	}, true
}

const cursorMark = "after:"

func writeCursor(path string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorMark + path))
}

func readCursor(cursor string) (after string, err error) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	after, ok := strings.CutPrefix(string(text), cursorMark)
	if err != nil || !ok || !fs.ValidPath(after) {
		return "", mcp.ErrBadCursor
	}
	return after, nil
}

// ReadResource reads a file: as text if it is UTF-8, as a blob otherwise, and if
// it has NUL bytes: no text does, and as text each would take six.
func (h *Handlers) ReadResource(ctx context.Context, address string) ([]mcp.ResourceContents, error) {
	name, err := uri.Path(address)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", mcp.ErrNoResource, err)
	}
	w := mcp.WorkspaceFrom(ctx)
	if why := secret(w, name); why != "" {
		return nil, fmt.Errorf("%w: %s is not served, since %s", mcp.ErrNoResource, address, why)
	}
	data, err := w.ReadFile(name, maxResource)
	var coded *mcp.Error
	if errors.As(err, &coded) {
		switch coded.Code {
		case "TOO_LARGE":
			return nil, mcp.Errorf(coded.Code, "%s; read it in parts with the tool teaagent_readFile", coded.Message)
		case "NOT_FOUND", "IS_DIRECTORY", "NOT_A_DIRECTORY", "NOT_A_FILE", "OUTSIDE_WORKSPACE", "INVALID_PATH":
			return nil, fmt.Errorf("%w: %s", mcp.ErrNoResource, coded.Message)
		}
	}
	if err != nil {
		return nil, err
	}
	c := mcp.ResourceContents{URI: address, MIMEType: mimeType(name)}
	if utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 {
		c.Text = string(data)
		if c.MIMEType == "" {
			c.MIMEType = "text/plain"
		}
		return []mcp.ResourceContents{c}, nil
	}
	c.Blob = data
	if c.MIMEType == "" || strings.HasPrefix(c.MIMEType, "text/") {
		c.MIMEType = "application/octet-stream"
	}
	return []mcp.ResourceContents{c}, nil
}

// mimeType tells a file's type by its name; "" if the name says nothing. The
// system's own tables differ from one machine to the next.
func mimeType(name string) string { return mimeTypes[strings.ToLower(path.Ext(name))] }

var mimeTypes = map[string]string{
	".c": "text/x-c", ".cc": "text/x-c++", ".cpp": "text/x-c++", ".h": "text/x-c", ".cs": "text/x-csharp", ".go": "text/x-go",
	".java": "text/x-java", ".js": "text/javascript", ".mjs": "text/javascript", ".ts": "text/x-typescript", ".tsx": "text/x-typescript",
	".py": "text/x-python", ".rb": "text/x-ruby", ".rs": "text/x-rust", ".sh": "text/x-shellscript", ".sql": "text/x-sql", ".swift": "text/x-swift",
	".css": "text/css", ".csv": "text/csv", ".htm": "text/html", ".html": "text/html", ".log": "text/plain", ".md": "text/markdown",
	".mod": "text/plain", ".sum": "text/plain", ".txt": "text/plain", ".xml": "text/xml", ".yaml": "text/yaml", ".yml": "text/yaml",
	".json": "application/json", ".toml": "application/toml", ".wasm": "application/wasm", ".pdf": "application/pdf", ".zip": "application/zip",
	".gz": "application/gzip", ".tar": "application/x-tar", ".gif": "image/gif", ".ico": "image/x-icon", ".jpeg": "image/jpeg", ".jpg": "image/jpeg",
	".png": "image/png", ".svg": "image/svg+xml", ".webp": "image/webp", ".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".wav": "audio/wav", ".mp4": "video/mp4",
}
