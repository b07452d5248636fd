package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/tests/measurements/bench/wire"
)

// maxHosts is the largest number of simultaneous hosts.
const maxHosts = 1000

// httpExperiments are about hosts and servers over HTTP. The relay is a
// reverse proxy.
func httpExperiments() []experiment {
	return []experiment{
		{
			figures: []figure{{name: "over HTTP, one call", unit: duration, against: relay}},
			rows:    everyRow,
			run: func(ctx context.Context, l *lab, r row) ([]float64, error) {
				return throughHTTP(ctx, l, r, func(w *web) (float64, error) { return w.oneByOne(l.pace) })
			},
		},
		{
			figures: []figure{{name: "over HTTP, 64 in flight, calls", unit: rate, against: relay}},
			rows:    everyRow,
			run: func(ctx context.Context, l *lab, r row) ([]float64, error) {
				return throughHTTP(ctx, l, r, func(w *web) (float64, error) { return w.inFlight(l.pace, 64) })
			},
		},
		{
			figures: []figure{{name: "memory, each idle host over HTTP", unit: kibibyte, against: none}},
			rows:    alone,
			share:   half,
			run:     idleHosts,
		},
	}
}

// throughHTTP starts the programs of a row, and measures them after a first time, which is the slowest.
func throughHTTP(ctx context.Context, l *lab, r row, do func(*web) (float64, error)) ([]float64, error) {
	w, err := l.reach(ctx, r)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		if err := w.open(); err != nil {
			return nil, err
		}
		if _, err := do(w); err != nil {
			return nil, err
		}
		value, err := do(w)
		return []float64{value}, err
	})
}

// oneByOne returns the median time of a call when each follows the previous answer.
func (w *web) oneByOne(p pace) (float64, error) {
	c := w.echo()
	var times []float64
	for begun := time.Now(); len(times) < p.minCalls || time.Since(begun) < p.measure; {
		called := time.Now()
		if err := w.call(c); err != nil {
			return 0, err
		}
		times = append(times, float64(time.Since(called)))
	}
	return median(times), nil
}

// echo returns the call of a row.
func (w *web) echo() toolCall { return route{through: w.row == workbench}.echo(wire.Text(small)) }

// inFlight keeps a number of small calls under way and returns calls per second.
func (w *web) inFlight(p pace, width int) (float64, error) {
	begin := time.Now()
	calls, err := w.flight(width, p.measure)
	return float64(calls) / time.Since(begin).Seconds(), err
}

// flight keeps width calls under way for a while and returns how many were answered.
func (w *web) flight(width int, length time.Duration) (int64, error) {
	var calls atomic.Int64
	failures := make([]error, width)
	until := time.Now().Add(length)
	var lanes sync.WaitGroup
	for lane := range width {
		lanes.Go(func() {
			c := w.echo()
			for id := firstID + int64(lane); failures[lane] == nil && time.Now().Before(until); id += int64(width) {
				c.number(id)
				failures[lane] = w.call(c)
				calls.Add(1)
			}
		})
	}
	lanes.Wait()
	return calls.Load(), errors.Join(failures...)
}

// idleHosts connects many hosts, each with the stream for
// notifications, and returns the additional memory for each.
func idleHosts(ctx context.Context, l *lab, r row) ([]float64, error) {
	w, err := l.reach(ctx, r)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		ctx, cut := context.WithCancel(ctx)
		defer cut()
		if err := w.joinIdle(ctx); err != nil { // excludes the shared cost of the first one
			return nil, err
		}
		before, _, err := memory(w.front.pid())
		if err != nil {
			return nil, err
		}
		for range l.hosts {
			if err := w.joinIdle(ctx); err != nil {
				return nil, err
			}
		}
		time.Sleep(l.settle)
		now, _, err := memory(w.front.pid())
		return []float64{(now - before) / 1024 / float64(l.hosts)}, err
	})
}

// joinIdle connects one more host, which listens until the context ends.
func (w *web) joinIdle(ctx context.Context) error {
	session, err := w.shakeHands()
	if err != nil {
		return err
	}
	stream, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url, nil)
	if err != nil {
		return err
	}
	w.head(stream, session)
	listening, err := w.client.Do(stream)
	if err == nil && listening.StatusCode != http.StatusOK {
		listening.Body.Close()
		err = fmt.Errorf("listen: %s", listening.Status)
	}
	return err
}
