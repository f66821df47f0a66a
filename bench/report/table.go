package report

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// Table writes the medians with their ratio to those of the first subject, and
// below each the range over the rounds.
func (r *Report) Table(out io.Writer, subjects []string, ours string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "medians (× ours), [range of rounds]\t")
	for _, s := range subjects {
		fmt.Fprintf(w, "\t%s", s)
	}
	fmt.Fprintln(w)
	for _, m := range ServerMetrics() {
		measured := false
		medians, ranges := fmt.Sprintf("%s\t%s", m.Title, m.Unit), "\t"
		base, haveBase := r.median(ours, m.Key)
		for _, name := range subjects {
			s := r.Subjects[name][m.Key]
			if s == nil {
				medians, ranges = medians+"\t–", ranges+"\t"
				continue
			}
			measured = true
			medians += "\t" + number(s.Median)
			if haveBase && base > 0 && name != ours {
				medians += fmt.Sprintf(" (%s×)", number(s.Median/base))
			}
			ranges += "\t" + s.span()
		}
		if measured {
			fmt.Fprintf(w, "%s\n%s\n", medians, ranges)
		}
	}
	if len(r.Generator) > 0 {
		fmt.Fprintln(w)
		for _, m := range GeneratorMetrics() {
			if s := r.Generator[m.Key]; s != nil {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", m.Title, m.Unit, number(s.Median), s.span())
			}
		}
	}
	return w.Flush()
}

func (s *Stat) span() string { return fmt.Sprintf("[%s – %s]", number(s.Min), number(s.Max)) }

// number prints three digits that matter, and thousands in full.
func number(v float64) string {
	switch {
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	default:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
}
