package httpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain/rawjson"
)

// reply answers one request of a host: a stream of the messages that belong to it, the
// answer last. It implements mcpserver.Responder.
type reply struct {
	session *session
	stream  *stream
	// reader has the stream from the beginning on.
	reader *reader
	// id is the id of the request.
	id json.RawMessage
	// held is what the request holds until it was answered or cancelled.
	held held
	// refusal is the code of the error that refused the request, 0 for none. It is set
	// before the stream ends.
	refusal int
	// isPrimed is set when the host was told an id of the stream before there was a message.
	isPrimed bool
	// isLasting is set for a request that may be under way for as long as the host is there.
	isLasting bool

	mu sync.Mutex
	// cancel cancels the request. It is set before the reply is sent.
	cancel func()
	// isGivenUp is set when the request is cancelled for those of others.
	isGivenUp bool
}

var _ mcpserver.Responder = (*reply)(nil)

// newReply begins the reply to a request. The session counts as used until its end.
func newReply(s *session, id json.RawMessage) *reply {
	s.use(1)
	stream := newStream(s.kept, s.holder, !s.isModern(), s.ending)
	return &reply{session: s, stream: stream, reader: stream.attach(), id: bytes.Clone(id)}
}

// Write implements mcpserver.Responder. Messages after the answer go to the stream of the
// session.
func (x *reply) Write(frame jsonrpc.Frame) {
	text := frame.Message()
	if x.stream.write(text) != nil {
		x.session.rest.Write(frame)
	}
}

// WriteProgress implements mcpserver.Responder. Messages after the end are dropped.
func (x *reply) WriteProgress(frame jsonrpc.Frame) { _ = x.stream.write(frame.Message()) }

// TryWrite implements mcpserver.Responder.
func (x *reply) TryWrite(frame jsonrpc.Frame) error {
	err := x.stream.tryWrite(frame.Message())
	if errors.Is(err, errEnded) {
		return x.session.rest.TryWrite(frame)
	}
	return err
}

// Answer implements mcpserver.Responder.
func (x *reply) Answer(frame jsonrpc.Frame, refused bool) {
	text := frame.LargeMessage()
	if refused {
		x.refusal = codeOf(text)
	}
	x.end(text)
}

// end ends the reply with its last message, nil for none. Its stream may have been
// cut long ago, and a host may still ask for it.
func (x *reply) end(text []byte) {
	x.stream.end(text)
	x.session.keep(x.stream)
	x.session.use(-1)
	x.held.end()
}

// status returns the status of a response that is one answer (2026-07-28 has statuses for errors
// about the request itself).
func (x *reply) status() int {
	switch {
	case !x.session.isModern() || x.refusal == 0:
		return http.StatusOK
	case x.refusal == mcp.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case x.refusal == mcp.INTERNAL_ERROR:
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// codeOf returns the code of the error in an answer.
func codeOf(answer []byte) int {
	code, err := strconv.Atoi(string(rawjson.Member(rawjson.Member(answer, "error"), "code")))
	if err != nil {
		return mcp.INTERNAL_ERROR
	}
	return code
}

// restOfSession is the stream for messages that belong to no request.
type restOfSession struct{ *stream }

// Write implements host.Connection.
func (r restOfSession) Write(frame jsonrpc.Frame) { _ = r.stream.write(frame.Message()) } // a stream that ended has no reader

// TryWrite implements host.Connection.
func (r restOfSession) TryWrite(frame jsonrpc.Frame) error { return r.stream.tryWrite(frame.Message()) }

// nowhere drops messages that belong to no request: a host of 2026-07-28 has no stream for them.
type nowhere struct{}

// Write implements host.Connection.
func (nowhere) Write(jsonrpc.Frame) {}

// TryWrite implements host.Connection.
func (nowhere) TryWrite(jsonrpc.Frame) error { return errEnded }
