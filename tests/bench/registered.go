package main

import (
	"context"
	"fmt"
	"time"

	"mcp-workbench/tests/bench/wire"
)

// thousand is a toolbox whose tools are tools of the workbench as well.
var thousand = toolbox{servers: 1, tools: 1000, dynamic: true}

// ownTools is how many tools of its own the workbench lists in dynamic mode.
const ownTools = 3

// registeredExperiments are about the tools of open toolboxes in dynamic mode.
func registeredExperiments() []experiment {
	var list []experiment
	for _, single := range []bool{false, true} {
		name := "list 1000 registered tools"
		if single {
			name += ", one CPU"
		}
		list = append(list, experiment{
			figures: []figure{{name: name, unit: duration, against: relay, bounds: bounds{required: 1.5}}},
			rows:    between,
			oneCPU:  single,
			run:     listThousand,
		})
	}
	return append(list, experiment{
		figures: []figure{held("1000 tools registered, more than opened", bounds{required: 5})},
		rows:    []row{workbench},
		share:   half,
		run:     registerThousand,
	})
}

// listThousand is the median time in which the list of tools comes; through the
// relay, in which as many bytes come.
func listThousand(ctx context.Context, l *lab, r row) ([]float64, error) {
	w, err := l.connect(ctx, r, thousand)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		if r == relay {
			line, err := w.listTools(thousand.tools)
			if err != nil {
				return nil, err
			}
			times, err := w.sequence(w.fetch(serverName(1), wire.Text(1, true), wire.Text(len(line), l.plain)), l.pace)
			return []float64{median(times)}, err
		}
		line, err := w.listTools(ownTools + thousand.tools)
		if err != nil {
			return nil, err
		}
		times, err := w.repeatList(len(line), l.pace)
		return []float64{median(times)}, err
	})
}

// repeatList lists the tools again and again, and returns how long each took that
// came after the warm-up.
func (w route) repeatList(want int, p pace) ([]float64, error) {
	var times []float64
	list := newRequest("tools/list", "{}")
	warm := time.Now().Add(p.warmUp)
	for until := warm.Add(p.measure); len(times) < p.fewest || time.Now().Before(until); {
		begin := time.Now()
		line, err := w.call(list)
		end := time.Now()
		if err == nil && len(line) != want {
			err = fmt.Errorf("%d bytes instead of %d: %s", len(line), want, clip(line))
		}
		if err != nil {
			return nil, err
		}
		if begin.After(warm) {
			times = append(times, float64(end.Sub(begin)))
		}
	}
	return times, nil
}

// registerThousand is how much more memory the workbench holds once the tools of an
// opened toolbox are registered and listed.
func registerThousand(ctx context.Context, l *lab, r row) ([]float64, error) {
	var values [2]float64
	for i, box := range []toolbox{{servers: 1, tools: thousand.tools}, thousand} {
		w, err := l.connect(ctx, r, box)
		if err != nil {
			return nil, err
		}
		_, err = w.measure(func() ([]float64, error) {
			want := ownTools + box.tools
			if !box.dynamic {
				want = 2
			}
			if _, err := w.listTools(want); err != nil {
				return nil, fmt.Errorf("%s: %w", box, err)
			}
			now, _, err := memory(w.pid())
			values[i] = now / mib
			return nil, err
		})
		if err != nil {
			return nil, err
		}
	}
	return []float64{values[1] - values[0]}, nil
}
