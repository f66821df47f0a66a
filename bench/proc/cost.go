package proc

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// CPU returns the processor time that the server has used, user and system,
// in all its threads. /proc/PID/stat counts the same in ticks of 10 ms, too
// coarse for short phases, so the process's own clock is read.
func (s *Server) CPU() (time.Duration, error) {
	// What clock_getcpuclockid(3) computes: the process's clock, by its pid.
	clock := uintptr(int32(^s.cmd.Process.Pid<<3 | 2))
	var ts syscall.Timespec
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&ts)), 0)
	if errno != 0 {
		return 0, os.NewSyscallError("clock_gettime", errno)
	}
	return time.Duration(ts.Nano()), nil
}

// Memory returns what the server holds in memory now and what it held at most, in bytes.
func (s *Server) Memory() (now, peak int64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, 0, err
	}
	if now, err = kilobytes(status, "VmRSS:"); err != nil {
		return 0, 0, err
	}
	peak, err = kilobytes(status, "VmHWM:")
	return now, peak, err
}

func kilobytes(status []byte, field string) (int64, error) {
	for line := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(line, []byte(field)); ok {
			kb, err := strconv.ParseInt(string(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(rest), []byte("kB")))), 10, 64)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("the process's status has no %s; has it ended?", field)
}
