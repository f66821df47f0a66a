package handlers_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers"
	"github.com/teaagent/teaagent/mcp"
)

// inside is a server within the test, which the fuzzer sees through: requests
// go in and answers come out one at a time.
type inside struct {
	in  io.Writer
	out *bufio.Reader
}

// answer is an answer to one of the methods of resources.
type answer struct {
	Result *struct {
		Resources  []struct{ URI, Name string }
		NextCursor *string
		Contents   []struct {
			URI        string
			Text, Blob *string
		}
	}
	Error struct {
		Code    int
		Message string
	}
}

// serveInside starts a server in a workspace with the files.
func serveInside(f *testing.F, files map[string]string) *inside {
	dir := f.TempDir()
	for name, text := range files {
		write(f, filepath.Join(dir, name), text)
	}
	root, err := mcp.OpenWorkspace(dir)
	if err != nil {
		f.Fatal(err)
	}
	h, err := handlers.New(mcp.Env{Root: root})
	if err != nil {
		f.Fatal(err)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- mcp.Serve(context.Background(), &generated.Server, h, mcp.Options{In: inR, Out: outW, Root: root, Log: slog.New(slog.DiscardHandler)})
		outW.Close()
	}()
	f.Cleanup(func() {
		inW.Close()
		if err := <-served; err != nil {
			f.Error(err)
		}
	})
	return &inside{inW, bufio.NewReader(outR)}
}

// ask sends a request and reads its answer.
func (s *inside) ask(t testing.TB, method, param, value string) (a answer) {
	t.Helper()
	quoted, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(s.in, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":%q,\"params\":{%q:%s}}\n", method, param, quoted)
	line, err := s.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &a)
	}
	if err != nil || (a.Result == nil) == (a.Error.Code == 0) {
		t.Fatalf("%s %q is answered %q (%v)", method, value, line, err)
	}
	return a
}

// list follows the list from a cursor to its end.
func (s *inside) list(t testing.TB, cursor string) (names, cursors []string, refused bool) {
	t.Helper()
	for seen := map[string]bool{}; ; cursors = append(cursors, cursor) {
		a := s.ask(t, "resources/list", "cursor", cursor)
		if a.Result == nil {
			if a.Error.Code != -32602 || !strings.Contains(a.Error.Message, "cursor") || len(seen) > 0 {
				t.Fatalf("cursor %q: %+v", cursor, a.Error)
			}
			return nil, nil, true
		}
		for _, r := range a.Result.Resources {
			names = append(names, r.Name)
		}
		if a.Result.NextCursor == nil {
			return names, cursors, false
		}
		if cursor = *a.Result.NextCursor; seen[cursor] || cursor == "" {
			t.Fatalf("the cursor %q comes again", cursor)
		}
		seen[cursor] = true
	}
}

// A cursor, whoever made it up, is refused, or it leads into the one list, and
// from there to its end: nothing comes twice, out of order, or is left out.
func FuzzCursor(f *testing.F) {
	files := map[string]string{"a.txt": "", "a/b": "", "a-b/c": "", "a/b.d/e": "", "ä/\u2028": "", "a b": "", ".env": "S=1", "z/%2e": ""}
	for i := range 130 {
		files[fmt.Sprintf("d%d/f%03d", i%3, i)] = ""
	}
	s := serveInside(f, files)
	all, cursors, _ := s.list(f, "")
	if len(all) != len(files)-1 || len(cursors) != 1 {
		f.Fatalf("%d resources of %d files, %d cursors", len(all), len(files), len(cursors))
	}
	const mark = "after:"
	code := base64.RawURLEncoding.EncodeToString
	f.Add(cursors[0])
	for _, path := range append(slices.Clone(all), "", ".", "..", "/", "a/", "a", "a/b/c", "a\x00", "nowhere", "~", "d1/../d1", "\xff", ".env", "d0/f") {
		f.Add(code([]byte(mark + path)))
	}
	f.Add(base64.URLEncoding.EncodeToString([]byte(mark + "a")))
	f.Add(code([]byte("a")))
	f.Fuzz(func(t *testing.T, cursor string) {
		if !utf8.ValidString(cursor) {
			return
		}
		rest, _, refused := s.list(t, cursor)
		if from := len(all) - len(rest); !refused && (from < 0 || !slices.Equal(rest, all[from:])) {
			t.Fatalf("cursor %q leads to %q, which is no end of the list", cursor, rest)
		}
		text, err := base64.RawURLEncoding.DecodeString(cursor)
		after, ours := strings.CutPrefix(string(text), mark)
		if i := slices.Index(all, after); err == nil && ours && i >= 0 && code(text) == cursor && !slices.Equal(rest, all[i+1:]) {
			t.Errorf("after %s come %q", after, rest)
		}
	})
}

// A URI, however it is spelt, leads to the file that it names when it is decoded
// once, or nowhere; and never to one that holds secrets or lies outside.
func FuzzResourceURI(f *testing.F) {
	served := map[string]string{"a/b.txt": "bee", "ä ü%20.md": "text", "nul": "a\x00b", "..a/...": "dots", "-": "\xff", "a\\b": "back"}
	files := map[string]string{".env": "TOP=SECRET", "a/.ssh/id_rsa": "SECRET", ".git/config": "config"}
	for name, text := range served {
		files[name] = text
	}
	s := serveInside(f, files)
	const prefix = "teaagent://workspace/"
	for name := range files {
		f.Add(prefix + name)
		f.Add(prefix + url.PathEscape(name))
		f.Add(prefix + strings.ReplaceAll(url.PathEscape(name), "%2F", "/"))
		f.Add(prefix + url.PathEscape(url.PathEscape(name)))
	}
	for _, uri := range []string{
		"", "a/b.txt", prefix, prefix + "a", prefix + "a/../a/b.txt", prefix + "a//b.txt", prefix + "./a/b.txt", prefix + "%2e%2e/a", prefix + "a/b.txt?x", prefix + "a/b.txt#x", prefix + "a/b.txt%00",
		prefix + "%2e%65nv", prefix + "a/b.txt/", prefix + "%", "TEAAGENT://workspace/a/b.txt", "file:///etc/passwd", prefix + "%2Fetc%2Fpasswd", prefix + "a%2fb.txt", prefix + strings.Repeat("a/", 3000),
	} {
		f.Add(uri)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		if !utf8.ValidString(uri) {
			return
		}
		a := s.ask(t, "resources/read", "uri", uri)
		if a.Result == nil {
			name, err := url.PathUnescape(strings.TrimPrefix(uri, prefix))
			if _, is := served[name]; err == nil && is && uri == prefix+strings.ReplaceAll(url.PathEscape(name), "%2F", "/") {
				t.Errorf("%q is not served: %+v", uri, a.Error)
			}
			if a.Error.Code != -32602 {
				t.Errorf("%q: %+v", uri, a.Error)
			}
			return
		}
		if len(a.Result.Contents) != 1 || a.Result.Contents[0].URI != uri || (a.Result.Contents[0].Text == nil) == (a.Result.Contents[0].Blob == nil) {
			t.Fatalf("%q: %+v", uri, a.Result)
		}
		var data []byte
		if text := a.Result.Contents[0].Text; text != nil {
			data = []byte(*text)
		} else if got, err := base64.StdEncoding.DecodeString(*a.Result.Contents[0].Blob); err == nil {
			data = got
		}
		name, err := url.PathUnescape(strings.TrimPrefix(uri, prefix))
		if want, is := served[name]; err != nil || !is || string(data) != want {
			t.Errorf("%q is %q", uri, data)
		}
	})
}
