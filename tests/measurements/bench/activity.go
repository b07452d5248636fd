package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// flushTime is longer than lines of the record wait in memory. Their cost belongs to the calls before.
const flushTime = 300 * time.Millisecond

// activityExperiments are about the cost of the record of activity, which is on unless the configuration
// turns it off.
func activityExperiments() []experiment {
	var list []experiment
	for _, width := range []int{1, 64} {
		name := fmt.Sprintf("activity, %d in flight, ", width)
		list = append(list, experiment{
			figures: []figure{
				{name: name + "time per call", unit: duration, against: unrecorded, bounds: bounds{goal: 1.01}},
				{name: name + "CPU per call", unit: duration, against: unrecorded, bounds: bounds{goal: 1.01}},
			},
			rows:  []row{workbench, unrecorded},
			share: half,
			begin: func(ctx context.Context, l *lab, r row) (player, error) {
				w, err := l.connect(ctx, r, oneServer)
				if err != nil {
					return player{}, err
				}
				c := small.toolCall(w)
				if _, err := w.flight(c, width, l.warmUp); err != nil {
					w.abandon()
					return player{}, err
				}
				return player{turn: func() ([]float64, error) { return w.recordedFlight(c, width, l.measure) }, end: w.close}, nil
			},
		})
	}
	return list
}

// recordedFlight keeps calls under way and returns the time for each, and the CPU time of the process under
// test for each, including that of writing the record.
func (w route) recordedFlight(c toolCall, width int, length time.Duration) ([]float64, error) {
	w.watchdog.Reset(sessionLimit) // the limit is for each turn
	before, err := cpuTime(w.pid())
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, err
	}
	begin := time.Now()
	calls, err := w.flight(c, width, length)
	if err != nil {
		return nil, err
	}
	elapsed := time.Since(begin)
	time.Sleep(flushTime)
	cpu := math.NaN() // if there is no clock for it
	if after, err := cpuTime(w.pid()); err == nil {
		cpu = float64(after-before) / float64(calls)
	}
	return []float64{float64(elapsed) / float64(calls), cpu}, nil
}
