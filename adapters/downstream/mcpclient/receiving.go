package mcpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"mcp-workbench/domain"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/ports"
)

// Refuse fails the request that an oversize answer belongs to; err is a
// *jsonrpc.TooLongError.
func (c *Conversation) Refuse(err error) {
	tooLong, _ := errors.AsType[*jsonrpc.TooLongError](err)
	c.log.Warn("dropped a message of the server", "bytes", tooLong.Size, "limit", tooLong.Limit)
	id, ok := requestID(jsonrpc.SalvageID(tooLong.Head, tooLong.Tail))
	if !ok {
		return
	}
	c.End(id, Answer{}, &TooLargeError{Size: tooLong.Size, Limit: int64(tooLong.Limit)})
}

// Receive takes one message of the server. It is for one goroutine at a time, and
// whatever is no message is noted and passed over: servers print banners, logs and
// worse.
func (c *Conversation) Receive(scanner *jsonscan.Scanner, line []byte, group ports.FlushGroup) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	message, err := jsonrpc.ParseMessage(scanner, line)
	switch {
	case err != nil:
		c.log.Debug("passed over a line of the server's output", "bytes", len(line), "why", err)
	case message.IsResponse():
		c.deliver(message, group)
	case message.IsRequest():
		c.ask(message)
	case message.Method == domain.MethodNotificationProgress:
		c.advance(scanner, message.Params, group)
	case message.Method == domain.MethodNotificationCancelled:
		c.cancelAsked(message.Params)
	case message.Method == domain.MethodNotificationSubscriptionsAcknowledged:
		c.acknowledge(message.Params)
	default:
		c.peer.told(ports.Message{Method: message.Method, Params: withoutSubscription(message.Params)})
	}
}

func (c *Conversation) deliver(message jsonrpc.Message, group ports.FlushGroup) {
	id, ok := requestID(message.ID)
	if !ok {
		c.log.Debug("passed over an answer to no request", "id", string(message.ID))
		return
	}
	request, waits := c.take(id)
	if !waits {
		c.log.Debug("passed over an answer that nobody waits for", "id", string(message.ID))
		return
	}
	// Some servers send the other member too, as null.
	if jsonscan.IsNull(message.Error) {
		request.end(Answer{Result: message.Result, FlushGroup: group}, nil)
	} else {
		request.end(Answer{Error: message.Error, FlushGroup: group}, nil)
	}
}

// advance hands on what the server says of the progress of a request that is
// under way.
func (c *Conversation) advance(scanner *jsonscan.Scanner, params json.RawMessage, group ports.FlushGroup) {
	before, value, after, found := scanner.Cut(params, "progressToken")
	token, ok := requestID(value)
	if !found || !ok {
		c.log.Debug("passed over progress without a token of a request")
		return
	}
	c.mu.Lock()
	request := c.pending[c.tokens[token]]
	if request != nil && !request.deadline.IsZero() {
		request.begin(time.Now())
	}
	c.mu.Unlock()
	if request == nil {
		c.log.Debug("passed over progress of a request that is not under way", "token", string(value))
		return
	}
	request.request.Progress(ports.Progress{Before: before, After: after, FlushGroup: group})
}

// acknowledge takes what the server says of a subscription that it began. From then
// on it may be silent for as long as it likes.
func (c *Conversation) acknowledge(params json.RawMessage) {
	id, _ := requestID(jsonscan.Member(jsonscan.Member(params, "_meta"), mcp.MetaKeySubscriptionID))
	c.mu.Lock()
	acknowledged := func(json.RawMessage) {}
	if request := c.pending[id]; request != nil && request.request.Acknowledged != nil {
		acknowledged = request.request.Acknowledged
		request.request.Limit, request.deadline = 0, time.Time{}
	}
	c.mu.Unlock()
	acknowledged(params)
}

// requestID returns the request that a raw id of an answer names. Servers are
// seen that echo a number as a string or as a fraction.
func requestID(raw json.RawMessage) (uint64, bool) {
	text := bytes.Trim(raw, `"`)
	text = bytes.TrimSuffix(text, []byte(".0"))
	id, err := strconv.ParseUint(string(text), 10, 64)
	return id, err == nil
}
