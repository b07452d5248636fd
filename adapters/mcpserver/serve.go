package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"mcp-workbench/domain"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/ports"
)

// drainTime is how long requests under way at the end of input may take to be
// answered; the rest of the time to exit belongs to the servers.
const drainTime = time.Second

// Output is where Serve writes. Attempt is what jsonrpc.NewWriter takes.
type Output struct {
	io.Writer
	Attempt func([]byte) int
}

// Serve answers the messages that input holds until it ends, the context ends,
// or output cannot be written to any more. Requests that are under way then get
// a moment to be answered. Serve returns the time at which the conversation
// ended, before that moment. A read of input that hangs is left behind.
func (s *Server) Serve(ctx context.Context, input io.Reader, output Output) (ended time.Time, err error) {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	c := &conversation{
		server: s, log: s.log, work: work,
		writer:    jsonrpc.NewWriter(output, output.Attempt),
		exchanges: newExchanges(s.limits.InFlight),
	}
	s.host.join(c)
	defer s.host.leave()
	read := make(chan error, 1)
	go func() { read <- c.read(input) }()
	select {
	case err = <-read:
	case <-ctx.Done():
	case <-c.writer.Stopped():
	}
	ended = time.Now()
	c.finish(ctx)
	return ended, err
}

// conversation is one run of Serve.
type conversation struct {
	server    *Server
	log       *slog.Logger
	writer    *jsonrpc.Writer
	group     jsonrpc.FlushGroup // of the calls that were read at once; of the reading goroutine
	current   ports.FlushGroup   // that the message at hand may use
	exchanges *exchanges
	work      context.Context //nolint:containedctx // the parent of every request, ended by finish
}

// read handles messages until the input ends. A last line without an end counts.
func (c *conversation) read(input io.Reader) error {
	lines := jsonrpc.NewLineReader(input, c.server.limits.MessageSize)
	scanner := jsonscan.NewScanner()
	for {
		line, err := lines.Next()
		switch {
		case err == nil:
			c.take(scanner, line, lines.HasNext())
		case errors.Is(err, io.EOF):
			c.receive(scanner, line)
			return nil
		case jsonrpc.IsEnd(err):
			return fmt.Errorf("read the host's messages: %w", err)
		default:
			c.refuse(err)
		}
	}
}

// take handles one of the lines that were read at once.
func (c *conversation) take(scanner *jsonscan.Scanner, line []byte, more bool) {
	if more {
		c.current = &c.group
		c.receive(scanner, line)
		return
	}
	c.current = nil
	if c.group.Waiting() {
		c.current = &c.group
	}
	c.receive(scanner, line)
	c.group.Flush()
}

// finish gives the requests under way a moment, then stops them; each is
// answered before the output is left.
func (c *conversation) finish(ctx context.Context) {
	c.server.host.endSubscriptions()
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	c.exchanges.wait(drain)
	c.exchanges.cancelAll()
	last, cancelLast := context.WithTimeout(context.WithoutCancel(ctx), lastAnswersTime)
	defer cancelLast()
	c.exchanges.wait(last)
	if err := c.writer.Close(last); err != nil {
		c.log.Debug("could not write the last answers to the host", "error", err)
	}
}

// lastAnswersTime is how long stopped requests may take to say so.
const lastAnswersTime = 200 * time.Millisecond

// refuse answers a message that is too long to be read.
func (c *conversation) refuse(err error) {
	tooLong, _ := errors.AsType[*jsonrpc.TooLongError](err)
	id := jsonrpc.SalvageID(tooLong.Head, tooLong.Tail)
	c.write(jsonrpc.Error(id, jsonrpc.CodeInvalidRequest, tooLong.Error()+" (limits.messageSize raises it)"))
}

// receive handles one line.
func (c *conversation) receive(scanner *jsonscan.Scanner, line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	message, members, err := jsonrpc.ParseMessageTree(scanner, line, ofInterest)
	switch {
	case errors.Is(err, jsonscan.ErrSyntax):
		c.write(jsonrpc.Error(nil, jsonrpc.CodeParse, "parse error: "+err.Error()))
	case err != nil:
		c.write(jsonrpc.Error(message.ID, jsonrpc.CodeInvalidRequest, "invalid request: "+err.Error()))
	case message.IsRequest():
		c.begin(message, readParams(message.Params, members))
	case message.IsNotification():
		c.notice(message, members)
	default:
		c.server.host.answered(message)
	}
}

// begin takes a request up. Its place and its cancel are known before the next
// message is read; whatever has to wait for it, waits elsewhere.
func (c *conversation) begin(message jsonrpc.Message, params params) {
	begun := &exchange{conversation: c, id: bytes.Clone(message.ID), key: idKey(message.ID), method: message.Method}
	if refusal := c.exchanges.begin(begun); refusal != "" {
		c.write(jsonrpc.Error(begun.id, jsonrpc.CodeInvalidRequest, refusal))
		return
	}
	c.server.respond(&begun.ctx, begun, params, func(answer answer) { c.answer(begun, answer) })
}

// answer answers a request, unless it was cancelled meanwhile. It may wait for a
// host that does not read: whoever brings the answer is slowed down then.
func (c *conversation) answer(begun *exchange, answer answer) {
	begun.ctx.end()
	begun.speaking.Lock()
	defer begun.speaking.Unlock()
	if !c.exchanges.end(begun) {
		return
	}
	defer c.exchanges.answered()
	c.pass(answer.frame(begun.id, begun.modern), answer.group)
}

// pass writes a frame that a server's message led to, together with others if the
// group wants that.
func (c *conversation) pass(frame jsonrpc.Frame, group ports.FlushGroup) {
	if group != nil {
		group.Add(c.writer)
		if c.writer.Hold(frame) == nil {
			return
		}
	}
	c.write(frame)
}

func (c *conversation) write(frame jsonrpc.Frame) {
	if err := c.writer.Write(c.work, frame); err != nil {
		c.log.Debug("could not answer the host", "error", err)
	}
}

// offer writes a frame without ever waiting.
func (c *conversation) offer(frame jsonrpc.Frame) error { return c.writer.TryWrite(frame) }

// notice handles a notification of the host.
func (c *conversation) notice(message jsonrpc.Message, params jsonscan.Tree) {
	switch message.Method {
	case domain.MethodNotificationCancelled:
		c.cancel(params)
	case domain.MethodNotificationRootsListChanged:
		c.server.announcer.AnnounceRootsChanged()
	}
}

func (c *conversation) cancel(params jsonscan.Tree) {
	params.Each(func(name, value []byte, _ jsonscan.Tree) {
		if string(name) == "requestId" {
			c.exchanges.cancel(value)
		}
	})
}
