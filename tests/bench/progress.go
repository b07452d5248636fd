package main

import (
	"bytes"
	"context"
	"fmt"
	"time"
)

// reports is how many reports of progress a call makes.
const reports = 10_000

// progressExperiments are about what servers say during a call.
func progressExperiments() []experiment {
	return []experiment{{
		figures: []figure{{
			name: fmt.Sprintf("progress, %d reports in a call", reports), unit: rate,
			against: relay, bounds: bounds{required: 1.0 / 3, goal: 0.5, least: true},
		}},
		rows: everyRow,
		run: func(ctx context.Context, l *lab, r row) ([]float64, error) {
			w, err := l.connect(ctx, r, oneServer)
			if err != nil {
				return nil, err
			}
			return w.measure(func() ([]float64, error) { return w.burst(l.pace) })
		},
	}}
}

// burst returns how many reports a second arrive when a call makes them as fast as
// it can.
func (w route) burst(p pace) ([]float64, error) {
	call := w.reporting(reports)
	var rates []float64
	for end := time.Now().Add(p.warmUp + p.measure); len(rates) < 3 || time.Now().Before(end); {
		begin := time.Now()
		if err := w.callReporting(call); err != nil {
			return nil, err
		}
		rates = append(rates, reports/time.Since(begin).Seconds())
	}
	return []float64{median(rates[1:])}, nil // the first one warms up
}

// reporting makes a call that reports its progress so many times.
func (w route) reporting(times int) exchange {
	e := w.tool(serverName(1), "ping", fmt.Sprintf(`{"times":%d}`, times), "pong")
	params := e.line[bytes.Index(e.line, []byte(`"params":{`))+len(`"params":{`) : len(e.line)-len("}\n")]
	e.request = newRequest("tools/call", `{"_meta":{"progressToken":"burst"},`+string(params))
	return e
}

// callReporting makes such a call and checks that every report comes before its
// answer, in order.
func (w route) callReporting(e exchange) error {
	const (
		head   = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"burst","progress":`
		behind = `,"message"`
	)
	id, err := w.send(e.request)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		line, err := w.lines.Next()
		if err != nil {
			return err
		}
		if got, isAnswer := quickID(line); isAnswer {
			if got != id || n != reports {
				return fmt.Errorf("answer to %d behind %d reports: %s", got, n, clip(line))
			}
			return e.verify(line, true)
		}
		if want := fmt.Appendf(nil, "%s%d%s", head, n+1, behind); !bytes.HasPrefix(line, want) {
			return fmt.Errorf("not report %d: %s", n+1, clip(line))
		}
	}
}
