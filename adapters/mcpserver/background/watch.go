package background

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// pingPrefix is the prefix of the ids of the bridge's own requests.
const pingPrefix = `"mcp-workbench-bridge-`

func isPing(id string) bool { return strings.HasPrefix(id, pingPrefix) }

// maxSilent is the number of consecutive checks without a message that are allowed. The next one closes the connection.
const maxSilent = 3

// watch checks the workbench until the context ends. It closes the connection if the workbench has pending requests
// but sends no messages, not even the answer to a ping.
func (b *Bridge) watch(ctx context.Context) {
	ticks := time.NewTicker(b.Every)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return
		}
		b.check()
	}
}

// check does one check of watch.
func (b *Bridge) check() {
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
		_ = link.Close() // the reading goroutine connects to another workbench
		return
	}
	if link.silent == 1 {
		go b.ping(link) // the write may block
	}
}

// ping sends a request that each workbench answers immediately.
func (b *Bridge) ping(link *link) {
	b.mu.Lock()
	link.pings++
	id := fmt.Sprintf(`%s%d"`, pingPrefix, link.pings)
	link.expected[id]++
	b.mu.Unlock()
	link.write([]byte(`{"jsonrpc":"2.0","id":`+id+`,"method":"`+string(mcp.MethodPing)+`"}`), false)
}
