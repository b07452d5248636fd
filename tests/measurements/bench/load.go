package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"mcp-workbench/tests/measurements/bench/wire"
)

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
