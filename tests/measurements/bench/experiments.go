package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"sync"
	"time"

	"mcp-workbench/tests/measurements/bench/wire"
)

// startExperiments are about the time until a host can begin.
func startExperiments() []experiment {
	list := []experiment{{
		figures: []figure{{name: "spawn to initialize answered", unit: duration, against: direct, required: 4}},
		rows:    everyRow,
		run:     spawn,
	}}
	for _, open := range []struct {
		toolbox
		required float64
	}{
		{toolbox{servers: 10, tools: 20}, 0},
		{toolbox{servers: 50, tools: 20}, 0},
		{toolbox{servers: 10, tools: 20, delay: 500 * time.Millisecond}, 1.2},
		{toolbox{servers: 10, tools: 20, delay: 500 * time.Millisecond, lazy: true}, 0.1},
	} {
		e := experiment{
			figures: []figure{{name: "open " + open.toolbox.String(), unit: duration, against: direct, required: open.required}},
			rows:    withoutRelay,
			run: func(ctx context.Context, l *lab, r row) ([]float64, error) {
				return open.toolbox.open(ctx, l, r)
			},
		}
		if open.delay > 0 {
			e.share = half
		}
		list = append(list, e)
	}
	return list
}

func (dev toolbox) String() string {
	name := fmt.Sprintf("%d servers of %d tools", dev.servers, dev.tools)
	if dev.delay > 0 {
		name += fmt.Sprintf(", %s each", formatDuration(dev.delay))
	}
	if dev.lazy {
		name += ", lazily"
	}
	return name
}

// spawn measures the time from before the start of the process to the answer of `initialize`.
func spawn(ctx context.Context, l *lab, r row) ([]float64, error) {
	times := make([]float64, l.spawns)
	for i := range times {
		begin := time.Now()
		w, err := l.dial(ctx, r, oneServer)
		if err != nil {
			return nil, err
		}
		times[i] = float64(time.Since(begin))
		if err := w.close(); err != nil {
			return nil, err
		}
	}
	return []float64{median(times)}, nil
}

// open measures the time until a host that needs a toolbox knows all of its tools.
func (dev toolbox) open(ctx context.Context, l *lab, r row) ([]float64, error) {
	if r != workbench {
		return dev.openDirect(ctx, l, r)
	}
	connected := dev.servers
	if dev.lazy {
		if err := l.makeLazy(ctx, dev); err != nil {
			return nil, err
		}
		connected = 0
	}
	w, err := l.dial(ctx, r, dev)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		begin := time.Now()
		_, err := w.openWith(dev, connected)
		return []float64{float64(time.Since(begin))}, err
	})
}

// makeLazy locks the servers of a toolbox and makes them list their tools once, so that the
// next opening need not wait for them.
func (l *lab) makeLazy(ctx context.Context, dev toolbox) error {
	if l.lazy[dev] {
		return nil
	}
	path, err := l.configuration(dev)
	if err != nil {
		return err
	}
	if output, err := exec.CommandContext(ctx, l.workbench, "--config", path, "lock").CombinedOutput(); err != nil {
		return fmt.Errorf("lock the servers: %w\n%s", err, output)
	}
	w, err := l.connect(ctx, workbench, dev)
	if err != nil {
		return err
	}
	l.lazy[dev] = true
	return w.close()
}

// openDirect is a host that starts all servers itself, in parallel.
func (dev toolbox) openDirect(ctx context.Context, l *lab, r row) ([]float64, error) {
	routes := make([]route, dev.servers)
	failures := make([]error, dev.servers)
	var group sync.WaitGroup
	begin := time.Now()
	for i := range routes {
		group.Go(func() {
			w, err := l.dial(ctx, r, dev)
			if err == nil {
				routes[i] = w
				_, err = w.listTools(dev.tools)
			}
			failures[i] = err
		})
	}
	group.Wait()
	elapsed := time.Since(begin)
	for i, w := range routes {
		if w.session != nil {
			group.Go(func() { failures[i] = errors.Join(failures[i], w.close()) })
		}
	}
	group.Wait()
	return []float64{float64(elapsed)}, errors.Join(failures...)
}

const megabyte = 1_000_000

// small is the length of the text of most calls.
const small = 100

// callExperiments are about one call at a time.
func callExperiments() []experiment {
	var list []experiment
	for _, call := range []struct {
		name     string
		size     int
		required float64
	}{{"100 B", small, 2.5}, {"1 MB", megabyte, 3}, {"10 MB", 10 * megabyte, 0}} {
		list = append(list, experiment{
			figures: []figure{{name: "one call, " + call.name, unit: duration, against: relay, required: call.required}},
			rows:    everyRow,
			run: func(ctx context.Context, l *lab, r row) ([]float64, error) {
				w, err := l.connect(ctx, r, oneServer)
				if err != nil {
					return nil, err
				}
				return w.measure(func() ([]float64, error) {
					times, err := w.sequence(w.echo(wire.Text(call.size)), l.pace)
					if err != nil {
						return nil, err
					}
					return []float64{median(times)}, nil
				})
			},
		})
	}
	return list
}

// sequence repeats a call, first unmeasured and then measured, and returns the
// time of each measured call.
func (w route) sequence(c toolCall, p pace) ([]float64, error) {
	line, err := w.call(c.request)
	if err == nil {
		err = c.verify(line, true)
	}
	if err != nil {
		return nil, err
	}
	if _, err := w.repeat(c, time.Now().Add(p.warmUp), 1); err != nil {
		return nil, err
	}
	return w.repeat(c, time.Now().Add(p.measure), p.minCalls)
}

// repeat makes at least minCalls calls, and more until the time is over.
func (w route) repeat(c toolCall, until time.Time, minCalls int) ([]float64, error) {
	var times []float64
	for begin := time.Now(); len(times) < minCalls || begin.Before(until); {
		line, err := w.call(c.request)
		end := time.Now()
		if err == nil {
			err = c.verify(line, false)
		}
		if err != nil {
			return nil, err
		}
		times = append(times, float64(end.Sub(begin)))
		begin = time.Now()
	}
	return times, nil
}

// loadExperiments are about many simultaneous calls.
func loadExperiments() []experiment {
	var list []experiment
	for _, width := range []int{1, 64} {
		name := fmt.Sprintf("%d in flight, ", width)
		list = append(list, experiment{
			figures: []figure{
				{name: name + "calls", unit: rate, against: relay},
				{name: name + "CPU per call", unit: duration, against: relay},
			},
			rows: everyRow,
			run: func(ctx context.Context, l *lab, r row) ([]float64, error) {
				return inFlight(ctx, l, r, width)
			},
		})
	}
	return list
}

// inFlight keeps a number of small calls under way and returns calls per second
// and CPU time per call of the process under test.
func inFlight(ctx context.Context, l *lab, r row, width int) ([]float64, error) {
	w, err := l.connect(ctx, r, oneServer)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		c := w.echo(wire.Text(small))
		if _, err := w.flight(c, width, l.warmUp); err != nil {
			return nil, err
		}
		before, err := cpuTime(w.pid())
		if err != nil && !errors.Is(err, errors.ErrUnsupported) {
			return nil, err
		}
		begin := time.Now()
		calls, err := w.flight(c, width, 2*l.measure)
		if err != nil {
			return nil, err
		}
		elapsed := time.Since(begin)
		cpu := math.NaN() // if there is no clock for it
		if after, err := cpuTime(w.pid()); err == nil {
			cpu = float64(after-before) / float64(calls)
		}
		return []float64{float64(calls) / elapsed.Seconds(), cpu}, nil
	})
}

// flight keeps width calls under way for a while and returns how many were
// answered. A new call is written as soon as one is answered, each with a separate
// write, as in hosts. All calls together fit into the pipes, so one
// goroutine can both write and read without a deadlock.
func (s *session) flight(c toolCall, width int, length time.Duration) (calls int, err error) {
	// The remainder of an id says which of the calls under way it belongs to.
	const lanes = 1024
	base := (s.next/lanes + 1) * lanes
	expected := make([]int64, width)
	for lane := range expected {
		expected[lane] = base + int64(lane)
		if err := s.sendAs(c.request, expected[lane]); err != nil {
			return 0, err
		}
	}
	until := time.Now().Add(length)
	for pending, open := width, true; pending > 0; {
		id, line, err := s.answer()
		if err != nil {
			return 0, err
		}
		lane := int(id % lanes)
		if lane >= width || expected[lane] != id {
			return 0, fmt.Errorf("answer to %d, which is not under way: %s", id, clip(line))
		}
		if err := c.verify(line, calls == 0); err != nil {
			return 0, err
		}
		calls++
		if open = open && time.Now().Before(until); !open {
			expected[lane] = 0
			pending--
			continue
		}
		expected[lane] += lanes
		s.next = max(s.next, expected[lane])
		if err := s.sendAs(c.request, expected[lane]); err != nil {
			return 0, err
		}
	}
	s.next = max(s.next, base+lanes)
	return calls, nil
}

const mib = 1 << 20

// memoryExperiments are about the memory of the process between host and server.
func memoryExperiments() []experiment {
	return []experiment{
		{
			figures: []figure{{name: "memory, idle", unit: mebibyte, against: none, required: 14}},
			rows:    between,
			share:   half,
			run:     idle,
		},
		{
			figures: []figure{
				{name: "memory, peak after small calls", unit: mebibyte, against: none},
				{name: "memory, peak at 10 MB", unit: mebibyte, against: none},
				{name: "memory, a while after 10 MB", unit: mebibyte, against: none},
			},
			rows:  between,
			share: half,
			run:   afterCalls,
		},
	}
}

// afterCalls measures a process that has passed on small calls, and then large ones.
func afterCalls(ctx context.Context, l *lab, r row) ([]float64, error) {
	w, err := l.connect(ctx, r, oneServer)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		if _, err := w.flight(w.echo(wire.Text(small)), 64, 2*l.measure); err != nil {
			return nil, err
		}
		_, before, err := memory(w.pid())
		if err != nil {
			return nil, err
		}
		if _, err := w.sequence(w.echo(wire.Text(10*megabyte)), l.pace); err != nil {
			return nil, err
		}
		_, peak, err := memory(w.pid())
		if err != nil {
			return nil, err
		}
		time.Sleep(l.settle)
		now, _, err := memory(w.pid())
		return []float64{before / mib, peak / mib, now / mib}, err
	})
}

// idle measures a process that has answered `initialize` and opened no toolbox.
func idle(ctx context.Context, l *lab, r row) ([]float64, error) {
	w, err := l.dial(ctx, r, oneServer)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		time.Sleep(100 * time.Millisecond) // includes the work after the answer
		now, _, err := memory(w.pid())
		return []float64{now / mib}, err
	})
}
