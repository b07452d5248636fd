package main

import (
	"context"
	"os"
	"os/signal"
)

// untilSignals returns a context that the first terminating signal cancels, and one
// that the second cancels. A signal that comes while the program is already exiting
// counts as the first: only the second kills servers that are still exiting.
func untilSignals(ctx context.Context) (first, second context.Context, stop func()) {
	first, cancelFirst := context.WithCancel(ctx)
	second, cancelSecond := context.WithCancel(ctx)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, endingSignals...)
	// A write to a host that is gone must fail and not kill the program, since the
	// servers have to be stopped.
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
