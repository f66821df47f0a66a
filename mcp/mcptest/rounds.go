package mcptest

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

// Rounds returns how often a race is run: a few times by go test, and as often
// as the environment variable says by the make target that sets it.
func Rounds(t testing.TB, variable string, few int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, and has to be a number from 1", variable, text)
	}
	return n
}

// Progress says on standard error, now and then, how far a long race is.
func Progress(t testing.TB, round, of int) {
	if round > 0 && round%100 == 0 {
		fmt.Fprintf(os.Stderr, "%s: %d of %d rounds\n", t.Name(), round, of)
	}
}
