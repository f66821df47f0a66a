// Package audit is a log of what a server did: JSON lines, each with its own hash
// and that of the one before, in one chain for each process. An edited, removed
// or inserted line breaks the chain where it is; that lines are missing from the
// end shows by the event "end", which a process that was killed did not write
// either. The hashes have no key: they show damage and clumsy changes, not the
// work of somebody who writes a whole new chain.
//
// A line that was written survives the process, killed or not; it is not forced
// to the disk, so a power cut may cost the last ones.
package audit

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	defaultMax = 16 << 20 // bytes of a file
	fullAt     = 64 << 10 // bytes that wait at most
	maxWaiting = 1 << 20  // bytes that wait for a disk that does not take them
	lingerFor  = 100 * time.Millisecond
	maxParts   = 64 // of a chain: a client that floods does not fill the disk
)

// zeros is the hash before the first line.
var zeros = strings.Repeat("0", 2*sha256.Size)

// Options are a log's settings.
type Options struct {
	Header   []byte           // members of a JSON object that each file's first line has
	MaxBytes int64            // of a file before the next is begun; 16 MiB if 0
	Now      func() time.Time // time.Now if nil
}

// Log is the chain of one process. Its methods may be called at once.
type Log struct {
	dir string
	o   Options

	mu    sync.Mutex
	file  *os.File
	name  string // of the first part's file, without .jsonl
	part  int
	size  int64 // of the file, with what waits
	seq   uint64
	prev  [2 * sha256.Size]byte // hash of the last line, in hex
	buf   []byte                // complete lines that wait
	timer *time.Timer           // writes them
	armed bool                  // the timer runs
	clock clock
	half  bool  // the file ends in half a line, whose rest waits
	torn  bool  // the rest was given up
	err   error // of the last write, while it was not made good
	over  bool
}

// Open prepares a log in a folder. Its file is made with the first event: a
// server that was only looked at leaves none.
func Open(dir string, o Options) *Log {
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMax
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	l := &Log{dir: dir, o: o}
	copy(l.prev[:], zeros)
	return l
}

// Add appends an event, given as the members of a JSON object. With now it is in
// the file when Add returns; otherwise within a tenth of a second. An error says
// that it is not and will not be, or that earlier ones are not.
func (l *Log) Add(members []byte, now bool) error {
	if len(members) > maxLine-1024 {
		return fmt.Errorf("an event of %d bytes is too long for the audit log", len(members))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return os.ErrClosed
	}
	if l.file == nil || l.size >= l.o.MaxBytes {
		if err := l.begin(); err != nil {
			return err
		}
	}
	before := mark{l.seq, l.size, l.prev, len(l.buf)}
	l.line(members)
	switch {
	case now, len(l.buf) >= fullAt, l.err != nil: // a disk that was full may have room again
		return l.writeOr(before)
	case l.armed:
	case l.timer == nil:
		l.timer = time.AfterFunc(lingerFor, l.linger)
		l.armed = true
	default:
		l.timer.Reset(lingerFor)
		l.armed = true
	}
	return nil
}

// mark is where a log was before an event.
type mark struct {
	seq  uint64
	size int64
	prev [2 * sha256.Size]byte
	buf  int
}

// writeOr writes what waits; if nothing could be written it takes the last event
// back, for its caller will do without what it announces.
func (l *Log) writeOr(before mark) error {
	waiting := len(l.buf)
	err := l.write()
	if err != nil && len(l.buf) == waiting {
		l.seq, l.size, l.prev = before.seq, before.size, before.prev
		l.buf = l.buf[:before.buf]
	}
	return err
}

// Close writes what waits and the event that ends the chain, if there is one.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over || l.file == nil {
		l.over = true
		return nil
	}
	l.over = true
	l.line([]byte(`"event":"end"`))
	err := l.write()
	if e := l.file.Close(); err == nil {
		err = e
	}
	return err
}

func (l *Log) linger() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed = false
	if !l.over {
		l.write() // its error comes with the next event
	}
}

// line adds a line to those that wait.
func (l *Log) line(members []byte) {
	start := len(l.buf)
	l.seq++
	b := append(l.buf, `{"seq":`...)
	b = strconv.AppendUint(b, l.seq, 10)
	b = append(b, `,"time":"`...)
	b = l.clock.append(b, l.o.Now())
	b = append(b, `",`...)
	b = append(b, members...)
	b = append(b, `,"prev":"`...)
	b = append(b, l.prev[:]...)
	b = append(b, '"')
	sum := sha256.Sum256(b[start:])
	hex.Encode(l.prev[:], sum[:])
	b = append(b, `,"hash":"`...)
	b = append(b, l.prev[:]...)
	l.buf = append(b, "\"}\n"...)
	l.size += int64(len(l.buf) - start)
}

// clock writes times. Of two in one second it writes the second once: that took
// a fifteenth of a call's time.
type clock struct {
	second int64
	text   []byte // "2006-01-02T15:04:05."
}

func (c *clock) append(b []byte, t time.Time) []byte {
	if s := t.Unix(); s != c.second || c.text == nil {
		c.second = s
		c.text = t.UTC().AppendFormat(c.text[:0], "2006-01-02T15:04:05.")
	}
	ms := t.Nanosecond() / 1e6
	return append(append(b, c.text...), '0'+byte(ms/100), '0'+byte(ms/10%10), '0'+byte(ms%10), 'Z')
}

// begin makes the chain's next file, and its first line.
func (l *Log) begin() error {
	if l.file != nil {
		if err := l.write(); err != nil {
			return err
		}
	}
	name := l.name
	if name == "" {
		if err := os.MkdirAll(l.dir, 0o700); err != nil {
			return err
		}
		name = fmt.Sprintf("%s-%d-%s", l.o.Now().UTC().Format("20060102T150405.000Z"), os.Getpid(), strings.ToLower(rand.Text()[:6]))
	}
	f, err := os.OpenFile(filepath.Join(l.dir, partName(name, l.part+1)), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	if l.file != nil {
		l.file.Close()
	}
	l.file, l.name, l.size = f, name, 0
	l.part++
	if old := l.part - maxParts; old > 0 {
		os.Remove(filepath.Join(l.dir, partName(name, old)))
	}
	l.line(append(strconv.AppendInt([]byte(`"event":"start","part":`), int64(l.part), 10), prefixed(l.o.Header)...))
	return nil
}

func prefixed(header []byte) []byte {
	if len(header) == 0 {
		return nil
	}
	return append([]byte{','}, header...)
}

func partName(name string, part int) string {
	if part == 1 {
		return name + ".jsonl"
	}
	return fmt.Sprintf("%s.%d.jsonl", name, part)
}

// write writes what waits. What can't be written waits on, up to a limit; then
// it is given up, and the chain shows that something is missing.
func (l *Log) write() error {
	if l.torn {
		if _, l.err = l.file.Write([]byte{'\n'}); l.err != nil {
			return l.err
		}
		l.torn = false
	}
	if len(l.buf) == 0 {
		return l.err
	}
	n, err := l.file.Write(l.buf)
	if n > 0 {
		l.half = l.buf[n-1] != '\n'
	}
	l.err = err
	l.buf = l.buf[:copy(l.buf, l.buf[n:])]
	if len(l.buf) > maxWaiting {
		l.buf = l.buf[:0]
		l.torn, l.half = l.half, false
	}
	return err
}
