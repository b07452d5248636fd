package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// maxHosts is the number of simultaneous idle hosts, if that many are accepted.
const maxHosts = 1000

// httpExperiments are about hosts and servers over HTTP. The relay is a
// reverse proxy.
func httpExperiments() []experiment {
	return []experiment{
		{
			figures: []figure{
				{name: "over HTTP, one call, one CPU", unit: duration, against: relay, bounds: bounds{goal: 1.3}},
				{name: "over HTTP, one call, one CPU, CPU per call", unit: duration, against: relay},
			},
			rows:   everyRow,
			oneCPU: true,
			begin: func(ctx context.Context, l *lab, r row) (player, error) {
				return beginWeb(ctx, l, r, func(w *web) ([]float64, error) { return w.oneByOne(l.pace) })
			},
		},
		{
			figures: []figure{
				{name: "over HTTP, 64 in flight, calls", unit: rate, against: relay, bounds: bounds{goal: 0.6, least: true}},
				{name: "over HTTP, 64 in flight, CPU per call", unit: duration, against: relay},
			},
			rows: everyRow,
			begin: func(ctx context.Context, l *lab, r row) (player, error) {
				return beginWeb(ctx, l, r, func(w *web) ([]float64, error) { return w.inFlight(l.pace, 64) })
			},
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

// beginWeb starts the programs of a row, and returns a player that measures its turns.
func beginWeb(ctx context.Context, l *lab, r row, turn func(*web) ([]float64, error)) (player, error) {
	w, err := l.reach(ctx, r)
	if err != nil {
		return player{}, err
	}
	if err := w.open(); err != nil {
		return player{}, w.end(err)
	}
	if _, err := turn(w); err != nil { // the first turn is the slowest
		return player{}, w.end(err)
	}
	return player{
		turn: func() ([]float64, error) { return turn(w) },
		end:  func() error { return w.end(nil) },
	}, nil
}

// oneByOne returns the median time of a call when each follows the previous answer, and the CPU
// time of the process under test per call.
func (w *web) oneByOne(p pace) ([]float64, error) {
	c := small.toolCall(route{through: w.row == workbench})
	var times []float64
	cpu, err := w.cpuPerCall(func() (int64, error) {
		for begun := time.Now(); len(times) < p.minCalls || time.Since(begun) < p.measure/4; {
			called := time.Now()
			if err := w.call(c); err != nil {
				return 0, err
			}
			times = append(times, float64(time.Since(called)))
		}
		return int64(len(times)), nil
	})
	if err != nil {
		return nil, err
	}
	return []float64{median(times), cpu}, nil
}

// inFlight keeps a number of small calls under way and returns calls per second, and the
// CPU time of the process under test per call.
func (w *web) inFlight(p pace, width int) ([]float64, error) {
	var each float64
	cpu, err := w.cpuPerCall(func() (int64, error) {
		begin := time.Now()
		calls, err := w.flight(width, p.measure/2)
		each = float64(calls) / time.Since(begin).Seconds()
		return calls, err
	})
	return []float64{each, cpu}, err
}

// cpuPerCall returns the CPU time of the process under test per call, NaN if there is no
// clock for it.
func (w *web) cpuPerCall(begin func() (int64, error)) (float64, error) {
	before, err := cpuTime(w.front.pid())
	hasClock := !errors.Is(err, errors.ErrUnsupported)
	if hasClock && err != nil {
		return 0, err
	}
	calls, err := begin()
	if err != nil {
		return 0, err
	}
	if !hasClock {
		return math.NaN(), nil
	}
	after, err := cpuTime(w.front.pid())
	if err != nil {
		return 0, err
	}
	return float64(after-before) / float64(calls), nil
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

// idleHosts connects as many hosts as are accepted, up to maxHosts, each with the stream for
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
