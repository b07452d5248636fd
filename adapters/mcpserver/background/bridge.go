package background

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// Workbench is a connection to a workbench that serves the host.
type Workbench interface {
	io.Reader
	io.Writer
	// CloseWrite tells the workbench that the host is gone. Close closes the connection.
	CloseWrite() error
	Close() error
	// Reload makes the workbench reload the configuration.
	Reload(ctx context.Context)
}

// Bridge passes messages between a host and a workbench. If the workbench ends, it connects the host to another one.
// Run must be called at most once. One goroutine reads the host, and one reads the workbenches, one after another;
// Run waits for everything else.
type Bridge struct {
	// In has the messages of the host, and Out takes those for it.
	In  io.Reader
	Out io.Writer
	// Connect connects to another workbench after one has ended. The ids of its requests to the host begin after
	// the number. It fails only if no workbench can serve the host.
	Connect func(ctx context.Context, after uint64) (Workbench, error)
	// Every is the time between two checks of a workbench with pending requests.
	Every time.Duration
	// MessageSize is the maximum size of the host's messages in bytes.
	MessageSize int64
	// Reloads receives a value when the workbench is to reload the configuration; nil for never.
	Reloads <-chan os.Signal

	leave context.CancelFunc // notes that the host is gone
	in    io.Reader          // the messages of the host as lines
	out   *lineWriter

	mu           sync.Mutex // guards the fields below
	changed      *sync.Cond // signals changes of them
	conversation conversation
	link         *link // the connected workbench, or nil
	replayed     bool  // link is being sent the conversation, or was sent it
	ready        bool  // link has got the whole conversation, so it takes the messages of the host
	held         held  // the messages of the host that wait until then
	gone         bool  // the host is gone
}

// held are messages in their order: at most maxPending, with maxPendingBytes unless there is only one.
type held struct {
	lines [][]byte
	bytes int
}

// hasRoom reports whether one more line can be held.
func (h *held) hasRoom(line []byte) bool {
	return len(h.lines) == 0 || len(h.lines) < maxPending && h.bytes+len(line) <= maxPendingBytes
}

func (h *held) add(line []byte) {
	h.lines = append(h.lines, bytes.Clone(line))
	h.bytes += len(line)
}

// link is a connection to one workbench.
type link struct {
	Workbench
	*lineWriter
	// awaited is the number of the message that the workbench is to send next, 0 while one is passed on to the host.
	awaited atomic.Int64
}

// errEnded answers requests that were under way when a workbench ended.
const errEnded = "the background workbench ended during this request, and another one was started; whether the request took effect is not known"

const (
	// perConnection is the number of ids that each workbench has for its requests to the host.
	perConnection = 1 << 32
	// endTime is the time limit for a workbench to end its servers after the host is gone.
	endTime = 15 * time.Second
)

// Run passes messages until the host is gone or the first context ends, and until the servers of the host have ended.
// It begins with a connected workbench. When the second context ends, it returns without waiting for the servers.
func (b *Bridge) Run(serving, stopping context.Context, first Workbench) error {
	hosted, leave := context.WithCancel(serving)
	defer leave()
	framing := jsonrpc.NewHostFraming(b.In, b.Out, nil)
	b.leave, b.changed, b.in, b.out = leave, sync.NewCond(&b.mu), framing, newLineWriter(framing)
	b.link = newLink(first)
	ended := make(chan error, 1)
	go func() { ended <- b.readWorkbenches(hosted, b.link) }()
	go b.readHost()
	checks := time.NewTicker(b.Every)
	defer checks.Stop()
	var silent silence
	var last <-chan time.Time
	gone := hosted.Done()
	for {
		select {
		case err := <-ended:
			if hosted.Err() != nil { // it failed since the host is gone
				return nil
			}
			return err
		case <-checks.C:
			silent = b.check(silent)
		case <-b.Reloads:
			if link := b.connectedLink(); link != nil {
				go link.Reload(hosted)
			}
		case <-gone:
			if !b.endHost() {
				return nil
			}
			gone, last = nil, time.After(endTime)
		case <-last:
			return nil
		case <-stopping.Done():
			return nil
		}
	}
}

func newLink(to Workbench) *link { return &link{Workbench: to, lineWriter: newLineWriter(to)} }

// connectedLink returns the connected workbench, or nil.
func (b *Bridge) connectedLink() *link {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.link
}

// endHost tells the workbench that the host is gone. It reports false if no workbench is connected.
func (b *Bridge) endHost() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = true
	b.changed.Broadcast()
	if b.link == nil {
		return false
	}
	_ = b.link.CloseWrite() // if it fails, the workbench is gone
	return true
}

// readHost passes on the messages of the host until its input ends.
func (b *Bridge) readHost() {
	defer b.leave()
	lines, scanner := jsonrpc.NewLineReader(b.in, b.MessageSize), rawjson.NewScanner()
	var last *link // that took a line
	flush := func() {
		if last != nil {
			_ = last.flush() // if it fails, the goroutine that reads the workbench detects it too
		}
	}
	for {
		line, err := lines.Next()
		if tooLong, isTooLong := errors.AsType[*jsonrpc.TooLongError](err); isTooLong {
			flush() // the lines before it, which were read together with it
			b.answer(jsonrpc.TooLong(tooLong))
			continue
		}
		if len(line) > 0 || err == nil {
			if to := b.taking(scanner, line); to != nil {
				to.write(line)
				last = to
			}
		}
		if err != nil || !lines.HasNext() {
			flush()
		}
		if err != nil {
			b.awaitTaken()
			return
		}
	}
}

// awaitTaken waits until no message waits for a workbench, or the host is gone.
func (b *Bridge) awaitTaken() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.held.lines) > 0 && !b.gone {
		b.changed.Wait()
	}
}

// taking returns the workbench that takes a message of the host, and notes the message. It returns nil if the message
// waits for a workbench, or if none will take it.
//
// While a workbench gets the conversation, it takes answers and pings at once: the replay of an opening may wait for the
// answer to a question of a server, and the host for that to its ping.
func (b *Bridge) taking(scanner *rawjson.Scanner, line []byte) *link {
	message, err := jsonrpc.ParseMessage(scanner, line)
	isAnswer := err == nil && message.IsResponse()
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.gone, isAnswer && !b.replayed: // the workbench that asked has ended
		return nil
	case b.ready, isAnswer, b.replayed && err == nil && message.Method == mcp.MethodPing:
		if err == nil {
			b.conversation.fromHost(&message, line)
		}
		return b.link
	}
	for !b.held.hasRoom(line) && !b.gone {
		b.changed.Wait()
	}
	if b.ready { // the workbench took everything that was held meanwhile, and takes this too
		if err == nil {
			b.conversation.fromHost(&message, line)
		}
		return b.link
	}
	b.held.add(line)
	b.changed.Broadcast()
	return nil
}

// takeHeld returns the messages that waited for a workbench, and notes them. Without any, the workbench takes the
// messages of the host from then on.
func (b *Bridge) takeHeld(to *link) [][]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.changed.Broadcast()
	if b.link != to {
		return nil // it ended
	}
	lines := b.held.lines
	b.held, b.ready = held{}, len(lines) == 0
	scanner := rawjson.NewScanner()
	for _, line := range lines {
		if message, err := jsonrpc.ParseMessage(scanner, line); err == nil {
			b.conversation.fromHost(&message, line)
		}
	}
	return lines
}

// lineWriter writes lines, which flush sends. Safe for concurrent use.
type lineWriter struct {
	mu sync.Mutex // guards to
	to *bufio.Writer
}

func newLineWriter(to io.Writer) *lineWriter { return &lineWriter{to: bufio.NewWriterSize(to, 64<<10)} }

func (w *lineWriter) write(line []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writeLocked(line)
}

func (w *lineWriter) writeLocked(line []byte) {
	_, _ = w.to.Write(line)
	_ = w.to.WriteByte('\n') // if it fails, flush fails too
}

func (w *lineWriter) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Flush()
}

// answer sends a message of the bridge to the host.
func (b *Bridge) answer(frame jsonrpc.Frame) {
	b.out.write(frame.Message())
	b.flush()
}

// flush sends what was written for the host.
func (b *Bridge) flush() {
	if b.out.flush() != nil {
		b.leave() // the host no longer reads
	}
}
