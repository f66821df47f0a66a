package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// enter is the init of a program.
func enter() {
	runtime.LockOSThread() // capabilities are a thread's, and the program is started from this one
	for fd := orderFD; fd <= lifeFD; fd++ {
		unix.CloseOnExec(fd)
	}
	out := os.NewFile(reportFD, "report")
	tell := func(r report) {
		json.NewEncoder(out).Encode(r)
		out.Close()
	}
	text, err := io.ReadAll(os.NewFile(orderFD, "order"))
	var o order
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err == nil && !o.Unconfined {
		err = confine(&o)
	}
	if err != nil {
		tell(report{Error: err.Error()})
		os.Exit(1)
	}
	if o.Try != "" {
		tell(report{Tried: try(&o)})
		os.Exit(0)
	}
	tell(supervise(&o))
	os.Exit(0)
}

// confine puts every layer around this process that the machine has. One that
// fails is an error: the program is then not run.
func confine(o *order) error {
	if o.Layers.Mount {
		if err := arrange(o); err != nil {
			return err
		}
	}
	if err := os.Chdir(o.Dir); err != nil {
		return err
	}
	if o.Layers.Landlock > 0 {
		if err := restrict(o); err != nil {
			return fmt.Errorf("landlock: %w", err)
		}
	}
	// Other threads of this process keep their capabilities: the program must not
	// get at them by tracing it, or by its /proc/1/mem.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("not dumpable: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	return dropCapabilities(o)
}

// keep are the capabilities that a program of root needs to work on files of
// others. All others go, for good: those over mounts, devices, modules, other
// processes, and the network.
var keep = map[uintptr]bool{
	unix.CAP_CHOWN: true, unix.CAP_DAC_OVERRIDE: true, unix.CAP_FOWNER: true, unix.CAP_FSETID: true,
}

// dropCapabilities takes them from this thread, and so from what it starts.
func dropCapabilities(o *order) error {
	for c := uintptr(0); c <= 63; c++ {
		if keep[c] {
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); errors.Is(err, unix.EINVAL) {
			break // there are no more
		} else if errors.Is(err, unix.EPERM) && (o.Uid != 0 || !o.Layers.Mount) {
			break // it has none to give to others, and root who does is not said to be confined
		} else if err != nil {
			return fmt.Errorf("drop capabilities: %w", err)
		}
	}
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&head, &data[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	for i := range data {
		var mask uint32
		for c := range keep {
			if int(c)/32 == i {
				mask |= 1 << (c % 32)
			}
		}
		data[i].Effective &= mask
		data[i].Permitted &= mask
		data[i].Inheritable = 0
	}
	if err := unix.Capset(&head, &data[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	return unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
}

// supervise starts the program and waits for it. What is left of it then, or
// when the server is gone, is killed.
func supervise(o *order) report {
	// Without a namespace of their own, orphans come to this process.
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	null, err := os.Open(os.DevNull)
	if err != nil {
		return report{Error: err.Error()}
	}
	pid, err := syscall.ForkExec(o.Argv[0], o.Argv, &syscall.ProcAttr{
		Dir: o.Dir, Env: o.Env, Files: []uintptr{null.Fd(), 1, 2},
		Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return report{Error: fmt.Sprintf("%s: %v", o.Argv[0], err)}
	}
	// The streams are the program's alone: their end is its end.
	unix.Close(1)
	unix.Close(2)
	go func() {
		var b [1]byte
		os.NewFile(lifeFD, "life").Read(b[:])
		killRest(o)
		os.Exit(1)
	}()
	for {
		var status syscall.WaitStatus
		got, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return report{Error: "wait: " + err.Error()}
		case got != pid:
			continue // an orphan
		}
		killRest(o)
		if status.Signaled() {
			return report{Done: true, Signal: int(status.Signal())}
		}
		return report{Done: true, Code: status.ExitStatus()}
	}
}

// killRest kills what the program has started. In a PID namespace the end of this
// process does.
func killRest(o *order) {
	if o.Layers.PID {
		return
	}
	for range 100 { // they may go on to start others
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil); err == syscall.ECHILD {
			return // orphans are this process's own
		}
		left := descendants(os.Getpid())
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			syscall.Kill(pid, syscall.SIGSTOP)
		}
		for _, pid := range left {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		for {
			if got, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil); got <= 0 || err != nil {
				break
			}
		}
	}
}
