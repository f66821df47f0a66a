package audit

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// write makes a chain of events in a new folder and returns its file.
func write(t testing.TB, o Options, events ...string) (dir, path string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "audit")
	l := Open(dir, o)
	for _, e := range events {
		if err := l.Add([]byte(`"event":"`+e+`"`), false); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, chain(t, dir).Parts[0]
}

func chain(t testing.TB, dir string) Chain {
	t.Helper()
	chains, err := Chains(dir)
	if err != nil || len(chains) != 1 {
		t.Fatalf("want one chain, got %v (%v)", chains, err)
	}
	return chains[0]
}

func TestVerify(t *testing.T) {
	dir, path := write(t, Options{Header: []byte(`"server":"t"`)}, "a", "b")
	r, err := Verify(chain(t, dir))
	if err != nil || r != (Report{Lines: 4, Ended: true}) {
		t.Errorf("got %+v, %v", r, err)
	}
	data, _ := os.ReadFile(path)
	if !bytes.Contains(data, []byte(`"event":"start","part":1,"server":"t","prev":"0000`)) {
		t.Errorf("the first line is %s", data)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

// Whatever byte is changed, Verify says where.
func TestEveryByteCounts(t *testing.T) {
	dir, path := write(t, Options{}, "a")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	line := 1
	for i := range data {
		for _, b := range []byte{data[i] ^ 1, data[i] ^ 0x20, ' ', '\n', 0} {
			if b == data[i] {
				continue
			}
			bad := bytes.Clone(data)
			bad[i] = b
			os.WriteFile(path, bad, 0o600)
			var fault *Fault
			if _, err := Verify(chain(t, dir)); !errors.As(err, &fault) {
				t.Fatalf("byte %d (%q to %q): not noticed", i, data[i], b)
			} else if fault.Line != line {
				t.Errorf("byte %d (%q to %q) of line %d: %v", i, data[i], b, line, err)
			}
		}
		if data[i] == '\n' {
			line++
		}
	}
}

func TestLinesMissingOrMoved(t *testing.T) {
	dir, path := write(t, Options{}, "a", "b", "c")
	data, _ := os.ReadFile(path)
	all := strings.SplitAfter(strings.TrimSuffix(string(data), "\n")+"\n", "\n")[:5]
	for name, c := range map[string]struct {
		lines []string
		says  string
	}{
		"removed":    {[]string{all[0], all[2], all[3], all[4]}, ":2: line 3 of the chain comes after line 1"},
		"swapped":    {[]string{all[0], all[2], all[1], all[3], all[4]}, ":2: "},
		"repeated":   {[]string{all[0], all[1], all[1], all[2], all[3], all[4]}, ":3: "},
		"first gone": {all[1:], ":1: "},
		"after end":  {append(append([]string{}, all...), all[4]), ":6: a line after the end"},
		"half":       {[]string{all[0], all[1][:20]}, ":2: "},
		"no newline": {[]string{all[0], strings.TrimSuffix(all[1], "\n")}, ":2: the line has no end"},
		"cut":        {all[:3], ""},
		"empty":      {nil, ""},
	} {
		os.WriteFile(path, []byte(strings.Join(c.lines, "")), 0o600)
		r, err := Verify(chain(t, dir))
		if c.says == "" && (err != nil || r.Ended) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: got %+v, %v; want %q", name, r, err, c.says)
		}
	}
}

func TestRotation(t *testing.T) {
	dir, _ := write(t, Options{MaxBytes: 500}, strings.Split(strings.Repeat("a", 20), "")...)
	c := chain(t, dir)
	r, err := Verify(c)
	if err != nil || !r.Ended || len(c.Parts) < 5 || r.Lines != 20+len(c.Parts)+1 {
		t.Fatalf("got %+v, %v in %d parts", r, err, len(c.Parts))
	}
	os.Remove(c.Parts[2])
	if _, err := Verify(chain(t, dir)); err == nil || !strings.Contains(err.Error(), "part 3 of the chain is missing") {
		t.Errorf("a missing part: %v", err)
	}
	os.Remove(c.Parts[0])
	os.Remove(c.Parts[1])
	if _, err := Verify(chain(t, dir)); err == nil || !strings.Contains(err.Error(), "3 parts of the chain are missing before it") {
		t.Errorf("a chain whose first parts were removed: %v", err)
	}
	dir, _ = write(t, Options{MaxBytes: 1}, strings.Split(strings.Repeat("a", maxParts+9), "")...)
	c = chain(t, dir)
	if r, err := Verify(c); err != nil || !r.Cut || !r.Ended || len(c.Parts) != maxParts {
		t.Errorf("a chain that is longer than is kept: %+v, %v in %d parts", r, err, len(c.Parts))
	}
}

func TestManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	l := Open(dir, Options{MaxBytes: 20_000})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 200 {
				if err := l.Add(fmt.Appendf(nil, `"event":"e","n":%d`, i*1000+j), j%7 == 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	l.Close()
	c := chain(t, dir)
	if r, err := Verify(c); err != nil || r.Lines != 1600+len(c.Parts)+1 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// An event is on file at once if asked for, and soon if not.
func TestWhenWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		l := Open(dir, Options{})
		count := func() int {
			chains, err := Chains(dir)
			if err != nil || len(chains) == 0 {
				return 0
			}
			r, _ := Verify(chains[0])
			return r.Lines
		}
		l.Add([]byte(`"event":"slow"`), false)
		if n := count(); n != 0 {
			t.Errorf("%d lines are written at once", n)
		}
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		if n := count(); n != 2 {
			t.Errorf("%d lines are written after a tenth of a second", n)
		}
		l.Add([]byte(`"event":"fast"`), true)
		if n := count(); n != 3 {
			t.Errorf("%d lines are written though it was asked for", n)
		}
		l.Close()
		if err := l.Add([]byte(`"event":"late"`), true); err == nil {
			t.Error("an event after the end is taken")
		}
	})
}

func TestNoEventNoFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "audit")
	if err := Open(dir, Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Error("a log without events has made its folder")
	}
}

// A log that can't be written says so with each event, until it can be again.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	l := Open(dir, Options{})
	if err := l.Add([]byte(`"event":"a"`), true); err != nil {
		t.Fatal(err)
	}
	good := l.file
	broken, err := os.Open(chain(t, dir).Parts[0]) // for reading only
	if err != nil {
		t.Fatal(err)
	}
	l.file = broken
	for range 2 {
		if err := l.Add([]byte(`"event":"b"`), true); err == nil {
			t.Fatal("an event that is not on file was taken")
		}
	}
	if err := l.Add([]byte(`"event":"c"`), false); err == nil {
		t.Error("an event after one that was not written was taken")
	}
	l.file = good
	if err := l.Add([]byte(`"event":"d"`), true); err != nil {
		t.Error(err)
	}
	l.Close()
	if r, err := Verify(chain(t, dir)); err != nil || r.Lines != 4 {
		t.Errorf("what was refused is on file, or what was not is missing: %+v, %v", r, err)
	}
	if err := Open(dir, Options{}).Add(make([]byte, maxLine), false); err == nil {
		t.Error("an event that no reader takes was taken")
	}
	if err := Open(filepath.Join(dir, "x\x00"), Options{}).Add([]byte(`"event":"a"`), false); err == nil {
		t.Error("a folder that can't be made is no error")
	}
}

func TestTail(t *testing.T) {
	dir, path := write(t, Options{}, "a", "b")
	os.WriteFile(path, append([]byte("junk\n"), must(os.ReadFile(path))...), 0o600)
	os.Mkdir(filepath.Join(dir, "folder.jsonl"), 0o700)
	tail := NewTail(dir)
	events, faults := tail.Next(2)
	if len(events) != 2 || events[0].Event != "b" || events[1].Event != "end" || len(faults) != 1 {
		t.Errorf("got %+v and %v", events, faults)
	}
	l := Open(dir, Options{})
	l.Add([]byte(`"event":"later"`), true)
	if events, _ := tail.Next(9); len(events) != 2 || events[1].Event != "later" {
		t.Errorf("what came later: %+v", events)
	}
	if events, _ := tail.Next(9); len(events) != 0 {
		t.Errorf("nothing came, but %+v", events)
	}
	if events, faults := NewTail(filepath.Join(dir, "none")).Next(5); events != nil || faults != nil {
		t.Errorf("without a folder: %v, %v", events, faults)
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

func BenchmarkAdd(b *testing.B) {
	l := Open(b.TempDir(), Options{})
	event := []byte(`"event":"call","tool":"fx_echoText","arguments":"{\"text\":\"hello\"}","outcome":"ok","ms":0.012`)
	b.ReportAllocs()
	for b.Loop() {
		l.Add(event, false)
	}
}
