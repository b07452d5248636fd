package signals

import (
	"context"
	"os"
	"os/signal"
)

// Reloads returns a channel with the signals that ask to reload, until the context ends. A signal
// that was not received yet stands for later ones.
func Reloads(ctx context.Context) chan os.Signal {
	asked := make(chan os.Signal, 1)
	if len(reloading) > 0 { // none would mean all
		signal.Notify(asked, reloading...)
		context.AfterFunc(ctx, func() { signal.Stop(asked) })
	}
	return asked
}

// Until returns a context that the first terminating signal cancels, and one that the second
// cancels. A signal that comes while the program is already exiting counts as the first: only the
// second kills servers that are still exiting.
//
// A hangup (SIGHUP) terminates too, unless there is a channel for it. Then it only does so if the
// terminal of the program is gone, and otherwise is sent there.
func Until(ctx context.Context, hangups chan<- os.Signal) (first, second context.Context, stop func()) {
	first, cancelFirst := context.WithCancel(ctx)
	second, cancelSecond := context.WithCancel(ctx)
	terminates := func(os.Signal) bool { return true }
	if hangups != nil {
		terminates = exceptHangups()
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, ending...)
	// A write to a host that is gone must fail and not kill the program, since the
	// servers have to be stopped.
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, brokenPipe...)
	go func() {
		for ends := []context.CancelFunc{cancelFirst, cancelSecond}; len(ends) > 0; {
			select {
			case got := <-signals:
				if terminates(got) {
					ends[0]()
					ends = ends[1:]
					continue
				}
				select {
				case hangups <- got:
				default: // the reload that is due is enough
				}
			case <-second.Done():
				return
			}
		}
	}()
	return first, second, func() {
		cancelFirst()
		cancelSecond()
	}
}
