package main

import (
	"context"
	"time"
)

const mib = 1 << 20

// memoryExperiments are about the memory of the process between host and server.
func memoryExperiments() []experiment {
	large := payload{"10 MB", 10 * megabyte, 10 * megabyte}
	many := toolbox{servers: 50, tools: 20}
	return []experiment{
		{
			figures: []figure{held("idle", bounds{required: 14, goal: 10})},
			rows:    between,
			share:   half,
			run:     idle,
		},
		{
			figures: []figure{held(many.String()+" opened", bounds{goal: 26})},
			rows:    []row{workbench},
			share:   half,
			run: memoryAfter(many, func(_ *lab, w route) ([]float64, error) {
				now, _, err := memory(w.pid())
				return []float64{now / mib}, err
			}),
		},
		{
			figures: []figure{held("peak after small calls", bounds{goal: 16})},
			rows:    between,
			share:   half,
			run: memoryAfter(oneServer, func(l *lab, w route) ([]float64, error) {
				c := small.toolCall(w)
				if _, err := w.sequence(c, l.pace); err != nil {
					return nil, err
				}
				if _, err := w.flight(c, 64, 2*l.measure); err != nil {
					return nil, err
				}
				_, peak, err := memory(w.pid())
				return []float64{peak / mib}, err
			}),
		},
		{
			figures: []figure{
				held("peak at 10 MB", bounds{goal: 60}),
				held("a while after 10 MB", bounds{goal: 30}),
			},
			rows:  between,
			share: half,
			run: memoryAfter(oneServer, func(l *lab, w route) ([]float64, error) {
				if _, err := w.sequence(large.toolCall(w), l.pace); err != nil {
					return nil, err
				}
				_, peak, err := memory(w.pid())
				if err != nil {
					return nil, err
				}
				time.Sleep(l.settle)
				now, _, err := memory(w.pid())
				return []float64{peak / mib, now / mib}, err
			}),
		},
	}
}

// held returns a figure about memory. Its bounds are for the value itself.
func held(name string, b bounds) figure {
	return figure{name: "memory, " + name, unit: mebibyte, against: none, bounds: b}
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

// memoryAfter returns the run of an experiment that uses an opened toolbox.
func memoryAfter(dev toolbox, do func(*lab, route) ([]float64, error)) func(context.Context, *lab, row) ([]float64, error) {
	return func(ctx context.Context, l *lab, r row) ([]float64, error) {
		w, err := l.connect(ctx, r, dev)
		if err != nil {
			return nil, err
		}
		return w.measure(func() ([]float64, error) { return do(l, w) })
	}
}
