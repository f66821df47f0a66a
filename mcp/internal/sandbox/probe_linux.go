package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// bait is what a confined process is to reach for.
type bait struct {
	File     string // of somebody else
	TCP, UDP string // that are listened to
	Unix     string // a socket, by its path
	Abstract string // another, by its name
	PID      int    // of the server
}

// attempts are what is tried in a confined process: each does what must not work.
var attempts = []struct {
	name string
	try  func(b bait, o *order) error
	by   func(l layers) []string // what may have refused it
}{
	{"read other folders", func(b bait, _ *order) error {
		_, err := os.ReadFile(b.File)
		return err
	}, func(l layers) []string { return l.files("hidden") }},
	{"write in other folders", func(b bait, _ *order) error {
		return firstThatWorks(func(dir string) error {
			f, err := os.CreateTemp(dir, ".sandbox-probe-")
			if err == nil {
				f.Close()
				os.Remove(f.Name())
			}
			return err
		}, filepath.Dir(b.File), "/etc", "/usr", "/var/tmp")
	}, func(l layers) []string { return l.files("read-only") }},
	{"change modes, owners and times in other folders", func(b bait, _ *order) error {
		return firstThatWorks(func(name string) error {
			info, err := os.Stat(name)
			if err == nil {
				err = os.Chmod(name, info.Mode()) // as it is
			}
			return err
		}, b.File, "/etc/passwd", "/usr/bin")
	}, func(l layers) []string {
		if l.Mount {
			return []string{"mount namespace, read-only"}
		}
		return nil
	}},
	{"read this server's environment", func(b bait, _ *order) error {
		_, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", b.PID))
		return err
	}, func(l layers) []string { return l.processes(1) }},
	{"send signals to this server", func(b bait, _ *order) error {
		return syscall.Kill(b.PID, 0)
	}, func(l layers) []string { return l.processes(6) }},
	{"use TCP", func(b bait, _ *order) error { return dial("tcp", b.TCP) }, func(l layers) []string { return l.network(4) }},
	{"use UDP", func(b bait, _ *order) error {
		c, err := net.Dial("udp", b.UDP)
		if err == nil {
			_, err = c.Write([]byte("x"))
			c.Close()
		}
		return err
	}, func(l layers) []string { return l.network(10) }},
	{"connect to sockets by path in hidden folders", func(b bait, _ *order) error { return dial("unix", b.Unix) }, func(l layers) []string {
		if l.Landlock < 9 {
			l.Landlock = 0 // it did not know them yet
		}
		return l.files("hidden")
	}},
	{"connect to abstract sockets", func(b bait, _ *order) error { return dial("unix", b.Abstract) }, func(l layers) []string { return l.network(6) }},
}

func dial(network, address string) error {
	c, err := net.DialTimeout(network, address, time.Second)
	if err == nil {
		c.Close()
	}
	return err
}

// firstThatWorks returns nil if something works with one of the paths.
func firstThatWorks(do func(string) error, paths ...string) error {
	var errs []error
	for _, path := range paths {
		err := do(path)
		if err == nil {
			return nil
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (l layers) files(how string) (by []string) {
	if l.Mount {
		by = append(by, "mount namespace, "+how)
	}
	if l.Landlock > 0 {
		by = append(by, fmt.Sprintf("Landlock ABI %d", l.Landlock))
	}
	return by
}

func (l layers) processes(abi int) (by []string) {
	if l.PID {
		by = append(by, "PID namespace")
	}
	if l.Landlock >= abi {
		by = append(by, fmt.Sprintf("Landlock ABI %d", l.Landlock))
	}
	return by
}

func (l layers) network(abi int) (by []string) {
	if l.Net {
		by = append(by, "network namespace")
	}
	if l.Landlock >= abi {
		by = append(by, fmt.Sprintf("Landlock ABI %d", l.Landlock))
	}
	return by
}

// try runs in a confined process.
func try(o *order) []Check {
	checks := []Check{}
	for _, a := range attempts {
		if o.Try != "all" {
			break
		}
		c := Check{Name: a.name, By: "nothing on this machine refuses it"}
		if err := a.try(o.Bait, o); err != nil {
			c.Enforced, c.By = true, strings.Join(a.by(o.Layers), "; ")
			if c.By == "" {
				c.By = err.Error()
			}
		}
		checks = append(checks, c)
	}
	return checks
}

func probe(ctx context.Context) []Check {
	if !entered {
		return []Check{{Name: "run confined programs", By: "this program does not call Enter"}}
	}
	checks, err := probeLayers(ctx, found())
	if err != nil {
		return []Check{{Name: "run confined programs", By: err.Error()}}
	}
	return checks
}

func probeLayers(ctx context.Context, l layers) ([]Check, error) {
	beside, err := os.MkdirTemp("", "sandbox-probe-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(beside)
	work := filepath.Join(beside, "work")
	b := bait{File: filepath.Join(beside, "secret"), Unix: filepath.Join(beside, "socket"), Abstract: fmt.Sprintf("@sandbox-probe-%d", os.Getpid()), PID: os.Getpid()}
	if err := errors.Join(os.WriteFile(b.File, []byte("secret"), 0o600), os.Mkdir(work, 0o700)); err != nil {
		return nil, err
	}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer tcp.Close()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer udp.Close()
	b.TCP, b.UDP = tcp.Addr().String(), udp.LocalAddr().String()
	for _, name := range []string{b.Unix, b.Abstract} {
		s, err := net.Listen("unix", name)
		if err != nil {
			return nil, err
		}
		defer s.Close()
	}
	r, err := start(ctx, order{Program: Program{Dir: work, Write: []string{work}}, Layers: l, Try: "all", Bait: b})
	if err == nil && r.Error != "" {
		err = errors.New(r.Error)
	}
	if err != nil {
		return nil, err
	}
	return append(r.Tried, probeDescendants(ctx, l, work)), nil
}

// probeDescendants leaves a process behind that holds its output.
func probeDescendants(ctx context.Context, l layers, work string) Check {
	c := Check{Name: "leave processes behind", By: "nothing on this machine ends them"}
	began := time.Now()
	_, err := start(ctx, order{Layers: l, Program: Program{
		Argv: []string{"/bin/sh", "-c", "setsid sleep 60 & exit 0"}, Env: []string{"PATH=/usr/bin:/bin"}, Dir: work, Write: []string{work},
	}})
	switch {
	case err != nil:
		c.By = err.Error()
	case time.Since(began) < killPatience:
		c.Enforced, c.By = true, "this server, which kills them one by one"
		if l.PID {
			c.By = "PID namespace"
		}
	}
	return c
}
