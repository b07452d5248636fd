package main

import (
	"context"
	"os"
	"os/signal"
)

// untilSignals returns a context that the first ending signal ends, and one that
// the second does. A signal that comes while the program already ends counts as
// the first all the same: only the second cuts servers short.
func untilSignals(ctx context.Context) (first, second context.Context, stop func()) {
	first, cancelFirst := context.WithCancel(ctx)
	second, cancelSecond := context.WithCancel(ctx)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, endingSignals...)
	// A write to a host that is gone has to fail, not to kill: servers have to be
	// ended.
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, brokenPipe...)
	go func() {
		for _, end := range []context.CancelFunc{cancelFirst, cancelSecond} {
			select {
			case <-signals:
				end()
			case <-second.Done():
			}
		}
	}()
	return first, second, func() {
		cancelFirst()
		cancelSecond()
	}
}
