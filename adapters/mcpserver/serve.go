package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
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
	exchanges *exchanges
	work      context.Context // of every request
}

// read handles messages until the input ends. A last line without an end counts.
func (c *conversation) read(input io.Reader) error {
	lines := jsonrpc.NewLineReader(input, c.server.limits.MessageSize)
	scanner := jsonrpc.NewScanner()
	for {
		line, err := lines.Next()
		switch {
		case err == nil:
			c.receive(scanner, lines, line)
		case errors.Is(err, io.EOF):
			c.receive(scanner, lines, line)
			return nil
		case jsonrpc.IsEnd(err):
			return fmt.Errorf("read the host's messages: %w", err)
		default:
			c.refuse(err)
		}
	}
}

// finish gives the requests under way a moment, then stops them; each is
// answered before the output is left.
func (c *conversation) finish(ctx context.Context) {
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
	c.post(jsonrpc.Error(id, jsonrpc.CodeInvalidRequest, tooLong.Error()+" (limits.messageSize raises it)"))
}

// receive handles one line.
func (c *conversation) receive(scanner *jsonrpc.Scanner, lines *jsonrpc.LineReader, line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	message, err := scanner.Message(line)
	switch {
	case errors.Is(err, jsonrpc.ErrSyntax):
		c.post(jsonrpc.Error(nil, jsonrpc.CodeParse, "parse error: "+err.Error()))
	case err != nil:
		c.post(jsonrpc.Error(bytes.Clone(message.ID), jsonrpc.CodeInvalidRequest, "invalid request: "+err.Error()))
	case message.IsRequest():
		c.begin(message, lines)
	case message.IsNotification():
		c.notice(scanner, message)
	default:
		c.log.Debug("passed over an answer of the host that nobody waits for", "id", string(message.ID))
	}
}

// begin takes a request up. Its place and its cancel are known before the next
// message is read.
func (c *conversation) begin(message jsonrpc.Message, lines *jsonrpc.LineReader) {
	ctx, cancel := context.WithCancel(c.work)
	begun := &exchange{
		id: bytes.Clone(message.ID), key: idKey(message.ID),
		method: message.Method, params: lines.Keep(message.Params), cancel: cancel,
	}
	if refusal := c.exchanges.begin(begun); refusal != "" {
		cancel()
		c.post(jsonrpc.Error(begun.id, jsonrpc.CodeInvalidRequest, refusal))
		return
	}
	if begun.method == string(mcp.MethodInitialize) {
		c.carryOut(ctx, begun)
		return
	}
	go c.carryOut(ctx, begun)
}

// carryOut answers a request, unless it is cancelled meanwhile.
func (c *conversation) carryOut(ctx context.Context, begun *exchange) {
	defer begun.cancel()
	frames := c.server.respond(ctx, begun)
	if !c.exchanges.end(begun) {
		return
	}
	for _, frame := range frames {
		if err := c.writer.Write(c.work, frame); err != nil {
			c.log.Debug("could not answer the host", "method", begun.method, "error", err)
		}
	}
}

// notice handles a notification of the host.
func (c *conversation) notice(scanner *jsonrpc.Scanner, message jsonrpc.Message) {
	if message.Method != string(mcp.MethodNotificationCancelled) {
		return
	}
	err := scanner.Object(message.Params, func(name, value []byte) error {
		if string(name) == "requestId" {
			c.exchanges.cancel(value)
		}
		return nil
	})
	if err != nil {
		c.log.Debug("passed over a cancel without a request", "error", err)
	}
}

// post writes a frame from the reading side, which must not wait for a host that
// does not read.
func (c *conversation) post(frame jsonrpc.Frame) {
	if err := c.writer.Post(frame); err != nil {
		c.log.Debug("could not answer the host", "error", err)
	}
}
