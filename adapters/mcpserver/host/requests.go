package host

import (
	"context"
	"log/slog"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// requests holds the requests of servers that a host with a handshake has not yet answered, by
// the workbench's own ids. Safe for concurrent use.
type requests struct {
	log *slog.Logger

	mu       sync.Mutex
	inFlight jsonrpc.InFlight[*pendingRequest, struct{}]
}

type pendingRequest struct {
	reply ports.Reply
	// unwatch stops watching the context of the server's request.
	unwatch func() bool
}

// send sends a request. Reply is called exactly once.
func (r *requests) send(ctx context.Context, c Connection, request ports.Message, reply ports.Reply) {
	pending := &pendingRequest{reply: reply}
	r.mu.Lock()
	id, _ := r.inFlight.Begin(pending) // fails only after Fail
	pending.unwatch = context.AfterFunc(ctx, func() { r.cancel(c, id, ctx.Err()) })
	// Under the lock, which cancel needs too: the host must not get the cancellation first.
	err := c.TryWrite(jsonrpc.Request(id, mcp.MCPMethod(request.Method), request.Params))
	r.mu.Unlock()
	if err != nil {
		r.cancel(c, id, err)
	}
}

// beginAfter makes the ids of requests begin after id.
func (r *requests) beginAfter(id uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inFlight.BeginAfter(id)
}

// complete removes a request, if it is still pending.
func (r *requests) complete(id uint64) (*pendingRequest, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.inFlight.Complete(id)
}

// cancel ends a pending request and tells the host.
func (r *requests) cancel(c Connection, id uint64, cause error) {
	pending, ok := r.complete(id)
	if !ok {
		return
	}
	pending.reply(ports.Answer{}, cause)
	params := rawjson.Object{}.Uint("requestId", id).Text("reason", "the request was abandoned").JSON()
	if err := c.TryWrite(jsonrpc.Notification(mcp.MethodNotificationCancelled, params)); err != nil {
		r.log.Debug("could not tell the host that a request was cancelled", "id", id, "error", err)
	}
}

// answered handles an answer of the host.
func (r *requests) answered(message jsonrpc.Message) {
	id, err := strconv.ParseUint(string(message.ID), 10, 64)
	pending, ok := r.complete(id)
	if err != nil || !ok {
		r.log.Debug("ignored an answer of the host to a request that is not pending", "id", string(message.ID))
		return
	}
	pending.unwatch()
	if rawjson.IsNull(message.Error) {
		pending.reply(ports.Answer{Result: message.Result}, nil)
	} else {
		pending.reply(ports.Answer{Error: message.Error}, nil)
	}
}
