package handlers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// StatPath describes what is at a path, a link itself.
func (h *Handlers) StatPath(ctx context.Context, a generated.StatPathArgs) (generated.StatPathResult, error) {
	var r generated.StatPathResult
	w := mcp.WorkspaceFrom(ctx)
	info, err := w.Lstat(a.Path)
	if err != nil {
		return r, err
	}
	r.Kind, r.Size = generated.StatPathKindOther, info.Size()
	r.Mode = fmt.Sprintf("%04o", info.Mode().Perm())
	r.Modified = info.ModTime().UTC().Format(time.RFC3339Nano)
	switch {
	case info.IsDir():
		r.Kind = generated.StatPathKindDirectory
	case info.Mode()&fs.ModeSymlink != 0:
		r.Kind = generated.StatPathKindLink
		target, err := w.Readlink(a.Path)
		if err != nil {
			return r, err
		}
		r.Target = mcp.Some(strings.ToValidUTF8(target, "\ufffd"))
	case info.Mode().IsRegular():
		r.Kind = generated.StatPathKindFile
	}
	if !a.Hash {
		return r, nil
	}
	if r.Kind != generated.StatPathKindFile {
		return r, mcp.Errorf("NOT_A_FILE", "%q is a %s, which has no SHA-256", a.Path, r.Kind)
	}
	f, err := w.Open(a.Path)
	if err != nil {
		return r, err
	}
	defer f.Close()
	sum := sha256.New()
	buf := make([]byte, 256<<10)
	for err == nil && ctx.Err() == nil {
		var n int
		n, err = f.Read(buf)
		sum.Write(buf[:n])
	}
	if err != nil && err != io.EOF {
		return r, fmt.Errorf("read %q: %w", a.Path, err)
	}
	r.Sha256 = mcp.Some(hex.EncodeToString(sum.Sum(nil)))
	return r, ctx.Err()
}
