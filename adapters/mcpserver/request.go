package mcpserver

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// request is one request of the host, from its arrival until its answer is written or it is
// cancelled. Its fields never change, except for refused.
type request struct {
	id     json.RawMessage // in the host's bytes
	key    string          // in the table
	method mcp.MCPMethod
	modern bool // of 2026-07-28
	// refused is set before the answer if the request cannot be handled.
	refused      bool
	conversation *conversation
	responder    Responder // nil if all messages leave through the conversation
	// progress passes progress on to the host under its token; nil if it wants none.
	progress func(ports.Progress)
	ctx      requestContext // of all work for the request
	// writing is held while progress or the answer is written, so that nothing about the
	// request comes after its answer. A write may wait for the host; only messages
	// about the same request wait for this lock.
	writing sync.Mutex
}

// A Responder answers one request whose answer has its own channel, as every request over HTTP does.
// Its connection carries the messages about the request before the answer. Safe for concurrent use.
type Responder interface {
	host.Connection
	// WriteProgress is Write for messages that are useless after the request was answered or
	// cancelled.
	WriteProgress(frame jsonrpc.Frame)
	// Answer writes the answer, the last message about the request, and does not keep the bytes
	// of the frame. Refused is set if the request could not be handled, so that no server has
	// seen it. Answer may wait for a host that does not read.
	Answer(frame jsonrpc.Frame, refused bool)
	// Cancelled is called instead of Answer if the host cancelled the request.
	Cancelled()
}

// newRequest returns a request that is not yet under way.
func newRequest(c *conversation, message jsonrpc.Message, params params) *request {
	r := &request{
		id: bytes.Clone(message.ID), key: jsonrpc.IDKey(message.ID), method: message.Method, modern: params.isModern(),
		conversation: c,
	}
	if token := params.meta.progressToken; !rawjson.IsNull(token) {
		r.progress = r.progressUnder(token)
	}
	return r
}

// connection returns the connection for messages about the request before its answer.
func (r *request) connection() host.Connection {
	if r.responder != nil {
		return r.responder
	}
	return r.conversation
}

// refuse answers a request that is not under way.
func (r *request) refuse(answer jsonrpc.Frame) {
	if r.responder != nil {
		r.responder.Answer(answer, true)
	} else {
		r.conversation.Write(answer)
	}
}
