package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"
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
