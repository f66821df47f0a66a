package temps

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// killed leaves a record as a killed process does, whose locks the system drops.
func killed(t *testing.T, path string, names ...string) {
	t.Helper()
	r := New(path, func(string) error { return nil })
	for _, name := range names {
		if _, err := r.Add(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestClean(t *testing.T) {
	path := filepath.Join(t.TempDir(), "temps", "w")
	killed(t, path, "a", "dir/b\nc", "stuck")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("no name\n\"cut")
	f.Close()

	var removed []string
	stuck := errors.New("is stuck")
	r := New(path, func(name string) error {
		if name == "stuck" && stuck != nil {
			return stuck
		}
		removed = append(removed, name)
		return nil
	})
	if err := r.Clean(); !errors.Is(err, stuck) || !strings.Contains(err.Error(), "no name") {
		t.Errorf("Clean: %v", err)
	}
	if want := []string{"a", "dir/b\nc"}; !slices.Equal(removed, want) {
		t.Errorf("removed %q, want %q", removed, want)
	}
	// What could not be removed stays recorded, past the life of other names.
	done, err := r.Add("d")
	if err != nil {
		t.Fatal(err)
	}
	done()
	r.Close()
	stuck, removed = nil, nil
	if err := r.Clean(); err != nil || !slices.Equal(removed, []string{"stuck"}) {
		t.Errorf("then Clean removed %q, %v", removed, err)
	}
	removed = nil
	if err := r.Clean(); err != nil || removed != nil {
		t.Errorf("at last Clean removed %q, %v", removed, err)
	}
}

// TestAlive: the files of a process that lives are let alone.
func TestAlive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	alive := New(path, func(string) error { return nil })
	done, err := alive.Add("a")
	if err != nil {
		t.Fatal(err)
	}
	other := New(path, func(name string) error {
		t.Errorf("%s was removed", name)
		return nil
	})
	if err := other.Clean(); err != nil {
		t.Error(err)
	}
	done()
	if data, err := os.ReadFile(path); len(data) > 0 || err != nil {
		t.Errorf("the record has %q, %v, when nothing is being written", data, err)
	}
	alive.Close()
}

// TestHostile: a record is bytes from outside like any other.
func TestHostile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	if err := os.WriteFile(path, []byte("\x00\xff\n\n\n\"\\q\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := New(path, func(name string) error {
		t.Errorf("%q was removed", name)
		return nil
	})
	if err := r.Clean(); err == nil {
		t.Error("a broken record is taken for an empty one")
	}
	if err := os.Truncate(path, maxRecord+1); err != nil {
		t.Fatal(err)
	}
	if err := r.Clean(); err == nil {
		t.Error("a record that is too large is taken for an empty one")
	}
}
