package httpserver

import (
	"errors"
	"strconv"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain/rawjson"
)

// exchange is one request of a host, with the stream of what belongs to it.
type exchange struct {
	*stream
	session *session
	// reading takes what comes, from the beginning on.
	reading *reader
	// refusal is the code of the error that refused the request, 0 for none. It is set
	// before the stream ends.
	refusal int
	// primed is set when the host was told an id of the stream before there was a message.
	primed bool
	// over is called once the request was answered or cancelled.
	over func()
	// lasting says that there may be no answer for as long as the host is there.
	lasting bool
}

var _ mcpserver.Exchange = (*exchange)(nil)

// newExchange begins one. The session counts as used until its end.
func newExchange(s *session, over func()) *exchange {
	s.enter()
	own := newStream(s.kept, !s.isModern(), s.ending)
	return &exchange{stream: own, session: s, reading: own.attach(), over: over}
}

// Write implements mcpserver.Exchange. What comes after the answer goes to the stream of
// the session.
func (e *exchange) Write(frame jsonrpc.Frame) {
	text := frame.Message()
	if e.stream.write(text) != nil {
		e.session.rest.Write(frame)
	}
}

// WriteProgress implements mcpserver.Exchange. What comes after the end is dropped.
func (e *exchange) WriteProgress(frame jsonrpc.Frame) { _ = e.stream.write(frame.Message()) }

// TryWrite implements mcpserver.Exchange.
func (e *exchange) TryWrite(frame jsonrpc.Frame) error {
	err := e.stream.tryWrite(frame.Message())
	if errors.Is(err, errEnded) {
		return e.session.rest.TryWrite(frame)
	}
	return err
}

// Answer implements mcpserver.Exchange.
func (e *exchange) Answer(frame jsonrpc.Frame, refused bool) {
	text := frame.Message()
	if refused {
		e.refusal = codeOf(text)
	}
	e.finish(text)
}

// Cancelled implements mcpserver.Exchange.
func (e *exchange) Cancelled() {
	e.finish(nil)
}

// finish ends the exchange with its last message, nil for none. Its stream may have been
// cut long ago, and be asked for still.
func (e *exchange) finish(text []byte) {
	e.stream.end(text)
	e.session.kept.keep(e.session, e.stream)
	e.session.leave()
	e.over()
}

// codeOf returns the code of the error in an answer.
func codeOf(answer []byte) int {
	code, err := strconv.Atoi(string(rawjson.Member(rawjson.Member(answer, "error"), "code")))
	if err != nil {
		return jsonrpc.CodeInternal
	}
	return code
}

// restOfSession is the stream for what belongs to no request.
type restOfSession struct{ *stream }

// Write implements host.Connection.
func (r restOfSession) Write(frame jsonrpc.Frame) { _ = r.stream.write(frame.Message()) } // a stream that ended has no reader

// TryWrite implements host.Connection.
func (r restOfSession) TryWrite(frame jsonrpc.Frame) error { return r.stream.tryWrite(frame.Message()) }

// nowhere is where messages go that belong to no request of a host of 2026-07-28, which
// has no way for them.
type nowhere struct{}

// Write implements host.Connection.
func (nowhere) Write(jsonrpc.Frame) {}

// TryWrite implements host.Connection.
func (nowhere) TryWrite(jsonrpc.Frame) error { return errEnded }
