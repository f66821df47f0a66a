package git

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/teaagent/teaagent/mcp"
)

// Blame is which commits lines come from.
type Blame struct {
	Lines   []BlameLine
	Commits []Commit // in the order in which the lines name them; without parents and body
	More    bool     // the file has more lines
}

// BlameLine is a line of a file.
type BlameLine struct {
	Number int64
	Commit string // hash abbreviated; "" if it is not committed
	Text   string
}

// Blame tells where at most limit lines of a file come from, the first of which
// has the number offset. The file is the commit's, or the workspace's if id is "".
func (r *Repo) Blame(ctx context.Context, id, name string, offset, limit int) (Blame, error) {
	args := []string{"blame", "--porcelain", "--no-textconv", "--no-progress", "-L", fmt.Sprintf("%d,+%d", offset, limit+1)}
	if id != "" {
		args = append(args, id)
	}
	out, err := r.Output(ctx, Options{Keep: 1 << 20}, append(args, "--", name)...)
	var coded *mcp.Error
	switch {
	case errors.As(err, &coded) && strings.Contains(coded.Message, " has only 0 lines"):
		return Blame{}, nil
	case errors.As(err, &coded) && strings.Contains(coded.Message, " has only "):
		return Blame{}, mcp.Errorf("INVALID_ARGUMENT", "offset is behind the end: %s", strings.TrimPrefix(coded.Message, "git says: "))
	case errors.As(err, &coded) && strings.Contains(coded.Message, "no such path "):
		return Blame{}, mcp.Errorf("NOT_FOUND", "%q is not in that commit: git tracks no such file there", name)
	case err != nil:
		return Blame{}, err
	}
	b, err := parseBlame(out.Text)
	if b.More = out.Cut || len(b.Lines) > limit; len(b.Lines) > limit {
		b.Lines = b.Lines[:limit]
	}
	return b, err
}

const shortHash = 12

// parseBlame reads `git blame --porcelain`: per line of the file a line with a
// hash and numbers; what is to be known of the commit, the first time it is
// named; and the text behind a tab.
func parseBlame(text string) (Blame, error) {
	var b Blame
	known := map[string]bool{}
	var c Commit
	var number int64
	var stamp, zone string
	for line := range strings.Lines(text) {
		line, whole := strings.CutSuffix(line, "\n")
		if !whole {
			break // cut
		}
		if content, ok := strings.CutPrefix(line, "\t"); ok {
			if c.ID == "" {
				return b, mcp.Errorf("GIT_FAILED", "git blames a line on nothing: %.100q", line)
			}
			l := BlameLine{Number: number, Commit: c.Short, Text: content}
			if strings.Trim(c.ID, "0") == "" {
				l.Commit = ""
			} else if !known[c.ID] {
				known[c.ID] = true
				c.Time = zoned(stamp, zone)
				b.Commits = append(b.Commits, c)
			}
			b.Lines = append(b.Lines, l)
			c = Commit{}
			continue
		}
		key, value, _ := strings.Cut(line, " ")
		switch {
		case isHash(key):
			f := strings.Fields(value)
			if len(f) < 2 {
				return b, mcp.Errorf("GIT_FAILED", "git blames in a form that is not understood: %.100q", line)
			}
			n, err := strconv.ParseInt(f[1], 10, 64)
			if err != nil || n < 1 {
				return b, mcp.Errorf("GIT_FAILED", "git blames in a form that is not understood: %.100q", line)
			}
			c, number = Commit{ID: key, Short: key[:shortHash]}, n
		case key == "author":
			c.Author = value
		case key == "author-mail":
			c.Email = strings.TrimSuffix(strings.TrimPrefix(value, "<"), ">")
		case key == "author-time":
			stamp = value
		case key == "author-tz":
			zone = value
		case key == "summary":
			c.Subject = value
		}
	}
	return b, nil
}

// zoned returns a time given as seconds and +0130.
func zoned(stamp, zone string) string {
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || seconds < 0 || seconds > 1<<40 {
		return stamp
	}
	t := time.Unix(seconds, 0).UTC()
	if n, err := strconv.Atoi(zone); err == nil && n != 0 && n > -2400 && n < 2400 {
		t = t.In(time.FixedZone("", (n/100*60+n%100)*60))
	}
	return t.Format(time.RFC3339)
}
