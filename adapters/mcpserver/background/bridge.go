package background

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

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
// Run must be called at most once.
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

	scanner *rawjson.Scanner // of the host's messages
	out     *bufio.Writer    // guarded by writing
	writing sync.Mutex
	blocked atomic.Bool // a write to the host is under way

	mu           sync.Mutex // guards the fields below
	changed      *sync.Cond // signals changes of the fields below
	conversation conversation
	link         *link // nil while there is none
	replaying    bool  // the conversation is being replayed to a new workbench
	hostGone     bool
	connections  uint64 // the number of connections after the first
	over         error  // returned by Run
	ended        bool
}

// link is a connection to one workbench.
type link struct {
	Workbench
	to      *bufio.Writer
	writing sync.Mutex
	// expected are the ids of requests whose answers the host does not see; guarded by mu of the bridge.
	expected map[string]int
	replays  int // the number of replayed requests that are not answered
	reads    atomic.Int64
	seen     int64 // the value of reads at the last check
	silent   int   // the number of consecutive checks without a message
	pings    int
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
func (b *Bridge) Run(ctx, stopping context.Context, first Workbench) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b.changed = sync.NewCond(&b.mu)
	b.scanner, b.out = rawjson.NewScanner(), bufio.NewWriterSize(b.Out, 64<<10)
	b.link = newLink(first)
	go b.readWorkbenches(ctx, b.link)
	go b.watch(ctx)
	defer context.AfterFunc(ctx, b.leave)()
	defer context.AfterFunc(stopping, func() { b.finish(nil) })()
	go func() {
		b.readHost(ctx)
		b.leave()
	}()
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.ended {
		b.changed.Wait()
	}
	return b.over
}

func newLink(to Workbench) *link {
	return &link{Workbench: to, to: bufio.NewWriterSize(to, 64<<10), expected: map[string]int{}}
}

// leave tells the workbench that the host is gone.
func (b *Bridge) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hostGone {
		return
	}
	b.hostGone = true
	if b.link == nil {
		b.ended = true
	} else {
		_ = b.link.CloseWrite() // if it fails, the workbench is gone
		time.AfterFunc(endTime, func() { b.finish(nil) })
	}
	b.changed.Broadcast()
}

// finish ends the bridge.
func (b *Bridge) finish(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended, b.over, b.hostGone = true, err, true
	b.changed.Broadcast()
}

// readHost passes on the messages of the host until its input ends.
func (b *Bridge) readHost(ctx context.Context) {
	lines := jsonrpc.NewLineReader(b.In, b.MessageSize)
	for {
		line, err := lines.Next()
		tooLong, isTooLong := errors.AsType[*jsonrpc.TooLongError](err)
		switch {
		case isTooLong:
			if !lines.HasNext() {
				b.writeHeld() // the lines before it, which were read together with it
			}
			b.toHost(jsonrpc.TooLong(tooLong).Message())
			continue
		case err != nil && len(line) == 0:
			return
		}
		if !b.pass(ctx, line, lines.HasNext()) || err != nil {
			return
		}
	}
}

// pass passes on a message of the host. The argument more says that another message is already buffered. It reports
// false if the bridge ends.
func (b *Bridge) pass(ctx context.Context, line []byte, more bool) bool {
	message, err := jsonrpc.ParseMessage(b.scanner, line)
	b.mu.Lock()
	for b.replaying && !b.hostGone {
		b.changed.Wait()
	}
	if b.link == nil && !b.hostGone {
		b.replaying = true
		b.mu.Unlock()
		go b.reconnect(ctx, nil)
		b.mu.Lock()
		for b.replaying && !b.hostGone {
			b.changed.Wait()
		}
	}
	if b.hostGone || b.link == nil {
		b.mu.Unlock()
		return false
	}
	if err == nil {
		b.conversation.fromHost(&message, line)
	}
	link := b.link
	b.mu.Unlock()
	link.write(line, more)
	return true
}

// writeHeld writes the messages of the host that were held back for another one.
func (b *Bridge) writeHeld() {
	b.mu.Lock()
	link := b.link
	b.mu.Unlock()
	if link == nil {
		return
	}
	link.writing.Lock()
	defer link.writing.Unlock()
	_ = link.to.Flush()
}

// write writes a line. It ignores failures, since the reading goroutine detects them too.
func (l *link) write(line []byte, more bool) {
	l.writing.Lock()
	defer l.writing.Unlock()
	_, _ = l.to.Write(line)
	_ = l.to.WriteByte('\n')
	if !more {
		_ = l.to.Flush()
	}
}

// toHost writes a line to the host.
func (b *Bridge) toHost(line []byte) {
	b.writing.Lock()
	defer b.writing.Unlock()
	_, _ = b.out.Write(bytes.TrimSuffix(line, []byte{'\n'}))
	_ = b.out.WriteByte('\n')
	b.flush()
}

func (b *Bridge) flush() {
	b.blocked.Store(true)
	err := b.out.Flush()
	b.blocked.Store(false)
	if err != nil {
		b.leave() // the host no longer reads
	}
}

// readWorkbench passes on the messages of a workbench until it ends, and reports whether the user ended it.
func (b *Bridge) readWorkbench(link *link) (wasStopped bool) {
	const unlimited = 1 << 40
	lines := jsonrpc.NewLineReader(link, unlimited)
	scanner := rawjson.NewScanner()
	for {
		line, err := lines.Next()
		if err != nil {
			return wasStopped
		}
		link.reads.Add(1)
		message, err := jsonrpc.ParseMessage(scanner, line)
		if err != nil {
			wasStopped = wasStopped || string(line) == stopped
			continue
		}
		if b.expects(link, &message) {
			continue
		}
		b.writing.Lock()
		_, _ = b.out.Write(line)
		_ = b.out.WriteByte('\n')
		if !lines.HasNext() {
			b.flush()
		}
		b.writing.Unlock()
	}
}

// expects records a message of a workbench, and reports whether it is an answer that must not reach the host.
func (b *Bridge) expects(link *link, message *jsonrpc.Message) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	id := string(message.ID)
	if message.IsResponse() && link.expected[id] > 0 {
		if link.expected[id]--; link.expected[id] == 0 {
			delete(link.expected, id)
		}
		if !isPing(id) {
			link.replays--
			b.changed.Broadcast()
		}
		return true
	}
	b.conversation.fromWorkbench(message)
	return false
}

// Reload makes the workbench reload the configuration.
func (b *Bridge) Reload(ctx context.Context) {
	b.mu.Lock()
	link := b.link
	b.mu.Unlock()
	if link != nil {
		link.Reload(ctx)
	}
}
