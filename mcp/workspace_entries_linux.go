package mcp

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"syscall"
)

// readEntries reads a directory as the kernel gives it. os.File.ReadDir looks
// at every entry of a directory that was opened through an os.Root; a walk only
// needs the kinds, which the kernel tells for free.
func readEntries(f *os.File) ([]Entry, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	var entries []Entry
	known := true
	buf := make([]byte, 16<<10)
	for n := 1; n > 0 && err == nil; {
		e := conn.Control(func(fd uintptr) {
			for {
				n, err = syscall.ReadDirent(int(fd), buf)
				if err != syscall.EINTR {
					return
				}
			}
		})
		if e != nil {
			return nil, e
		}
		if n > 0 {
			var all bool
			entries, all = appendEntries(entries, buf[:n])
			known = known && all
		}
	}
	if err != nil {
		return nil, err
	}
	if !known { // a file system that does not store kinds beside names
		if _, err := f.Seek(0, 0); err != nil {
			return nil, err
		}
		return readEntriesPortably(f)
	}
	return entries, nil
}

// appendEntries appends the entries of a buffer of linux_dirent64, and reports
// whether each has its kind:
//
//	inode 8 | offset 8 | length of the entry 2 | kind 1 | name, NUL, padding
func appendEntries(entries []Entry, buf []byte) (_ []Entry, known bool) {
	const header = 19
	known = true
	for len(buf) >= header {
		size := int(binary.NativeEndian.Uint16(buf[16:]))
		if size < header || size > len(buf) {
			break
		}
		entry := buf[:size]
		buf = buf[size:]
		name := entry[header:]
		if i := bytes.IndexByte(name, 0); i >= 0 {
			name = name[:i]
		}
		if string(name) == "." || string(name) == ".." || binary.NativeEndian.Uint64(entry) == 0 {
			continue
		}
		mode, ok := direntTypes[entry[18]]
		known = known && ok
		entries = append(entries, Entry{string(name), mode})
	}
	return entries, known
}

var direntTypes = map[byte]fs.FileMode{
	syscall.DT_REG:  0,
	syscall.DT_DIR:  fs.ModeDir,
	syscall.DT_LNK:  fs.ModeSymlink,
	syscall.DT_FIFO: fs.ModeNamedPipe,
	syscall.DT_SOCK: fs.ModeSocket,
	syscall.DT_CHR:  fs.ModeDevice | fs.ModeCharDevice,
	syscall.DT_BLK:  fs.ModeDevice,
}
