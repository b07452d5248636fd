package stdio

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
)

// A link is a mcpclient.Link to a process.
type link struct {
	*mcpclient.Stream
	process     *process
	output      *output
	writer      *jsonrpc.Writer
	log         *slog.Logger
	read        chan struct{} // closed when the output was read to its end
	broken      chan string   // receives the reason when a write to the process fails
	closing     atomic.Bool   // whether the workbench is ending the server
	isConnected atomic.Bool   // the handshake is done
}

var _ mcpclient.Link = (*link)(nil)

// closedReason is the reason for calls that fail because the workbench ended the server.
const closedReason = "the connection to the server was closed"

const (
	// drainTime is the time the link waits for output after the program exited or took no more input: all that it wrote
	// is already in the pipe. The time during which messages are passed on, such as to a host that reads slowly, does
	// not count. drainPause is the time between two looks.
	drainTime, drainPause = 250 * time.Millisecond, 25 * time.Millisecond
	// exitTime is the time to wait for a program that closed its output to exit.
	exitTime = 500 * time.Millisecond
	// flushTime is the time Close waits for queued messages to be written.
	flushTime = 100 * time.Millisecond
	// proofTime is the time a server has to answer a ping after the program that was started has ended.
	proofTime = 5 * time.Second
	// lossGrace is the time the processes of a lost server have to end.
	lossGrace = 5 * time.Second
)

func newLink(process *process, messages *mcpclient.ServerMessages, limits domain.Limits, log *slog.Logger) *link {
	broken := make(chan string, 1)
	writer := jsonrpc.NewWriter(&input{file: process.stdin, broken: broken}, jsonrpc.NonblockingWrite(process.stdin))
	read := &output{source: process.stdout}
	l := &link{
		Stream:  mcpclient.NewStream(read, writer, messages, limits.MessageSize),
		process: process, output: read, writer: writer, log: log,
		read: make(chan struct{}), broken: broken,
	}
	go l.readOutput()
	go l.watch()
	return l
}

func (l *link) readOutput() {
	defer close(l.read)
	err := l.Run()
	l.log.Debug("the server's output ended", "error", err)
}

// watch waits until the server is lost. Then it fails the link and ends the server's
// remaining processes.
func (l *link) watch() {
	var reason string
	select {
	case <-l.process.exited:
		if !l.drain() && l.process.succeeded() && l.isServed() {
			select {
			case <-l.read:
			case <-l.broken:
			}
		}
		reason = l.exitReason()
	case <-l.read:
		reason = "the server closed its output"
		if l.wait(l.process.exited, exitTime) {
			reason = l.exitReason()
		}
	case reason = <-l.broken:
		l.drain()
		if l.wait(l.process.exited, exitTime) {
			reason = l.exitReason()
		}
	}
	l.Fail(errors.New(reason))
	ctx, cancel := context.WithTimeout(context.Background(), lossGrace)
	defer cancel()
	l.end(ctx)
}

// drain reads on for drainTime, or until the output ends, which it reports.
func (l *link) drain() (ended bool) {
	for waited := time.Duration(0); waited < drainTime && l.Err() == nil; {
		if l.wait(l.read, drainPause) {
			return true
		}
		if l.output.waits.Load() {
			waited += drainPause
		}
	}
	return false
}

// output is the standard output of a program. It knows whether its only reader waits for more.
type output struct {
	source io.Reader
	waits  atomic.Bool
}

// Read implements io.Reader.
func (o *output) Read(into []byte) (int, error) {
	o.waits.Store(true)
	defer o.waits.Store(false)
	return o.source.Read(into)
}

// isServed reports whether another process answers over the pipes of the program, which ended in order: launchers
// start a server and end. During the handshake that is not known, and the limit on the handshake counts.
//
// Decision: one answer is enough. A process that only keeps the output of a server open answers nothing.
func (l *link) isServed() bool {
	if !l.isConnected.Load() {
		return true
	}
	answered := make(chan bool, 1)
	ping := mcpclient.Request{Method: mcp.MethodPing, Limit: proofTime}
	l.Request(context.Background(), ping, func(_ mcpclient.Answer, err error) { answered <- err == nil })
	select {
	case served := <-answered:
		return served
	case <-l.read:
	case <-l.broken:
	}
	return false
}

// exitReason says how a server ended on its own.
func (l *link) exitReason() string {
	if l.closing.Load() {
		return closedReason // its stderr does not matter then
	}
	return l.process.exitReason()
}

// wait reports whether the event came within the limit.
func (l *link) wait(event <-chan struct{}, limit time.Duration) bool {
	select {
	case <-event:
		return true
	case <-time.After(limit):
		return false
	}
}

// Close implements mcpclient.Link.
func (l *link) Close(ctx context.Context) error {
	l.closing.Store(true)
	flush, cancel := context.WithTimeout(ctx, flushTime)
	defer cancel()
	if err := l.writer.Close(flush); err != nil {
		l.log.Debug("discarded messages that were not yet written to the server", "error", err)
	}
	l.Fail(errors.New(closedReason))
	l.end(ctx)
	return nil
}

// end stops the process and waits for the goroutines that use its pipes.
func (l *link) end(ctx context.Context) {
	l.process.stop(ctx)
	<-l.read
	if err := l.writer.Close(ctx); err != nil {
		l.log.Debug("discarded messages that were not yet written to the server", "error", err)
	}
}
