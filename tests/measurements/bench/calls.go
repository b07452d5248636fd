package main

import (
	"context"
	"time"

	"mcp-workbench/tests/measurements/bench/wire"
)

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
