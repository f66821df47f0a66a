// Command bench measures a generated teaagent server, and the generator, beside
// servers on other toolkits and a loop that parses nothing. See README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/teaagent/teaagent/bench/measure"
	"github.com/teaagent/teaagent/bench/report"
	"github.com/teaagent/teaagent/bench/subject"
)

func main() {
	o, err := parse(os.Args[1:])
	if err != nil {
		os.Exit(2) // the flag package has said why
	}
	// Without this, `bench | head` would end before the temporary folder is removed.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	kept, err := run(ctx, o)
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	case !kept:
		os.Exit(1)
	}
}

type options struct {
	names    []string
	plan     measure.Plan
	quick    bool
	json     string
	baseline string
	check    bool
}

func parse(args []string) (*options, error) {
	o := &options{plan: measure.Full}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	only := f.String("only", "", "measure only these `subjects`, separated by commas: "+strings.Join(subject.All, ","))
	rounds := f.Int("rounds", 0, "`number` of rounds over the subjects (default 5; 2 with -quick)")
	f.BoolVar(&o.quick, "quick", false, "fewer rounds, calls and sizes: under two minutes")
	f.StringVar(&o.json, "json", "", "write the measurements to this `file`, too")
	f.StringVar(&o.baseline, "baseline", "", "fail if a median of ours is more than 10 % worse than in this `file`, which an earlier -json wrote")
	f.BoolVar(&o.check, "check", false, "fail if a promise is not met, or was not measured")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	complain := func(format string, args ...any) (*options, error) {
		err := fmt.Errorf(format, args...)
		fmt.Fprintln(f.Output(), err)
		return nil, err
	}
	if f.NArg() > 0 {
		return complain("unexpected argument %q; subjects are chosen with -only", f.Arg(0))
	}
	if o.quick {
		o.plan = measure.Quick
	}
	if *rounds < 0 {
		return complain("-rounds %d: there must be at least one", *rounds)
	}
	if *rounds > 0 {
		o.plan.Rounds = *rounds
	}
	o.names = slices.Clone(subject.All)
	if *only != "" {
		o.names = strings.Split(*only, ",")
		for _, n := range o.names {
			if !slices.Contains(subject.All, n) {
				return complain("there is no subject %q; there are %s", n, strings.Join(subject.All, ", "))
			}
		}
	} else if _, err := exec.LookPath("node"); err != nil {
		fmt.Fprintln(os.Stderr, "There is no node on the PATH, so the TypeScript SDK is left out.")
		o.names = slices.DeleteFunc(o.names, func(n string) bool { return n == subject.TypeScript })
	}
	return o, nil
}

// run measures and prints; kept is false if -check or -baseline found a miss.
func run(ctx context.Context, o *options) (kept bool, err error) {
	var before *report.Report
	if o.baseline != "" { // checked first: a mistake should not cost ten minutes
		if before, err = report.Load(o.baseline); err != nil {
			return false, err
		}
		if before.Quick != o.quick {
			return false, report.ErrOtherKind
		}
		if !slices.Contains(o.names, subject.Ours) || !slices.Contains(o.names, subject.Loop) {
			return false, errors.New("-baseline compares ours in proportion to the loop: measure both")
		}
	}
	bench, err := moduleDir(ctx)
	if err != nil {
		return false, err
	}
	temp, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(temp)
	w := &subject.Workshop{Bench: bench, Repo: filepath.Dir(bench), Temp: temp, Progress: progress()}

	r, err := measureAll(ctx, o, w)
	if err != nil {
		return false, err
	}
	kept = r.Judge() || !o.check
	if o.json != "" {
		if err := r.Save(o.json); err != nil {
			return false, err
		}
	}
	if err := r.Table(os.Stdout, inOrder(o.names), subject.Ours); err != nil {
		return false, err
	}
	fmt.Println()
	r.Verdicts(os.Stdout)
	if before == nil {
		return kept, nil
	}
	worse, err := r.Against(before)
	if err != nil {
		return false, err
	}
	fmt.Println()
	for _, regression := range worse {
		fmt.Println(regression)
	}
	if len(worse) == 0 {
		fmt.Println("No median is more than 10 % worse than the baseline.")
	}
	return kept && len(worse) == 0, nil
}

func measureAll(ctx context.Context, o *options, w *subject.Workshop) (*report.Report, error) {
	subjects, err := w.Prepare(ctx, o.names, o.plan.Sizes)
	if err != nil {
		return nil, err
	}
	r := report.New(o.quick)
	if slices.Contains(o.names, subject.Ours) {
		if err := measure.Generator(ctx, w, o.plan, r.Generator); err != nil {
			return nil, err
		}
	}
	for _, s := range subjects {
		if err := measure.Probe(ctx, s); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, w.Said(s.Name))
		}
	}
	for i := range o.plan.Rounds {
		// Each round begins with another subject, so that none is always first.
		for j := range subjects {
			s := subjects[(i+j)%len(subjects)]
			w.Progress("round %d of %d: %s", i+1, o.plan.Rounds, s.Name)
			took, err := measure.Round(ctx, s, o.plan)
			if err != nil {
				return nil, fmt.Errorf("%w\n%s", err, w.Said(s.Name))
			}
			r.Subject(s.Name).Add(took)
		}
	}
	return r, nil
}

// inOrder returns the names in the order of the table.
func inOrder(names []string) []string {
	return slices.DeleteFunc(slices.Clone(subject.All), func(n string) bool { return !slices.Contains(names, n) })
}

// moduleDir returns the folder of the benchmark's module, which must be the
// module that the command runs in.
func moduleDir(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/teaagent/teaagent/bench").Output()
	if err != nil {
		return "", fmt.Errorf("run me within the bench folder of the repo: cd bench && go run . (%w)", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// progress returns a function that says on stderr what is being done and since when the run is on.
func progress() func(string, ...any) {
	start := time.Now()
	return func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, "%4.0fs  %s\n", time.Since(start).Seconds(), fmt.Sprintf(format, args...))
	}
}
