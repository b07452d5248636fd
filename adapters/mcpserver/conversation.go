package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

const (
	// drainTime is the longest time requests under way can take at the end of input. The servers need the
	// rest of the time to exit.
	drainTime = time.Second
	// lastAnswersTime is the longest time answers can take after the contexts of requests ended.
	lastAnswersTime = 200 * time.Millisecond
)

// handler handles what a conversation receives, except for answers and cancellations.
type handler interface {
	// respond answers a request. It does not wait, and always calls reply.
	respond(ctx context.Context, r *request, p params, reply replyFunc)
	// notified handles a notification.
	notified(method mcp.MCPMethod)
}

// conversation is one run of Serve, or a Receiver. Safe for concurrent use, except for the fields of the reading
// goroutine.
type conversation struct {
	handler  handler
	host     *host.Host
	log      *slog.Logger
	writer   *jsonrpc.Writer
	group    jsonrpc.FlushGroup // of the calls that were read together; for the reading goroutine
	requests *requestsInFlight
	work     context.Context //nolint:containedctx // of the conversation, which Serve ends
}

var _ host.Connection = (*conversation)(nil)

// read handles messages of a limited size until the input ends. A last line without a line end counts.
func (c *conversation) read(input io.Reader, messageSize int64) error {
	lines := jsonrpc.NewLineReader(input, messageSize)
	scanner := rawjson.NewScanner()
	defer c.group.Flush()
	for {
		line, err := lines.Next()
		switch {
		case err == nil:
			c.receiveInGroup(scanner, line, lines.HasNext())
		case errors.Is(err, io.EOF):
			c.receive(scanner, line, nil)
			return nil
		case jsonrpc.IsEnd(err):
			return fmt.Errorf("read the host's messages: %w", err)
		default:
			c.refuseLine(err)
			if !lines.HasNext() {
				c.group.Flush() // of the lines before it, which were read together with it
			}
		}
	}
}

// receiveInGroup handles one of the lines that were read together. The messages that they cause are
// written together after the last line.
func (c *conversation) receiveInGroup(scanner *rawjson.Scanner, line []byte, more bool) {
	if !more && !c.group.Waiting() {
		c.receive(scanner, line, nil) // the only line, so no answer waits for another one
		return
	}
	c.receive(scanner, line, &c.group)
	if !more {
		c.group.Flush()
	}
}

// finish gives the requests under way a moment, then ends their contexts, so that each is answered
// before the writer is closed.
func (c *conversation) finish(ctx context.Context) {
	c.host.EndSubscriptions()
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	c.requests.wait(drain)
	c.requests.end()
	last, cancelLast := context.WithTimeout(context.WithoutCancel(ctx), lastAnswersTime)
	defer cancelLast()
	c.requests.wait(last)
	if err := c.writer.Close(last); err != nil {
		c.log.Debug("could not write the last answers to the host", "error", err)
	}
}

// refuseLine answers a message over the limit.
func (c *conversation) refuseLine(err error) {
	tooLong, _ := errors.AsType[*jsonrpc.TooLongError](err)
	c.Write(jsonrpc.TooLong(tooLong))
}

// receive handles one line. The messages that it causes can be written with the group, which may be nil.
func (c *conversation) receive(scanner *rawjson.Scanner, line []byte, group ports.FlushGroup) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	message, members, err := jsonrpc.ParseMessageTree(scanner, line, partsOfInterest)
	switch {
	case err != nil:
		c.Write(refusal(message.ID, err))
	case message.IsRequest():
		params := readParams(message, members, group)
		c.begin(newRequest(c, message, params), params)
	case message.IsNotification():
		c.notice(message, members)
	default:
		c.host.Answered(message)
	}
}

// refusal returns the answer to a text that is not a message. The id is nil if it could not be
// read.
func refusal(id json.RawMessage, err error) jsonrpc.Frame {
	if errors.Is(err, rawjson.ErrSyntax) {
		return jsonrpc.Error(nil, mcp.PARSE_ERROR, "parse error: "+err.Error())
	}
	return jsonrpc.Error(id, mcp.INVALID_REQUEST, "invalid request: "+err.Error())
}

// begin accepts a request and does not wait for the answer. The request is in the table, so that it
// can be cancelled, before the next message is read.
func (c *conversation) begin(r *request, params params) {
	if err := c.requests.add(r); err != nil {
		r.refuse(jsonrpc.Error(r.id, mcp.INVALID_REQUEST, err.Error()))
		return
	}
	c.handler.respond(&r.ctx, r, params, func(answer ports.Answer) bool { return c.answer(r, answer) })
}

// answer answers a request and returns true, unless it was cancelled or answered before. It can wait
// for a host that does not read, which slows down the source of the answer.
func (c *conversation) answer(r *request, answer ports.Answer) bool {
	r.ctx.end()
	r.writing.Lock()
	defer r.writing.Unlock()
	if !c.requests.beginAnswer(r) {
		return false
	}
	defer c.requests.answered()
	if r.responder != nil {
		r.responder.Answer(frame(r, answer), r.refused || errorCode(answer.Error) == mcp.MISSING_REQUIRED_CLIENT_CAPABILITY)
	} else {
		c.writeInGroup(frame(r, answer), answer.FlushGroup)
	}
	return true
}

// writeInGroup writes a frame that a server's message caused, together with others if there is a
// group.
func (c *conversation) writeInGroup(frame jsonrpc.Frame, group ports.FlushGroup) {
	if group != nil {
		group.Add(c.writer)
		if c.writer.Hold(frame) == nil {
			return
		}
	}
	c.Write(frame)
}

// Write implements host.Connection.
func (c *conversation) Write(frame jsonrpc.Frame) {
	err := c.writer.Write(c.work, frame)
	if err != nil && c.work.Err() != nil { // it is still written if nothing has to wait for that
		err = c.writer.TryWrite(frame)
	}
	if err != nil {
		c.log.Debug("could not write to the host", "error", err)
	}
}

// notice handles a notification of the host.
func (c *conversation) notice(message jsonrpc.Message, params rawjson.Tree) {
	switch message.Method {
	case mcp.MethodNotificationCancelled:
		params.Each(func(name, value []byte, _ rawjson.Tree) {
			if string(name) == "requestId" {
				c.requests.cancel(jsonrpc.IDKey(value))
			}
		})
	default:
		c.handler.notified(message.Method)
	}
}

// TryWrite implements host.Connection.
func (c *conversation) TryWrite(frame jsonrpc.Frame) error { return c.writer.TryWrite(frame) }
