package mcp_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/mcp"
	"github.com/teaagent/teaagent/mcp/mcptest"
)

const (
	canary   = `cAn4ry"ö/+?&=\tok` // every coding of it differs
	password = `p4ss wörd"&\`
)

// traces are what a secret looks like in the codings that it may leak in.
func traces(secret string) []string {
	quoted, _ := json.Marshal(secret)
	twice, _ := json.Marshal(string(quoted))
	inside := func(s string) string { return strings.Trim(s, `"`) }
	return []string{
		secret, inside(string(quoted)), strings.Trim(string(twice), `\"`),
		url.QueryEscape(secret), url.PathEscape(secret),
		base64.StdEncoding.EncodeToString([]byte("user:" + secret))[8:16],
		base64.RawURLEncoding.EncodeToString([]byte(secret))[:8],
	}
}

// mustNotShow fails if a sink shows a secret, or the first half of it.
func mustNotShow(t *testing.T, sink, text string, secrets ...string) {
	t.Helper()
	for _, secret := range secrets {
		for _, trace := range append(traces(secret), secret[:6]) {
			if i := strings.Index(text, trace); i >= 0 {
				t.Errorf("%s shows %q: …%s…", sink, trace, text[max(0, i-80):min(len(text), i+80)])
				return
			}
		}
	}
}

func quote(s string) string { b, _ := json.Marshal(s); return string(b) }

// Secrets of the environment, and those of arguments, in every way out, come to
// no sink: errors, results (of the environment's), questions, standard error,
// the pending list, the audit log.
func TestSecretsStay(t *testing.T) {
	for _, revision := range []string{"2024-11-05", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			dir := t.TempDir() // whose file canary a command prints
			codings := append(traces(canary)[:5], base64.StdEncoding.EncodeToString([]byte("user:"+canary)))
			text := strings.Repeat("x", 192) + canary + "\n" // astride the cut of a line
			text += strings.Join(codings, "\n") + "\n" + strings.Join(codings, " ")
			text += strings.Repeat("y", mcp.DefaultKeep/2-len(text)-8) + canary // astride those of long output
			text += strings.Repeat("z", 100_000) + canary + strings.Repeat("e", mcp.DefaultKeep/2-5)
			if err := os.WriteFile(filepath.Join(dir, "canary"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			p := fixture.Start(t, mcptest.Options{Home: home, Dir: dir, Env: []string{"FX_CANARY=" + canary}})
			p.Initialize(revision, `{"elicitation":{}}`)
			check := func(what string, f frame, secrets ...string) {
				t.Helper()
				mustNotShow(t, what, f.text, secrets...)
				if f.Result != nil {
					for _, item := range f.Result.Content {
						mustNotShow(t, what+", decoded", item.Text, secrets...)
					}
				}
				if f.Error != nil {
					mustNotShow(t, what+", decoded", f.Error.Message, secrets...)
				}
			}
			for _, how := range []string{"result", "media", "key", "error", "panic", "log", "progress", "file", "ask", "command"} {
				p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fx_showSecret","_meta":{"progressToken":7},"arguments":{"how":%q,"password":%s}}}`, how, quote(password)))
				for {
					f := next(t, p)
					secrets := []string{canary, password}
					if f.Result != nil && !f.Result.IsError || f.Method == "notifications/progress" {
						secrets = []string{canary} // the caller may have its own back
					}
					check(how, f, secrets...)
					if f.Method == "elicitation/create" {
						p.Send(`{"jsonrpc":"2.0","id":` + string(f.ID) + `,"result":{"action":"decline"}}`)
					}
					if string(f.ID) == "1" {
						break
					}
				}
			}
			long := strings.Repeat("x", 36) + canary + strings.Repeat("y", 60) + canary + strings.Repeat("z", 12) // astride every cut
			for name, request := range map[string]string{
				"unknown tool":     toolCall("fx_"+canary[:0]+"echo", `{}`),
				"tool's name":      `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":` + quote(long) + `}}`,
				"method":           `{"jsonrpc":"2.0","id":"x","method":` + quote(long) + `}`,
				"unknown key":      toolCall("fx_echoText", `{`+quote(long)+`:1}`),
				"bad value":        toolCall("fx_countCalls", `{"millis":`+quote(long)+`}`),
				"bad enum":         toolCall("fx_showSecret", `{"how":`+quote(long)+`}`),
				"path":             toolCall("fx_lookAt", `{"path":`+quote(strings.Repeat("x", 120)+long)+`}`),
				"resource":         request(`"x"`, `"resources/read"`, `{"uri":`+quote(long)+`}`),
				"secret argument":  toolCall("fx_dropThings", `{"paths":["a"],"confirm":true,"password":`+quote(password)+`}`),
				"misplaced secret": toolCall("fx_dropThings", `{"paths":["a"],"confirm":true,"passwort":`+quote(password)+`}`),
				"wrong type":       toolCall("fx_dropThings", `{"paths":["a"],"confirm":true,"password":[`+quote(password)+`]}`),
				"plain argument":   toolCall("fx_purgeThing", `{"name":`+quote(canary)+`,"confirm":true}`),
			} {
				p.Send(request)
				for {
					f := next(t, p)
					check(name, f, canary, password)
					if f.Method != "elicitation/create" {
						break
					}
					p.Send(`{"jsonrpc":"2.0","id":` + string(f.ID) + `,"result":{"action":"decline"}}`)
				}
			}
			p.Initialize(revision, "") // nobody can be asked: calls become pending
			for _, request := range []string{
				toolCall("fx_dropThings", `{"paths":[`+quote(canary)+`],"confirm":true,"password":`+quote(password)+`}`),
				toolCall("fx_purgeThing", `{"name":`+quote(canary)+`,"confirm":true}`),
			} {
				p.Send(request)
				check("pending", next(t, p), canary, password)
			}
			p.CloseInput()
			p.Exit(mcptest.Patience)
			mustNotShow(t, "standard error", p.Stderr(), canary, password)
			files := 0
			filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() {
					return err
				}
				files++
				data, err := os.ReadFile(path)
				mustNotShow(t, filepath.Base(path), string(data), canary, password)
				if filepath.Ext(path) == ".jsonl" && !strings.Contains(string(data), "fx_showSecret") {
					t.Errorf("%s does not record the calls", path)
				}
				return err
			})
			if files < 2 {
				t.Errorf("%d files in the home: approvals and an audit log should be there", files)
			}
		})
	}
}

// A secret that is too short to be masked is named at the start.
func TestShortSecret(t *testing.T) {
	p := fixture.Start(t, mcptest.Options{Env: []string{"FX_CANARY=short"}})
	p.AwaitStderr("is not masked", 1)
	p.AwaitStderr("FX_CANARY", 1)
}
