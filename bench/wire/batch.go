package wire

import (
	"encoding/json"
	"fmt"
	"time"
)

// Batch is a run of tools/call requests that are built before the clock
// starts, with what each must be answered. It can be run once.
type Batch struct {
	conn   *Conn
	first  int    // id of the first request; the others follow
	frames []byte // one after the other
	ends   []int  // where each frame ends
	want   []Want
	state  []state
	left   int // requests not yet answered
}

type state uint8

const (
	unsent state = iota
	waiting
	answered
)

// NewBatch returns an empty batch. Fill it before anything else is sent.
func (c *Conn) NewBatch() *Batch { return &Batch{conn: c, first: c.nextID} }

// Add appends a call of tool with args, which must be answered as want says.
func (b *Batch) Add(tool string, args any, want Want) error {
	params, err := json.Marshal(struct {
		Name      string `json:"name"`
		Arguments any    `json:"arguments"`
	}{tool, args})
	if err != nil {
		return err
	}
	_, frame := b.conn.frame("tools/call", params)
	b.frames = append(b.frames, frame...)
	b.ends = append(b.ends, len(b.frames))
	b.want = append(b.want, want)
	b.state = append(b.state, unsent)
	b.left++
	return nil
}

// Serial sends the calls one at a time, each gap after the answer before, and
// returns how long each took from the write of the request to the last byte of
// the answer. Checking an answer is not part of it.
func (b *Batch) Serial(gap time.Duration) ([]time.Duration, error) {
	took := make([]time.Duration, 0, len(b.want))
	for i := range b.want {
		if gap > 0 {
			time.Sleep(gap)
		}
		sent := time.Now()
		if err := b.send(i, i+1); err != nil {
			return nil, err
		}
		for b.state[i] == waiting {
			line, err := b.conn.readLine()
			if err != nil {
				return nil, b.unanswered(err)
			}
			now := time.Since(sent)
			isAnswer, err := b.take(line)
			if err != nil {
				return nil, err
			}
			if isAnswer {
				took = append(took, now)
			}
		}
	}
	return took, nil
}

// Flood keeps window calls in flight until all are answered, and returns how
// long that took. Window frames and their answers must fit a pipe.
func (b *Batch) Flood(window int) (time.Duration, error) {
	start := time.Now()
	sent, free := 0, window
	for b.left > 0 {
		if next := min(sent+free, len(b.want)); next > sent && !b.conn.lineWaits() {
			if err := b.send(sent, next); err != nil {
				return 0, err
			}
			free -= next - sent
			sent = next
		}
		line, err := b.conn.readLine()
		if err != nil {
			return 0, b.unanswered(err)
		}
		isAnswer, err := b.take(line)
		if err != nil {
			return 0, err
		}
		if isAnswer {
			free++
		}
	}
	return time.Since(start), nil
}

// send writes the frames from the from-th up to the to-th in one write.
func (b *Batch) send(from, to int) error {
	at := 0
	if from > 0 {
		at = b.ends[from-1]
	}
	for i := from; i < to; i++ {
		b.state[i] = waiting
	}
	_, err := b.conn.in.Write(b.frames[at:b.ends[to-1]])
	return err
}

// take checks a line against the calls that wait; a notification is skipped.
func (b *Batch) take(line []byte) (isAnswer bool, err error) {
	id, isAnswer, err := answerID(line)
	if err != nil || !isAnswer {
		return false, err
	}
	i := id - b.first
	switch {
	case i < 0 || i >= len(b.state) || b.state[i] == unsent:
		return false, fmt.Errorf("answer to id %d, which is not waiting for one: %s", id, excerpt(line))
	case b.state[i] == answered:
		return false, fmt.Errorf("second answer to id %d: %s", id, excerpt(line))
	}
	if err := b.want[i].check(line); err != nil {
		return false, fmt.Errorf("id %d: %w", id, err)
	}
	b.state[i] = answered
	b.left--
	return true, nil
}

// unanswered says which calls still waited when the answers ended.
func (b *Batch) unanswered(cause error) error {
	n, first := 0, 0
	for i, s := range b.state {
		if s == waiting {
			if n == 0 {
				first = b.first + i
			}
			n++
		}
	}
	return fmt.Errorf("%d calls were not answered, the first with id %d: %w", n, first, cause)
}
