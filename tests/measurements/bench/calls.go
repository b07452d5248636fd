package main

import (
	"context"
	"time"

	"mcp-workbench/tests/measurements/bench/wire"
)

// payload has the lengths of the texts of a call in each direction.
type payload struct {
	name     string
	up, down int
}

const (
	kilobyte = 1_000
	megabyte = 1_000_000
)

var small = payload{"100 B", 100, 100}

// callExperiments are about one call at a time.
func callExperiments() []experiment {
	var list []experiment
	for _, call := range []struct {
		payload
		free, single bounds // with all CPUs and with one
	}{
		{small, bounds{}, bounds{required: 2.5, goal: 1.35}},
		{payload{"10 KB", 10 * kilobyte, 10 * kilobyte}, bounds{goal: 1.5}, bounds{goal: 1.5}},
		{payload{"1 MB", megabyte, megabyte}, bounds{goal: 2}, bounds{required: 3, goal: 2}},
		{payload{"10 MB", 10 * megabyte, 10 * megabyte}, bounds{goal: 2}, bounds{goal: 2}},
		{payload{"100 B up, 1 MB down", 100, megabyte}, bounds{}, bounds{}},
	} {
		for _, single := range []bool{false, true} {
			name, limits := "one call, "+call.name, call.free
			if single {
				name, limits = name+", one CPU", call.single
			}
			list = append(list, experiment{
				figures: []figure{{name: name, unit: duration, against: relay, bounds: limits}},
				rows:    everyRow,
				oneCPU:  single,
				run: func(ctx context.Context, l *lab, r row) ([]float64, error) {
					return call.payload.oneByOne(ctx, l, r)
				},
			})
		}
	}
	return list
}

// toolCall returns the call with a payload.
func (p payload) toolCall(w route) toolCall {
	text := wire.Text(p.up)
	if p.up == p.down {
		return w.echo(text)
	}
	return w.fetch(text, wire.Text(p.down))
}

// oneByOne returns the median time of a call when each follows the previous answer.
func (p payload) oneByOne(ctx context.Context, l *lab, r row) ([]float64, error) {
	w, err := l.connect(ctx, r, oneServer)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		times, err := w.sequence(p.toolCall(w), l.pace)
		if err != nil {
			return nil, err
		}
		return []float64{median(times)}, nil
	})
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
