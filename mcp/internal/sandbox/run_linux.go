package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// order is what the init is told, by a pipe: what it is to run, and within what.
type order struct {
	Program
	Layers layers
	Uid    int
	Gid    int
	Home   string // the user's, which is hidden
	Try    string // "all" of what probe tries, in place of a program; "nothing" to see whether this starts
	Bait   bait
}

// report is what the init tells: one of these.
type report struct {
	Error  string // the program was not started
	Done   bool
	Code   int
	Signal int
	Tried  []Check
}

// The init's open files beside the standard ones.
const (
	orderFD = 3 + iota
	reportFD
	lifeFD // its end says that the server is gone
)

func run(ctx context.Context, p Program) (Status, error) {
	if !entered {
		return runPlain(ctx, p)
	}
	l := layers{}
	if !p.Unconfined {
		l = found()
	}
	r, err := start(ctx, order{Program: p, Layers: l})
	switch {
	case err != nil:
		return Status{Code: -1}, err
	case r.Error != "":
		return Status{Code: -1}, fmt.Errorf("%w: %s", ErrNotStarted, r.Error)
	case r.Signal != 0:
		return Status{Code: -1, Signal: syscall.Signal(r.Signal).String()}, nil
	}
	return Status{Code: r.Code}, nil
}

// start starts an init with its order, and waits for its report.
func start(ctx context.Context, o order) (r report, err error) {
	o.Uid, o.Gid = os.Getuid(), os.Getgid()
	o.Home, _ = os.UserHomeDir()
	text, err := json.Marshal(o)
	if err != nil {
		return r, err
	}
	var files []*os.File
	defer func() {
		for _, f := range files {
			f.Close()
		}
	}()
	pipe := func() (r, w *os.File) {
		if err == nil {
			if r, w, err = os.Pipe(); err == nil {
				files = append(files, r, w)
			}
		}
		return r, w
	}
	orderR, orderW := pipe()
	reportR, reportW := pipe()
	lifeR, lifeW := pipe()
	outR, outW := pipe()
	errR, errW := outR, outW
	if o.Stderr != o.Stdout {
		errR, errW = pipe()
	}
	if err != nil {
		return r, fmt.Errorf("%w: %v", ErrNotStarted, err)
	}
	cmd := exec.Command("/proc/self/exe", enterArg)
	cmd.Env = []string{"GOMAXPROCS=1", "GOGC=off"} // it does next to nothing
	cmd.ExtraFiles = []*os.File{orderR, reportW, lifeR}
	cmd.Stdout, cmd.Stderr = outW, errW
	cmd.SysProcAttr = o.Layers.attributes(o)
	if err := cmd.Start(); err != nil {
		return r, fmt.Errorf("%w: %v", ErrNotStarted, err)
	}
	for _, f := range []*os.File{orderR, reportW, lifeR, outW, errW} {
		f.Close()
	}
	go func() {
		orderW.Write(text)
		orderW.Close()
	}()
	var copies sync.WaitGroup
	drain := func(w io.Writer, r *os.File) {
		if w == nil {
			w = io.Discard
		}
		copies.Go(func() { io.Copy(w, r) })
	}
	drain(o.Stdout, outR)
	if errR != outR {
		drain(o.Stderr, errR)
	}
	told := make(chan []byte, 1)
	go func() {
		b, _ := io.ReadAll(io.LimitReader(reportR, 1<<20))
		told <- b
	}()
	var line []byte
	select {
	case line = <-told:
	case <-ctx.Done():
		lifeW.Close() // the init kills what it has started
		// In a PID namespace this alone ends them all, whatever the init is at.
		if o.Layers.PID {
			cmd.Process.Kill()
		}
		select {
		case <-told:
		case <-time.After(killPatience):
			cmd.Process.Kill()
		}
	}
	cmd.Wait()
	// Whoever still holds the pipes is beyond reach of what this machine offers.
	done := make(chan struct{})
	go func() { copies.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(killPatience):
		past := time.Unix(1, 0)
		outR.SetReadDeadline(past)
		errR.SetReadDeadline(past)
		<-done
	}
	if ctx.Err() != nil && len(bytes.TrimSpace(line)) == 0 {
		return r, ctx.Err()
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("%w: its init ended without a word (%v)", ErrNotStarted, cmd.ProcessState)
	}
	if !r.Done && r.Error == "" && r.Tried == nil {
		return r, fmt.Errorf("%w: its init said nothing of use", ErrNotStarted)
	}
	return r, nil
}

// killPatience is what an init gets to kill descendants one by one, where there
// is no namespace that ends them.
const killPatience = 2 * time.Second
