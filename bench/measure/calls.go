package measure

import (
	"fmt"
	"runtime"
	"syscall"
	"time"

	"github.com/teaagent/teaagent/bench/proc"
	"github.com/teaagent/teaagent/bench/report"
	"github.com/teaagent/teaagent/bench/shape"
	"github.com/teaagent/teaagent/bench/wire"
)

// calls measures all that is measured of calls, on one server.
func (r *round) calls(server *proc.Server) error {
	if _, err := r.serial(server, r.p.Warm, 0, r.good); err != nil {
		return fmt.Errorf("warming up: %w", err)
	}
	one, err := r.serial(server, r.p.Calls, 0, r.good)
	if err != nil {
		return fmt.Errorf("one at a time: %w", err)
	}
	r.took[report.CallP50] = micros(quantile(one, 0.50))
	r.took[report.CallP99] = micros(quantile(one, 0.99))

	paced, err := r.serial(server, r.p.Paced, pace, r.good)
	if err != nil {
		return fmt.Errorf("2 ms apart: %w", err)
	}
	r.took[report.PacedP50] = micros(quantile(paced, 0.50))

	if err := r.flood(server); err != nil {
		return fmt.Errorf("64 in flight: %w", err)
	}

	big, err := r.serial(server, r.p.Big, 0, r.big())
	if err != nil {
		return fmt.Errorf("100 kB argument: %w", err)
	}
	r.took[report.BigP50] = micros(quantile(big, 0.50))

	refused, err := r.serial(server, r.p.Bad, 0, bad)
	if err != nil {
		return fmt.Errorf("argument out of range: %w", err)
	}
	r.took[report.BadP50] = micros(quantile(refused, 0.50))

	_, peak, err := server.Memory()
	r.took[report.MemPeak] = mebi(peak)
	return err
}

// serial makes n calls one at a time.
func (r *round) serial(server *proc.Server, n int, gap time.Duration, call caller) ([]time.Duration, error) {
	b, err := r.batch(server, n, call)
	if err != nil {
		return nil, err
	}
	var took []time.Duration
	err = server.Within(patience, func() (err error) {
		took, err = b.Serial(gap)
		return err
	})
	return took, err
}

// flood keeps calls in flight: a short while to learn how many fit the plan's
// time, then that many.
func (r *round) flood(server *proc.Server) error {
	n := 2000
	for _, counts := range []bool{false, true} {
		b, err := r.batch(server, n, r.good)
		if err != nil {
			return err
		}
		cpu, err := server.CPU()
		if err != nil {
			return err
		}
		own := ownCPU()
		var took time.Duration
		err = server.Within(patience, func() (err error) {
			took, err = b.Flood(inFlight)
			return err
		})
		if err != nil {
			return err
		}
		own = ownCPU() - own
		spent, err := server.CPU()
		if err != nil {
			return err
		}
		if counts {
			r.took[report.InFlight] = float64(n) / took.Seconds()
			r.took[report.CPUPerCall] = micros(spent-cpu) / float64(n)
			r.took[report.DriverCPU] = micros(own) / float64(n)
		}
		n = min(max(int(float64(n)*r.p.Flood.Seconds()/took.Seconds()), 2000), r.p.MaxFlood)
	}
	return nil
}

// batch builds n calls, over all tools in turn, and tidies up so that the
// driver collects no garbage while the clock runs.
func (r *round) batch(server *proc.Server, n int, call caller) (*wire.Batch, error) {
	b := server.NewBatch()
	for i := range n {
		args, want := call(i)
		if err := b.Add(tool(i), args, want); err != nil {
			return nil, err
		}
	}
	runtime.GC()
	return b, nil
}

// caller gives the arguments of the i-th call and what must answer it.
type caller func(i int) (shape.Args, wire.Want)

// good calls are answered with a text of their own.
func (r *round) good(i int) (shape.Args, wire.Want) {
	if r.s.Canned {
		return shape.Call(i), wire.Text(shape.Canned())
	}
	return shape.Call(i), wire.Text(shape.Call(i).Want())
}

// big calls carry 100 kB each way.
func (r *round) big() caller {
	args, note := shape.Call(0), shape.BigNote()
	args.Note = &note
	text := args.Want()
	if r.s.Canned {
		text = shape.CannedBig()
	}
	want := wire.Text(text)
	return func(int) (shape.Args, wire.Want) { return args, want }
}

// bad calls have a count out of range.
func bad(i int) (shape.Args, wire.Want) {
	args, count := shape.Call(i), int64(shape.BadCount)
	args.Count = &count
	return args, wire.Refusal
}

func tool(i int) string { return shape.Name(i%callTools + 1) }

// ownCPU returns the processor time that the driver has used.
func ownCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
