package main

import (
	"context"
	"fmt"
	"time"
)

// endExperiments are about the sizes of messages and the end of a session.
func endExperiments() []experiment {
	many := toolbox{servers: 50, tools: 20}
	return []experiment{
		{
			figures: []figure{{name: "bytes of tools/list", unit: size, against: none}},
			rows:    fixed,
			share:   once,
			run:     listBytes,
		},
		{
			figures: []figure{{name: "bytes of opening " + many.String(), unit: size, against: direct}},
			rows:    fixed,
			share:   once,
			run:     many.openBytes,
		},
		{
			figures: []figure{{
				name: "exit after the end of input", unit: duration,
				against: none, bounds: bounds{required: 0.5e9, goal: 0.2e9},
			}},
			rows: everyRow,
			run:  exit,
		},
	}
}

// listBytes returns the size of the answer to `tools/list`: for the workbench its own two tools,
// for the server a typical list of 20.
func listBytes(ctx context.Context, l *lab, r row) ([]float64, error) {
	dev := toolbox{servers: 1, tools: 20}
	w, err := l.dial(ctx, r, dev)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		want := dev.tools
		if w.through {
			want = 2
		}
		line, err := w.listTools(want)
		return []float64{float64(len(line))}, err
	})
}

// openBytes returns the size of the answer of open_toolbox, or of the answers to `tools/list` of
// all of the toolbox's servers.
func (dev toolbox) openBytes(ctx context.Context, l *lab, r row) ([]float64, error) {
	w, err := l.dial(ctx, r, dev)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		if w.through {
			line, err := w.openToolbox(dev)
			return []float64{float64(len(line))}, err
		}
		line, err := w.listTools(dev.tools)
		return []float64{float64(dev.servers * len(line))}, err
	})
}

// exit measures the time from the end of input to the end of the process, with ten servers
// open in the workbench.
func exit(ctx context.Context, l *lab, r row) ([]float64, error) {
	w, err := l.connect(ctx, r, toolbox{servers: 10, tools: 20})
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if err := w.close(); err != nil {
		return nil, fmt.Errorf("at the end of input: %w", err)
	}
	return []float64{float64(time.Since(begin))}, nil
}
