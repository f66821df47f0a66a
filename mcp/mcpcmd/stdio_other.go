//go:build !unix

package mcpcmd

import (
	"context"
	"io"
	"os"
)

// claimStdout keeps standard output for the frames: what others print to
// os.Stdout goes to standard error.
func claimStdout([]string) (io.Writer, error) {
	frames := os.Stdout
	os.Stdout = os.Stderr
	return frames, nil
}

// watchParent does nothing: only the end of the input tells that the client is gone.
func watchParent(context.Context, func()) {}
