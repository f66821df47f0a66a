package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Whatever is on the disk is a chain of whole lines, each with what it must
// have, or the fault says where it is none. Of a chain that is one, no byte can
// be changed, and no line be left out but at the end.
func FuzzVerify(f *testing.F) {
	_, path := write(f, Options{Header: []byte(`"server":"t"`)}, "a", "b")
	whole := must(os.ReadFile(path))
	for at := range uint16(5) {
		f.Add(whole, at*150, byte(1<<at), false)
		f.Add(bytes.ReplaceAll(whole, []byte("\n"), []byte("\r\n")), at, byte(' '), false)
	}
	f.Add([]byte("{}\n\n"), uint16(1), byte('a'), false)
	f.Add([]byte(""), uint16(0), byte(0), false)
	f.Add(whole[:len(whole)-5], uint16(0), byte(0), false)
	f.Add(append(bytes.Clone(whole), whole...), uint16(0), byte(0), false)
	f.Add(whole[bytes.IndexByte(whole, '\n')+1:], uint16(0), byte(0), false)
	for _, line := range []string{`{"seq":1`, `{"event":"start"`, `{"seq":1,"time":"now","event":"start","prev":""`, `{"seq":-1,"seq":1`, `{"seq":1,"time":"2026-05-01T12:00:00.000Z","event":"start","prev":"` + zeros + `"`, "", "{", `"a"`} {
		f.Add([]byte(line+"\n"+line+"\n"), uint16(1), byte('a'), true)
	}
	dir := f.TempDir()
	name := filepath.Join(dir, "x.jsonl")
	f.Fuzz(func(t *testing.T, data []byte, at uint16, flip byte, seals bool) {
		if seals {
			data = seal(data)
		}
		check := func(data []byte) (Report, error) {
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := verify(chain(t, dir)) // not Verify, which waits for half a line to grow
			if fault := (*Fault)(nil); err != nil && (!errors.As(err, &fault) || fault.Path != name || fault.Line < 0 || fault.Line > bytes.Count(data, []byte("\n"))+1) {
				t.Fatalf("a fault without a place: %v", err)
			}
			return r, err
		}
		r, err := check(data)
		events, faults := NewTail(dir).Next(1000)
		for _, e := range events {
			if !json.Valid(e.Line) || !bytes.Contains(data, append(bytes.Clone(e.Line), '\n')) || e.Time.IsZero() && !bytes.Contains(e.Line, []byte("0001-01-01")) {
				t.Errorf("an event is %+v", e)
			}
		}
		if err != nil {
			return
		}
		if n := bytes.Count(data, []byte("\n")); r.Lines != n || len(events) != min(n, 1000) || len(faults) > 0 || len(data) > 0 && data[len(data)-1] != '\n' {
			t.Fatalf("%+v, %d events and %v of %q", r, len(events), faults, data)
		}
		if len(data) == 0 {
			return
		}
		changed := bytes.Clone(data)
		if changed[int(at)%len(data)] ^= flip; flip != 0 {
			if _, err := check(changed); err == nil {
				t.Errorf("byte %d was changed by %#x, and nobody sees it", int(at)%len(data), flip)
			}
		}
		first := bytes.IndexByte(data, '\n') + 1
		if second := bytes.IndexByte(data[first:], '\n') + 1; second > 0 && first+second < len(data) {
			if _, err := check(append(bytes.Clone(data[:first]), data[first+second:]...)); err == nil {
				t.Error("the second line was left out, and nobody sees it")
			}
			if _, err := check(data[first:]); err == nil {
				t.Error("the first line was left out, and nobody sees it")
			}
		}
	})
}

// seal gives every line the hash that it should have, so that what is behind
// the hash is reached, too.
func seal(data []byte) (sealed []byte) {
	for line := range bytes.Lines(data) {
		body, _, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(`,"hash":"`))
		sealed = fmt.Appendf(sealed, "%s,\"hash\":\"%x\"}\n", body, sha256.Sum256(body))
	}
	return sealed
}
