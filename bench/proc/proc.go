// Package proc starts a server as a process over two pipes, watches that it
// answers, reads what it costs, and stops it. Linux only.
package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/teaagent/teaagent/bench/wire"
)

// Command says how to start a server.
type Command struct {
	Path string
	Args []string
	Env  []string // added to the benchmark's own
	Dir  string
	Log  string // file that gets what the server says on stderr
}

// Server is a running server.
type Server struct {
	*wire.Conn
	Started time.Time // just before the process was made

	cmd    *exec.Cmd
	log    *os.File
	in     *pipeEnd
	out    *pipeEnd
	exited chan struct{} // closed when waitErr is set
	silent atomic.Bool   // killed, since an answer did not come in time

	waitErr error
}

// Start starts a server; ending ctx kills it.
//
// The pipes are read and written by plain blocking system calls: through the
// runtime's poller each answer would cost the client some microseconds more,
// which would be measured as the server's.
func Start(ctx context.Context, c Command) (*Server, error) {
	log, err := os.OpenFile(c.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	childIn, in, err := pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Dir = c.Dir
	cmd.Stdin = os.NewFile(uintptr(childIn), "stdin")
	cmd.Stdout = os.NewFile(uintptr(childOut), "stdout")
	cmd.Stderr = log
	s := &Server{
		cmd: cmd, log: log,
		in: &pipeEnd{fd: in}, out: &pipeEnd{fd: out},
		exited: make(chan struct{}),
	}
	s.Conn = wire.NewConn(s.in, s.out)
	s.Started = time.Now()
	err = cmd.Start()
	cmd.Stdin.(*os.File).Close()
	cmd.Stdout.(*os.File).Close()
	if err != nil {
		s.in.Close()
		s.out.Close()
		log.Close()
		return nil, err
	}
	go func() {
		s.waitErr = cmd.Wait()
		close(s.exited)
	}()
	return s, nil
}

// Within runs f, which talks to the server, and kills the server if f takes
// longer than limit: a dropped answer ends the run instead of hanging it.
func (s *Server) Within(limit time.Duration, f func() error) error {
	guard := time.AfterFunc(limit, func() {
		s.silent.Store(true)
		s.cmd.Process.Kill()
	})
	err := f()
	guard.Stop()
	if err != nil && s.silent.Load() {
		return fmt.Errorf("nothing came for too long (%v for the phase): %w", limit, err)
	}
	return err
}

// stopLimit is how long a server may take to end after its input has.
const stopLimit = 10 * time.Second

// Stop closes the server's input, checks that no stray answer follows, and
// waits for its end. A server that does not end is killed, which is an error.
func (s *Server) Stop() error {
	defer s.log.Close()
	defer s.out.Close()
	s.in.Close()
	err := s.Within(stopLimit, s.Drain)
	guard := time.AfterFunc(stopLimit, func() { s.cmd.Process.Kill() })
	<-s.exited
	if !guard.Stop() || s.silent.Load() {
		return errors.Join(err, errors.New("the server did not end with its input and was killed"))
	}
	return err
}

// Kill ends the server at once, for use after an error.
func (s *Server) Kill() {
	s.cmd.Process.Kill()
	<-s.exited
	s.in.Close()
	s.out.Close()
	s.log.Close()
}

func pipe() (r, w int, err error) {
	var fds [2]int
	if err := syscall.Pipe2(fds[:], syscall.O_CLOEXEC); err != nil {
		return 0, 0, fmt.Errorf("pipe: %w", err)
	}
	return fds[0], fds[1], nil
}

// pipeEnd reads or writes a blocking descriptor.
type pipeEnd struct {
	fd     int
	closed bool
}

// Read reads what is there, and blocks while there is nothing.
func (p *pipeEnd) Read(b []byte) (int, error) {
	for {
		n, err := syscall.Read(p.fd, b)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return 0, os.NewSyscallError("read", err)
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// Write writes all of b.
func (p *pipeEnd) Write(b []byte) (int, error) {
	done := 0
	for done < len(b) {
		n, err := syscall.Write(p.fd, b[done:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return done, os.NewSyscallError("write", err)
		}
		done += n
	}
	return done, nil
}

// Close closes the descriptor once; a second call does nothing.
func (p *pipeEnd) Close() {
	if !p.closed {
		p.closed = true
		syscall.Close(p.fd)
	}
}
