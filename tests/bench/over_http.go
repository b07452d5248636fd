package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// maxHosts is how many hosts are idle at once, if so many may come.
const maxHosts = 1000

// httpExperiments are about hosts and servers that are reached over HTTP. The relay is a
// reverse proxy.
func httpExperiments() []experiment {
	return []experiment{
		{
			figures: []figure{{name: "over HTTP, one call, one CPU", unit: duration, against: relay, bounds: bounds{goal: 1.3}}},
			rows:    everyRow,
			oneCPU:  true,
			run:     webOneByOne,
		},
		{
			figures: []figure{{name: "over HTTP, 64 in flight, calls", unit: rate, against: relay, bounds: bounds{goal: 0.6, least: true}}},
			rows:    everyRow,
			run:     func(ctx context.Context, l *lab, r row) ([]float64, error) { return webInFlight(ctx, l, r, 64) },
		},
		{
			figures: []figure{
				{name: "memory, each idle host over HTTP", unit: kibibyte, against: none, bounds: bounds{goal: 40}},
				{name: "over HTTP, idle hosts let in", unit: hosts, against: none},
			},
			rows:  []row{workbench},
			share: half,
			run:   idleHosts,
		},
	}
}

// webOneByOne is the median time of a call when each follows the answer before.
func webOneByOne(ctx context.Context, l *lab, r row) ([]float64, error) {
	w, err := l.reach(ctx, r)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		if err := w.open(); err != nil {
			return nil, err
		}
		c := small.toolCall(route{through: r == workbench})
		var times []float64
		for begun := time.Now(); len(times) < l.minCalls || time.Since(begun) < l.warmUp+l.measure; {
			called := time.Now()
			if err := w.call(c); err != nil {
				return nil, err
			}
			if time.Since(begun) > l.warmUp {
				times = append(times, float64(time.Since(called)))
			}
		}
		return []float64{median(times)}, nil
	})
}

// webInFlight keeps a number of small calls under way and returns calls per second.
func webInFlight(ctx context.Context, l *lab, r row, width int) ([]float64, error) {
	w, err := l.reach(ctx, r)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		if err := w.open(); err != nil {
			return nil, err
		}
		if _, err := w.flight(width, l.warmUp); err != nil {
			return nil, err
		}
		begin := time.Now()
		calls, err := w.flight(width, 2*l.measure)
		return []float64{float64(calls) / time.Since(begin).Seconds()}, err
	})
}

// flight keeps width calls under way for a while and returns how many were answered.
func (w *web) flight(width int, length time.Duration) (int64, error) {
	var calls atomic.Int64
	failures := make([]error, width)
	until := time.Now().Add(length)
	var lanes sync.WaitGroup
	for lane := range width {
		lanes.Go(func() {
			c := small.toolCall(route{through: w.row == workbench})
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

// idleHosts connects as many hosts as may come, up to maxHosts, each with the stream on
// which it would hear of changes, and returns what each adds to the memory.
func idleHosts(ctx context.Context, l *lab, r row) ([]float64, error) {
	w, err := l.reach(ctx, r)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		ctx, cut := context.WithCancel(ctx)
		defer cut()
		if err := w.joinIdle(ctx); err != nil { // what the first one costs all share
			return nil, err
		}
		before, _, err := memory(w.front.pid())
		if err != nil {
			return nil, err
		}
		joined := 0.
		for joined < maxHosts && err == nil {
			if err = w.joinIdle(ctx); err == nil {
				joined++
			}
		}
		if err != nil && !errors.Is(err, errFull) {
			return nil, err
		}
		time.Sleep(l.settle)
		now, _, err := memory(w.front.pid())
		return []float64{(now - before) / 1024 / joined, joined}, err
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
