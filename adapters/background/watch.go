package background

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// pingBegin begins the ids of the bridge's own requests.
const pingBegin = `"mcp-workbench-bridge-`

func isPing(id string) bool { return strings.HasPrefix(id, pingBegin) }

// maxSilent is how often in a row a workbench may say nothing before it is left.
const maxSilent = 3

// watch leaves a workbench that has requests and says nothing, not even to a ping, until the context ends.
func (b *Bridge) watch(ctx context.Context) {
	ticks := time.NewTicker(b.Every)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return
		}
		b.look()
	}
}

// look looks at the workbench once.
func (b *Bridge) look() {
	b.mu.Lock()
	link := b.link
	waits := link != nil && (len(b.conversation.pending) > 0 || link.replays > 0)
	b.mu.Unlock()
	if link == nil {
		return
	}
	reads := link.reads.Load()
	if !waits || reads != link.seen || b.blocked.Load() {
		link.seen, link.silent = reads, 0
		return
	}
	if link.silent++; link.silent > maxSilent {
		_ = link.Close() // the goroutine that reads connects to another one
		return
	}
	if link.silent == 1 {
		go b.ping(link) // the workbench may not read
	}
}

// ping sends a request that each workbench answers at once.
func (b *Bridge) ping(link *link) {
	b.mu.Lock()
	link.pings++
	id := fmt.Sprintf(`%s%d"`, pingBegin, link.pings)
	link.expected[id]++
	b.mu.Unlock()
	link.write([]byte(`{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`), false)
}
