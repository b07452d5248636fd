package sessions

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// turns limit how many servers are started at the same time before they are needed. Each start occupies a processor
// for a while, and one processor is left to the host and to a server that is needed at once.
type turns chan struct{}

func newTurns() turns { return make(turns, max(1, runtime.NumCPU()-1)) }

// longestTurn is the longest turn. A server that takes longer waits for something, and lets others start meanwhile.
const longestTurn = 20 * time.Second

// await waits for the turn of an attempt, which ends when end is called. An urgent one has its turn at once.
func (t turns) await(ctx context.Context, attempt *Attempt) (end func(), err error) {
	select {
	case <-attempt.urgent:
		return func() {}, nil
	default:
	}
	select {
	case t <- struct{}{}:
		endOnce := sync.OnceFunc(func() { <-t })
		late := time.AfterFunc(longestTurn, endOnce)
		return func() {
			late.Stop()
			endOnce()
		}, nil
	case <-attempt.urgent:
		return func() {}, nil
	case <-ctx.Done():
		return func() {}, ctx.Err()
	}
}
