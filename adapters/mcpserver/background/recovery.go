package background

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// readWorkbenches passes on the messages of a workbench until it ends, then connects to another one, and so on until the
// host is gone. If the user stopped a workbench and no request has to be repeated, the next message of the host connects.
func (b *Bridge) readWorkbenches(ctx context.Context, l *link) error {
	var replay []kept
	var again [][]byte
	for connections := uint64(1); ; connections++ {
		wasStopped := b.readWorkbench(l, replay, again)
		_ = l.Close()
		if again = b.lose(); !b.needsAnother(wasStopped && len(again) == 0) {
			return nil
		}
		next, err := b.Connect(ctx, connections*perConnection)
		if err != nil {
			return fmt.Errorf("serve the host after the background workbench ended: %w", err)
		}
		l = newLink(next)
		replay = b.connect(l)
	}
}

// connect makes a workbench the connected one, and returns the conversation for it.
func (b *Bridge) connect(l *link) (replay []kept) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.link = l
	if b.gone {
		_ = l.CloseWrite()
		return nil
	}
	return slices.Clone(b.conversation.kept)
}

// lose notes that the workbench ended, and tells the host what is lost. It returns the requests to make again.
func (b *Bridge) lose() (again [][]byte) {
	b.mu.Lock()
	b.link, b.ready, b.replayed = nil, false, false
	again, failed, asked := b.conversation.lose()
	isGone := b.gone
	b.mu.Unlock()
	if isGone {
		return nil
	}
	for _, id := range failed {
		b.answer(jsonrpc.Error(json.RawMessage(id), mcp.INTERNAL_ERROR, errEnded))
	}
	for _, id := range asked {
		params := fmt.Appendf(nil, `{"requestId":%s,"reason":"the workbench that asked ended"}`, id)
		b.answer(jsonrpc.Notification(mcp.MethodNotificationCancelled, params))
	}
	return again
}

// needsAnother waits until the host needs another workbench: at once, or for its next message. It returns false if the
// host is gone.
func (b *Bridge) needsAnother(forMessage bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for forMessage && len(b.held.lines) == 0 && !b.gone {
		b.changed.Wait()
	}
	return !b.gone
}

// readWorkbench replays the conversation to a workbench, makes requests again, and passes on its messages until it ends.
// It reports whether the user ended it.
func (b *Bridge) readWorkbench(l *link, replay []kept, again [][]byte) (wasStopped bool) {
	const unlimited = 1 << 40
	lines, scanner := jsonrpc.NewLineReader(l, unlimited), rawjson.NewScanner()
	replayed, requests := byID(replay)
	answers := make(chan struct{}, requests)
	defer close(answers)
	go b.begin(l, replay, again, requests, answers)
	for number := int64(1); ; number++ {
		if !lines.HasNext() {
			b.flush()
		}
		l.awaited.Store(number)
		line, err := lines.Next()
		l.awaited.Store(0)
		if err != nil {
			return wasStopped
		}
		message, err := jsonrpc.ParseMessage(scanner, line)
		if err != nil {
			wasStopped = wasStopped || string(line) == stopped
			continue
		}
		if message.IsResponse() && string(message.ID) == pingID {
			continue
		}
		if waiting := replayed[string(message.ID)]; message.IsResponse() && len(waiting) > 0 {
			replayed[string(message.ID)] = waiting[1:]
			b.reportFailed(waiting[0], &message)
			answers <- struct{}{}
			continue
		}
		b.mu.Lock()
		b.conversation.fromWorkbench(&message)
		b.mu.Unlock()
		b.out.write(line)
	}
}

// byID returns the kept requests with each id, and how many there are.
func byID(replay []kept) (ids map[string][]kept, requests int) {
	ids = map[string][]kept{}
	scanner := rawjson.NewScanner()
	for _, k := range replay {
		if message, err := jsonrpc.ParseMessage(scanner, k.line); err == nil && message.IsRequest() {
			ids[string(message.ID)] = append(ids[string(message.ID)], k)
			requests++
		}
	}
	return ids, requests
}

// reportFailed tells the host about a toolbox that could not be opened again, unless it is not known whether it was open.
func (b *Bridge) reportFailed(replayed kept, answer *jsonrpc.Message) {
	if !strings.HasPrefix(replayed.effect, openToolbox) || replayed.isUncertain || !hasFailed(answer) {
		return
	}
	text := "the background workbench ended, and another one could not open the " + replayed.effect + " again; open it again to see why"
	params := rawjson.Object{}.Text("level", "warning").Text("logger", "mcp-workbench").Text("data", text)
	b.answer(jsonrpc.Notification(mcp.MethodNotificationMessage, params.JSON()))
}

// begin sends the conversation to a workbench and, after the answers to its requests, the requests to make again. From
// then on the workbench takes the messages of the host.
func (b *Bridge) begin(l *link, replay []kept, again [][]byte, requests int, answers <-chan struct{}) {
	b.replay(l, replay)
	for range requests {
		if _, isServed := <-answers; !isServed {
			return
		}
	}
	l.send(again)
	for lines := b.takeHeld(l); len(lines) > 0; lines = b.takeHeld(l) {
		l.send(lines)
	}
}

// replay sends the conversation to a workbench. What it takes at once comes after it.
func (b *Bridge) replay(l *link, conversation []kept) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b.mu.Lock()
	b.replayed = b.link == l
	b.mu.Unlock()
	for _, k := range conversation {
		l.writeLocked(k.line)
	}
	_ = l.to.Flush() // if it fails, the goroutine that reads detects it too
}

// send writes and sends lines.
func (l *link) send(lines [][]byte) {
	for _, line := range lines {
		l.write(line)
	}
	_ = l.flush() // if it fails, the goroutine that reads detects it too
}

const (
	// pingID is the id of the bridge's own requests.
	pingID = `"mcp-workbench-bridge"`
	// maxSilent is the number of consecutive checks without a message that are allowed. The next one closes the
	// connection.
	maxSilent = 3
)

// silence is a workbench that may hang.
type silence struct {
	link    *link // nil for none
	awaited int64
	checks  int // the number of consecutive checks at which the same message was awaited
}

// check closes the connection to a workbench that has pending requests but sends no messages, not even the answer to a
// ping. It gets the silence of the check before, and returns that for the next one.
func (b *Bridge) check(before silence) silence {
	b.mu.Lock()
	l := b.link
	hasWork := l != nil && (!b.ready || len(b.conversation.pending) > 0)
	b.mu.Unlock()
	if !hasWork {
		return silence{}
	}
	now := silence{link: l, awaited: l.awaited.Load()}
	if now.awaited == 0 || now.link != before.link || now.awaited != before.awaited {
		return now
	}
	now.checks = before.checks + 1
	switch {
	case now.checks == 1:
		go l.send([][]byte{[]byte(`{"jsonrpc":"2.0","id":` + pingID + `,"method":"` + string(mcp.MethodPing) + `"}`)}) // it may wait
	case now.checks > maxSilent:
		_ = l.Close() // the goroutine that reads connects to another workbench
	}
	return now
}
