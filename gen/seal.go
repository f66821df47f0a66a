package gen

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/teaagent/teaagent/gen/internal/plan"
	"github.com/teaagent/teaagent/gen/spec"
)

// A seal remembers that the last run of Generate in a folder found nothing to
// say and nothing to change. It holds the digest of everything that run read and
// wrote: this program, go.mod, specs, handlers, generated files, manifest and list
// of variables. While no byte of them differs there is nothing to do: 1000 tools take 0.2 s in
// place of 0.6, most of which formats Go that is there already. Verify trusts no
// seal.
type seal struct {
	file   string // empty where there is no cache folder, or something can't be read
	digest string
}

func sealOf(o Options) seal {
	cache, err := os.UserCacheDir()
	if err != nil || o.unlinted {
		return seal{}
	}
	program, err := os.Executable()
	if err != nil {
		return seal{}
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return seal{}
	}
	place := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", dir, o.Specs, o.Profiles))
	h := sha256.New()
	specs := o.Specs
	if !filepath.IsAbs(specs) {
		specs = filepath.Join(o.Dir, specs)
	}
	for _, root := range []string{
		program, specs, filepath.Join(o.Dir, "go.mod"), filepath.Join(o.Dir, plan.Handlers),
		filepath.Join(o.Dir, plan.Generated), filepath.Join(o.Dir, plan.Manifest),
		filepath.Join(o.Dir, plan.EnvFile),
	} {
		if addTree(h, root) != nil {
			return seal{}
		}
	}
	return seal{filepath.Join(cache, "teagen", hex.EncodeToString(place[:])), hex.EncodeToString(h.Sum(nil))}
}

// addTree hashes the names and contents of the files below root, or that there
// is no root: a server without variables has no list of them. What is no regular
// file, a link above all, is left to the run that looks closer.
func addTree(h io.Writer, root string) error {
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if name == root && errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(h, "%q is missing\n", name)
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is not a regular file", name)
		}
		data, err := os.ReadFile(name)
		fmt.Fprintf(h, "%q %d\n", name, len(data))
		h.Write(data)
		return err
	})
}

// report returns what the sealed run reported, if there is one.
func (s seal) report() (*Report, bool) {
	data, err := os.ReadFile(s.file)
	if s.file == "" || err != nil {
		return nil, false
	}
	r := &Report{Settled: true, set: &spec.Set{}}
	digest := ""
	_, err = fmt.Sscanf(string(data), "%s %d categories, %d tools\n", &digest, &r.Categories, &r.Tools)
	return r, err == nil && digest == s.digest
}

// write seals a run that had nothing to say and nothing to change. That it
// could not be written costs only time.
func (s seal) write(r *Report) {
	if s.file == "" || len(r.Findings) > 0 || len(r.Changes) > 0 || !r.Settled {
		return
	}
	if os.MkdirAll(filepath.Dir(s.file), 0o700) == nil {
		os.WriteFile(s.file, fmt.Appendf(nil, "%s %d categories, %d tools\n", s.digest, r.Categories, r.Tools), 0o600)
	}
}
