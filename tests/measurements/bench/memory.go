package main

import (
	"context"
	"time"

	"mcp-workbench/tests/measurements/bench/wire"
)

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
