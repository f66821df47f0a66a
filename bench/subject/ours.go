package subject

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/teaagent/teaagent/bench/proc"
)

// Generator builds the repo's generator and returns where it is.
func (w *Workshop) Generator(ctx context.Context) (string, error) {
	bin := filepath.Join(w.Temp, "bin", "teagen")
	w.Progress("building the generator")
	return bin, w.run(ctx, w.Repo, "go", "build", "-p", "2", "-o", bin, "./cmd/teagen")
}

// OursDir returns the folder of our generated server with that many tools.
func (w *Workshop) OursDir(tools int) string {
	return filepath.Join(w.Temp, "ours"+strconv.Itoa(tools))
}

// Largest is the number of tools whose generation and build are measured.
const Largest = 1000

// ours generates and builds a server for each number of tools, but leaves the
// build of the largest to who measures it: building it twice would take a
// quarter of a quick run.
func (w *Workshop) ours(ctx context.Context, sizes []int) (func(int) proc.Command, error) {
	teagen, err := w.Generator(ctx)
	if err != nil {
		return nil, err
	}
	for _, tools := range sizes {
		w.Progress("preparing ours with %d tools", tools)
		dir := w.OursDir(tools)
		if err := w.WriteSpecs(ctx, dir, tools); err != nil {
			return nil, err
		}
		if err := writeBodies(dir, tools); err != nil {
			return nil, err
		}
		if err := w.run(ctx, dir, teagen, "generate"); err != nil {
			return nil, err
		}
		if tools == Largest {
			continue
		}
		if err := w.BuildOurs(ctx, tools); err != nil {
			return nil, err
		}
	}
	root, home := filepath.Join(w.Temp, "root"), filepath.Join(w.Temp, "home")
	for _, dir := range []string{root, home} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	return func(tools int) proc.Command {
		return proc.Command{
			Path: w.serverFile(tools),
			Args: []string{"mcp", "serve", "--root", root, "--permission-mode", "allow"},
			Env:  []string{"TEAAGENT_HOME=" + home},
			Dir:  w.Temp,
			Log:  w.log(Ours),
		}
	}, nil
}

func (w *Workshop) serverFile(tools int) string {
	return filepath.Join(w.Temp, "bin", fmt.Sprintf("ours%d", tools))
}

// BuildOurs builds our generated server with that many tools.
func (w *Workshop) BuildOurs(ctx context.Context, tools int) error {
	return w.run(ctx, w.OursDir(tools), "go", "build", "-p", "2", "-o", w.serverFile(tools), "./cmd/bench")
}
