package gen

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMain keeps the seals of the tests' folders out of the user's cache. Go's
// own stays where it is.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		cache, err := exec.Command("go", "env", "GOCACHE").Output()
		if err != nil {
			panic(err)
		}
		os.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
		dir, err := os.MkdirTemp("", "teagen-cache-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		os.Setenv("XDG_CACHE_HOME", dir)
		return m.Run()
	}())
}
