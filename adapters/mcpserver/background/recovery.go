package background

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// readWorkbenches passes on the messages of a workbench until it ends, and then connects to another one. If the user
// stopped it and no request has to be repeated, the next message of the host connects instead.
func (b *Bridge) readWorkbenches(ctx context.Context, link *link) {
	wasStopped := b.readWorkbench(link)
	_ = link.Close()
	b.mu.Lock()
	if b.hostGone {
		b.mu.Unlock()
		b.finish(nil)
		return
	}
	again, failed, asked := b.conversation.lose()
	b.link = nil
	waits := len(again) == 0 && wasStopped
	b.replaying = !waits
	b.changed.Broadcast()
	b.mu.Unlock()
	for _, id := range failed {
		b.toHost(jsonrpc.Error(json.RawMessage(id), mcp.INTERNAL_ERROR, errEnded).Message())
	}
	for _, id := range asked {
		params := fmt.Appendf(nil, `{"requestId":%s,"reason":"the workbench that asked ended"}`, id)
		b.toHost(jsonrpc.Notification(mcp.MethodNotificationCancelled, params).Message())
	}
	if !waits {
		b.reconnect(ctx, again)
	}
}

// reconnect connects the host to another workbench and replays the conversation. Then it repeats the requests in again.
func (b *Bridge) reconnect(ctx context.Context, again [][]byte) {
	b.mu.Lock()
	b.connections++
	after := b.connections * perConnection
	b.mu.Unlock()
	workbench, err := b.Connect(ctx, after)
	if err != nil {
		b.finish(fmt.Errorf("serve the host after the background workbench ended: %w", err))
		return
	}
	link := newLink(workbench)
	b.mu.Lock()
	if b.hostGone {
		b.mu.Unlock()
		_ = workbench.Close()
		b.finish(nil)
		return
	}
	b.link = link
	replay := b.conversation.replay()
	for _, line := range replay {
		if message, err := jsonrpc.ParseMessage(rawjson.NewScanner(), line); err == nil && message.IsRequest() {
			link.expected[string(message.ID)]++
			link.replays++
		}
	}
	b.mu.Unlock()
	go b.readWorkbenches(ctx, link)
	for _, line := range replay {
		link.write(line, false)
	}
	b.mu.Lock()
	for b.link == link && link.replays > 0 && !b.hostGone {
		b.changed.Wait()
	}
	isLost := b.link != link
	b.mu.Unlock()
	if isLost {
		return // the goroutine that lost it connects again
	}
	for _, line := range again {
		link.write(line, false)
	}
	b.mu.Lock()
	if b.link == link {
		b.replaying = false
	}
	b.changed.Broadcast()
	b.mu.Unlock()
}
