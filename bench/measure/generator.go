package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/teaagent/teaagent/bench/report"
	"github.com/teaagent/teaagent/bench/subject"
)

// Generator measures the generator and the build of what it generates: our
// largest server, which must have been prepared and is ready to start then.
func Generator(ctx context.Context, w *subject.Workshop, p Plan, stats report.Stats) error {
	teagen, err := w.Generator(ctx)
	if err != nil {
		return err
	}
	for i := range p.Generates {
		w.Progress("generating %d tools, run %d of %d", subject.Largest, i+1, p.Generates)
		took, err := generate(ctx, w, teagen)
		if err != nil {
			return fmt.Errorf("generate 1000 tools: %w", err)
		}
		stats.Add(took)
	}
	for i := range p.Builds {
		w.Progress("building %d generated tools, run %d of %d", subject.Largest, i+1, p.Builds)
		took, err := build(ctx, w)
		if err != nil {
			return fmt.Errorf("build 1000 tools: %w", err)
		}
		stats.Add(took)
	}
	return nil
}

// generate runs the generator on bare specs, and again on what it left.
func generate(ctx context.Context, w *subject.Workshop, teagen string) (map[string]float64, error) {
	dir := filepath.Join(w.Temp, "generate")
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := w.WriteSpecs(ctx, dir, subject.Largest); err != nil {
		return nil, err
	}
	took := map[string]float64{}
	for _, key := range []string{report.GenEmpty, report.GenSame} {
		cmd := exec.CommandContext(ctx, teagen, "generate")
		cmd.Dir = dir
		start := time.Now()
		out, err := cmd.CombinedOutput()
		took[key] = millis(time.Since(start))
		if err != nil {
			return nil, fmt.Errorf("%w\n%s", err, out)
		}
	}
	lines, err := countLines(filepath.Join(dir, "generated"))
	took[report.GenLines] = float64(lines) / subject.Largest
	return took, err
}

// countLines counts the lines of all files below a folder, schemas included.
func countLines(dir string) (lines int, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		lines += bytes.Count(b, []byte("\n"))
		return err
	})
	if err == nil && lines == 0 {
		err = errors.New("nothing was generated")
	}
	return lines, err
}

// build builds the generated server and a package that never changes but for
// one constant. The build cache has the standard library and the runtime, and
// by a constant that no build had before, nothing that was generated.
func build(ctx context.Context, w *subject.Workshop) (map[string]float64, error) {
	took := map[string]float64{}
	fresh := fmt.Appendf(nil, "package generated\n\n// Fresh makes this build unlike every other.\nconst Fresh = %d\n", time.Now().UnixNano())
	extra := filepath.Join(w.OursDir(subject.Largest), "generated", "fresh.go")
	if err := os.WriteFile(extra, fresh, 0o600); err != nil {
		return nil, err
	}
	defer os.Remove(extra)
	start := time.Now()
	if err := w.BuildOurs(ctx, subject.Largest); err != nil {
		return nil, err
	}
	took[report.GenBuild] = millis(time.Since(start))

	yard := filepath.Join(w.Temp, "yardstick")
	if err := writeYardstick(yard); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-p", "2", "./...")
	cmd.Dir = yard
	start = time.Now()
	out, err := cmd.CombinedOutput()
	took[report.Yard] = millis(time.Since(start))
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return took, nil
}

// writeYardstick writes a module of two packages with 1000 functions each.
func writeYardstick(dir string) error {
	for _, name := range []string{"a", "b"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			return err
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, "package %s\n\nimport \"strconv\"\n\nconst Fresh = %d\n", name, time.Now().UnixNano())
		for i := range 1000 {
			fmt.Fprintf(&b, yardFunc, i)
		}
		if err := os.WriteFile(filepath.Join(dir, name, name+".go"), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module bench.example/yardstick\n\ngo 1.26\n"), 0o600)
}

const yardFunc = `
func Sum%[1]d(words []string) (sum, failed int) {
	for i, w := range words {
		switch n, err := strconv.Atoi(w); {
		case err != nil:
			failed++
		case n%%7+%[1]d == i || w == "w%[1]d":
			sum += n * i
		default:
			sum -= n
		}
	}
	return sum, failed
}
`
