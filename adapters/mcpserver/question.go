package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"mcp-workbench/domain"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/ports"
)

// question is a request to the host that waits for its answer.
type question struct {
	reply ports.Reply
	// forget ends the watch on the asking server.
	forget func() bool
}

// question sends a request of a server to the host, with an id of the workbench's
// own.
func (h *Host) question(ctx context.Context, c *conversation, request ports.Message, reply ports.Reply) {
	h.mu.Lock()
	h.lastQuestion++
	number := h.lastQuestion
	id := strconv.FormatUint(number, 10)
	h.questions[id] = &question{
		reply:  reply,
		forget: context.AfterFunc(ctx, func() { h.giveUp(c, number, ctx.Err()) }),
	}
	// Under the lock, which giving up needs: a cancel must not come before its question.
	err := c.offer(jsonrpc.Request(number, request.Method, request.Params))
	h.mu.Unlock()
	if err != nil {
		h.giveUp(c, number, err)
	}
}

// take removes a question, if it still waits.
func (h *Host) take(id string) (*question, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked, ok := h.questions[id]
	delete(h.questions, id)
	return asked, ok
}

// giveUp ends a question that nobody waits for any longer, and tells the host.
func (h *Host) giveUp(c *conversation, number uint64, cause error) {
	id := strconv.FormatUint(number, 10)
	asked, ok := h.take(id)
	if !ok {
		return
	}
	asked.reply(ports.Answer{}, cause)
	params := []byte(`{"requestId":` + id + `,"reason":"the server gave the request up"}`)
	if err := c.offer(jsonrpc.Notification(domain.MethodNotificationCancelled, params)); err != nil {
		h.log.Debug("could not tell the host of a cancelled request", "error", err)
	}
}

// answered takes an answer of the host.
func (h *Host) answered(message jsonrpc.Message) {
	asked, ok := h.take(string(message.ID))
	if !ok {
		h.log.Debug("passed over an answer of the host that nobody waits for", "id", string(message.ID))
		return
	}
	asked.forget()
	if jsonscan.IsNull(message.Error) {
		asked.reply(ports.Answer{Result: message.Result}, nil)
	} else {
		asked.reply(ports.Answer{Error: message.Error}, nil)
	}
}

// errHostAnswer is an error object that the host answered with.
func errHostAnswer(object json.RawMessage) error {
	message := jsonscan.Text(jsonscan.Member(object, "message"))
	if message == "" {
		message = string(object)
	}
	return errors.New("the host answered: " + message)
}
