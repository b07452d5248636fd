package main

import (
	"context"
	"fmt"
	"time"
)

// besideExperiments are about a fast call while a slow one is under way.
func besideExperiments() []experiment {
	var list []experiment
	for _, same := range []bool{true, false} {
		where := "another server"
		if same {
			where = "the same server"
		}
		list = append(list, experiment{
			figures: []figure{{
				name: "fast call beside a slow one on " + where + ", p99", unit: duration,
				against: relay, bounds: bounds{goal: 1.5},
			}},
			rows:  everyRow,
			share: half,
			run: func(ctx context.Context, l *lab, r row) ([]float64, error) {
				return beside(ctx, l, r, same)
			},
		})
	}
	return list
}

// beside starts a slow call and returns the time that all but one in a hundred
// of the fast calls stay under until it is over.
func beside(ctx context.Context, l *lab, r row, same bool) ([]float64, error) {
	box := oneServer
	if !same {
		box.servers = 2
	}
	fast, err := l.connect(ctx, r, box)
	if err != nil {
		return nil, err
	}
	return fast.measure(func() ([]float64, error) {
		slow, slowServer := fast, serverName(box.servers)
		if !same && !fast.through {
			// Without the workbench, another server is another session.
			if slow, err = l.connect(ctx, r, box); err != nil {
				return nil, err
			}
			defer slow.abandon()
		}
		times, err := fastTimes(fast, slow, slowServer, l)
		if err != nil {
			return nil, err
		}
		return []float64{quantile(times, 0.99)}, nil
	})
}

// fastTimes has a slow call under way on one route and returns the times of fast
// calls on the other.
func fastTimes(fast, slow route, slowServer string, l *lab) ([]float64, error) {
	fastCall := small.exchange(l, fast, serverName(1))
	if _, err := fast.sequence(fastCall, pace{warmUp: l.warmUp}); err != nil {
		return nil, err
	}
	slowCall := slow.sleep(slowServer, l.slowCall)
	id, err := slow.send(slowCall.request)
	if err != nil {
		return nil, err
	}
	slow.parked = id
	// A little less than the slow call takes: its answer is none of the fast ones.
	times, err := fast.repeat(fastCall, time.Now().Add(l.slowCall*95/100), 1)
	if err != nil {
		return nil, err
	}
	if slow.parked == 0 {
		return nil, fmt.Errorf("the call of %v was answered early", l.slowCall)
	}
	line, err := slow.await(id)
	if err != nil {
		return nil, err
	}
	return times, slowCall.verify(line, true)
}
