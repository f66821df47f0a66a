package audit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

const maxLine = 1 << 20 // bytes of a line that is read

// Chain is the files of one process, in their order.
type Chain struct {
	Name  string   // of the first file, without .jsonl
	Parts []string // paths
	first int      // number of the first part that is there
}

// Chains returns the chains in a folder, oldest first. A folder that is not
// there has none.
func Chains(dir string) ([]Chain, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	parts := map[string][]int{}
	for _, e := range entries {
		stem, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if !ok {
			continue
		}
		n := 1
		// The stamp has a dot of its own, before its milliseconds.
		if dash, dot := strings.LastIndexByte(stem, '-'), strings.LastIndexByte(stem, '.'); dot > dash {
			if part, err := strconv.Atoi(stem[dot+1:]); err == nil && part > 1 {
				stem, n = stem[:dot], part
			}
		}
		parts[stem] = append(parts[stem], n)
	}
	var chains []Chain
	for name, numbers := range parts {
		slices.Sort(numbers)
		c := Chain{Name: name, first: numbers[0]}
		for _, n := range numbers {
			c.Parts = append(c.Parts, filepath.Join(dir, partName(name, n)))
		}
		chains = append(chains, c)
	}
	slices.SortFunc(chains, func(a, b Chain) int { return strings.Compare(a.Name, b.Name) })
	return chains, nil
}

// Fault is the first thing that is wrong with a chain.
type Fault struct {
	Path string
	Line int // 0 if it is the file as such
	What string
}

// Error returns "path:line: what".
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Path + ": " + f.What
	}
	return fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.What)
}

// Report is what was found of a chain.
type Report struct {
	Lines   int
	Ended   bool // the last event is "end". Else the process runs, or was killed: that no lines are missing at the end can't be told
	growing bool // it ends in half a line

	Cut bool // its first parts are gone, as those of a very long chain are in time
}

// Verify follows a chain. Its error is a *Fault.
func Verify(c Chain) (Report, error) {
	r, err := verify(c)
	// A process may just be writing the last line, or beginning a part.
	for try := 0; try < 3 && r.growing; try++ {
		time.Sleep(20 * time.Millisecond)
		r, err = verify(c)
	}
	return r, err
}

func verify(c Chain) (Report, error) {
	r := Report{Cut: c.first > 1}
	if r.Cut && len(c.Parts) < maxParts-1 {
		return r, &Fault{c.Parts[0], 0, fmt.Sprintf("%d parts of the chain are missing before it", c.first-1)}
	}
	prev, seq := zeros, uint64(0)
	for i, path := range c.Parts {
		if c.first+i > 1 && path != filepath.Join(filepath.Dir(path), partName(c.Name, c.first+i)) {
			return r, &Fault{path, 0, fmt.Sprintf("part %d of the chain is missing before it", c.first+i)}
		}
		n := 0
		_, err := lines(path, 0, func(line []byte, whole bool) *Fault {
			n++
			if !whole {
				r.growing = i == len(c.Parts)-1
				return &Fault{path, n, "the line has no end"}
			}
			e, what := parse(line)
			switch {
			case what != "":
			case r.Ended:
				what = "a line after the end of the chain"
			case n == 1 && e.Event != "start":
				what = "the file does not begin with its start"
			case i == 0 && n == 1 && c.first > 1: // what was before is gone: take it from here
			case e.Seq != seq+1:
				what = fmt.Sprintf("line %d of the chain comes after line %d", e.Seq, seq)
			case e.Prev != prev:
				what = "it follows another line than the one before it"
			}
			if what != "" {
				return &Fault{path, n, what}
			}
			r.Lines++
			r.Ended = e.Event == "end"
			seq = e.Seq
			prev = e.Hash
			return nil
		})
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// Event is a line that was read.
type Event struct {
	Seq   uint64
	Time  time.Time
	Event string
	Prev  string
	Hash  string
	Line  []byte
}

// parse reads what every line has, and says what is wrong with it. A line has
// to be just what was written: a byte that a reader of JSON would pass over
// counts too, for the hash is of all.
func parse(line []byte) (e Event, what string) {
	if err := lex.Valid(line); err != nil {
		return e, "it is no JSON: " + err.Error()
	}
	body, hash, ok := bytes.Cut(line, []byte(`,"hash":"`))
	sum := sha256.Sum256(body)
	if want := hex.EncodeToString(sum[:]); !ok || string(hash) != want+`"}` {
		return e, "it is not as it was written"
	}
	var members struct {
		Seq   *uint64 `json:"seq"`
		Time  *string `json:"time"`
		Event *string `json:"event"`
		Prev  *string `json:"prev"`
		Hash  string  `json:"hash"`
	}
	err := json.Unmarshal(line, &members)
	if err != nil || members.Seq == nil || members.Time == nil || members.Event == nil || members.Prev == nil {
		return e, "it is no event of this log"
	}
	at, err := time.Parse("2006-01-02T15:04:05.000Z", *members.Time)
	if err != nil {
		return e, "its time can't be read"
	}
	return Event{*members.Seq, at, *members.Event, *members.Prev, members.Hash, line}, ""
}

// lines calls f with each line of a file from an offset on, and returns where
// the last one that is whole ends. whole is false for a last one without a newline.
func lines(path string, from int64, f func(line []byte, whole bool) *Fault) (end int64, err error) {
	end = from
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return end, &Fault{path, 0, "it is not a file"}
	}
	var file *os.File
	if err == nil {
		file, err = os.Open(path)
	}
	if err == nil {
		defer file.Close()
		_, err = file.Seek(from, io.SeekStart)
	}
	if err != nil {
		return end, &Fault{path, 0, err.Error()}
	}
	r := bufio.NewReaderSize(file, 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(r)
		switch {
		case err == io.EOF && len(line) == 0:
			return end, nil
		case err != nil && err != io.EOF:
			return end, &Fault{path, n, err.Error()}
		}
		if fault := f(bytes.TrimSuffix(line, []byte("\n")), err == nil); fault != nil {
			return end, fault
		}
		if err == io.EOF {
			return end, nil
		}
		end += int64(len(line))
	}
}

// readLine returns a line with its newline, or with io.EOF what there is of one.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		line = append(line, piece...)
		if len(line) > maxLine {
			return nil, fmt.Errorf("it has more than %d bytes", maxLine)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// Tail reads the events of all chains in a folder, also those to come.
type Tail struct {
	dir  string
	read map[string]int64 // how far each file was read
}

// NewTail returns a Tail that has read nothing.
func NewTail(dir string) *Tail { return &Tail{dir, map[string]int64{}} }

// Next returns the last n of the events that it has not returned before, in the
// order of their times, and the faults of files that it could not read to their
// end. Lines that are no events are passed over: see Verify.
func (t *Tail) Next(n int) ([]Event, []error) {
	chains, err := Chains(t.dir)
	if err != nil {
		return nil, []error{err}
	}
	var last []Event
	var faults []error
	for _, c := range chains {
		for _, path := range c.Parts {
			end, err := lines(path, t.read[path], func(line []byte, whole bool) *Fault {
				if e, what := parse(line); what == "" && whole {
					last = append(last, e)
				}
				if len(last) > 2*n+1000 {
					last = latest(last, n)
				}
				return nil
			})
			t.read[path] = end
			if err != nil {
				faults = append(faults, err)
			}
		}
	}
	return latest(last, n), faults
}

func latest(events []Event, n int) []Event {
	slices.SortStableFunc(events, func(a, b Event) int { return a.Time.Compare(b.Time) })
	return slices.Clone(events[max(0, len(events)-n):])
}
