package lock

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"

	"github.com/teaagent/teaagent/mcp/internal/store"
)

// Whatever is on the disk is what it says, or an error to everybody who asks,
// and then it stays as it is. Nothing but a list without records is taken for
// "nothing is locked".
func FuzzRegistry(f *testing.F) {
	for _, text := range []string{
		`{"locks":[]}`, `{"locks":null}`, `{"locks":[null]}`, `{}`, ``, `null`, `[]`, `{"Locks":[]}`, `{"locks":[]}{}`, `{"locks":[],"locks":[]}`, `{"locks":[],"x":1}`, "{\"locks\":[]}\x00",
		`{"locks":[{"workspace_path":"/w","owner_pid":1,"acquired_at":"2026-05-01T12:00:00+02:00","server":"\u001b"},{"workspace_path":"/w/x","owner_pid":4194304,"acquired_at":"0001-01-01T00:00:00Z"}]}`,
		`{"locks":[{"workspace_path":"w","owner_pid":1}]}`, `{"locks":[{"workspace_path":"/w/../x","owner_pid":1}]}`, `{"locks":[{"workspace_path":"/","owner_pid":1}]}`,
		`{"locks":[{"workspace_path":"/w","owner_pid":0}]}`, `{"locks":[{"workspace_path":"/w","owner_pid":1e3}]}`, `{"locks":[{"workspace_path":"/w","owner_pid":1,"acquired_at":"now"}]}`,
	} {
		f.Add([]byte(text))
	}
	h := home(f, f.TempDir())
	const workspace = "/nowhere/at/all"
	f.Fuzz(func(t *testing.T, data []byte) {
		put := func(data []byte) {
			if err := os.WriteFile(h.Path(File), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		put(data)
		list, err := List(t.Context(), h)
		if err != nil {
			if corrupt := (*store.CorruptError)(nil); !errors.As(err, &corrupt) {
				t.Errorf("List: %v", err)
			}
			if l, err := Acquire(t.Context(), h, workspace, "s"); err == nil {
				l.Release()
				t.Error("a workspace was taken, though the registry can't be read")
			}
			if now, _ := os.ReadFile(h.Path(File)); string(now) != string(data) {
				t.Errorf("what can't be read was written over: %q", now)
			}
			return
		}
		var read registry
		var plain struct{ Locks []any }
		if err := errors.Join(json.Unmarshal(data, &read), json.Unmarshal(data, &plain)); err != nil || len(list) != len(plain.Locks) || plain.Locks == nil {
			t.Fatalf("%d records of %v (%v)", len(list), plain.Locks, err)
		}
		for _, s := range list {
			if s.Alive {
				t.Errorf("nobody holds %s", s.Path)
			}
		}
		text, err := json.Marshal(read)
		if err != nil {
			t.Fatal(err)
		}
		put(text)
		if again, err := List(t.Context(), h); err != nil || !reflect.DeepEqual(again, list) {
			t.Errorf("written again it is %+v, not %+v (%v)", again, list, err)
		}
		l, err := Acquire(t.Context(), h, workspace, "s")
		if err != nil {
			t.Fatalf("nobody holds anything: %v", err)
		}
		if now, err := List(t.Context(), h); err != nil || len(now) != 1 || now[0].Path != workspace || !now[0].Alive {
			t.Errorf("of the dead and the living are listed: %+v (%v)", now, err)
		}
		if err := l.Release(); err != nil {
			t.Error(err)
		}
	})
}
