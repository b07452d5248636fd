package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync/atomic"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// Exchange is the way back to the host for one request that came on its own, as every
// request over HTTP does. Its connection carries what belongs to the request and comes
// before the answer. Safe for concurrent use.
type Exchange interface {
	host.Connection
	// WriteProgress is Write for messages that are useless once the request was answered or
	// cancelled.
	WriteProgress(frame jsonrpc.Frame)
	// Answer takes the answer, after which nothing about the request follows. The bytes of
	// the frame are needed until it returns. Refused is set when the answer is an error that
	// says that the request cannot be handled: no server has seen it. Answer may wait for a
	// host that does not read.
	Answer(frame jsonrpc.Frame, refused bool)
	// Cancelled says that the host gave the request up, so that no answer will come.
	Cancelled()
}

// Exchanges are the messages of one host that come one at a time, each with a way back of
// its own. Safe for concurrent use.
type Exchanges struct {
	conversation *conversation
	stop         context.CancelFunc
	last         atomic.Uint64 // number of the last request of 2026-07-28
}

// Exchange begins to answer a host whose messages come one at a time, in place of Serve.
// What belongs to no request leaves through the connection. The states of servers are
// sealed to the host, since there are others. Close must follow.
func (s *Server) Exchange(ctx context.Context, rest host.Connection) *Exchanges {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.host.Connect(rest)
	s.states.everything = true
	return &Exchanges{stop: stop, conversation: &conversation{
		server: s, log: s.program.log, work: work, requests: newRequestsInFlight(s.program.limits.InFlight),
	}}
}

// Incoming is one message of a host that was read and not handled yet. It is valid until
// the scanner that read it is used again, and as long as its text.
type Incoming struct {
	message jsonrpc.Message
	members rawjson.Tree
	params  params // of a request or a notification
}

// InvalidMessageError says why a text is no message of a host. Answer is what the host gets.
type InvalidMessageError struct {
	Answer jsonrpc.Frame
	cause  error
}

func (e *InvalidMessageError) Error() string { return "read a message: " + e.cause.Error() }

func (e *InvalidMessageError) Unwrap() error { return e.cause }

// ReadIncoming reads a message. Line feeds and carriage returns between its tokens become
// spaces in the text, since what is in it may go on in one line. A message is invalid too
// when what would be held of it is long. Failures: *InvalidMessageError.
func ReadIncoming(scanner *rawjson.Scanner, text []byte) (Incoming, error) {
	message, members, err := jsonrpc.ParseMessageTree(scanner, text, partsOfInterest)
	if err != nil {
		return Incoming{}, &InvalidMessageError{Answer: refusal(bytes.Clone(message.ID), err), cause: err}
	}
	joinLines(text)
	in := Incoming{message: message, members: members}
	if message.Method != "" {
		in.params = readParams(message.Params, members, nil)
	}
	if err := in.check(); err != nil {
		return Incoming{}, &InvalidMessageError{Answer: refusal(nil, err), cause: err}
	}
	return in, nil
}

// What is held of a message for longer than it takes to read it, in bytes.
const (
	maxID       = 1 << 10
	maxDeclared = 64 << 10
)

// check returns why a message is refused of which too much would be held: by its id as long as
// the request is under way, by what its host says of itself as long as there is a session.
func (in *Incoming) check() error {
	declared := len(in.params.capabilities) + len(in.params.clientInfo) + len(in.params.meta.capabilities) + len(in.params.meta.clientInfo)
	switch {
	case len(in.message.ID) > maxID:
		return fmt.Errorf("the id is longer than %d bytes", maxID)
	case declared > maxDeclared:
		return fmt.Errorf("clientInfo and the capabilities of the client are longer than %d bytes", maxDeclared)
	}
	return nil
}

// TooLong is the answer to a message that is longer than the limit, of which only the
// beginning was read.
func TooLong(head []byte, limit int64) jsonrpc.Frame {
	text := fmt.Sprintf("a message is over the limit of %d bytes (limits.messageSize raises it)", limit)
	return jsonrpc.Error(jsonrpc.SalvageID(head, nil), jsonrpc.CodeInvalidRequest, text)
}

// joinLines makes one line of a JSON text, in which line ends are white space only.
func joinLines(text []byte) {
	for _, end := range []byte("\r\n") {
		rest := text
		for at := bytes.IndexByte(rest, end); at >= 0; at = bytes.IndexByte(rest, end) {
			rest[at] = ' '
			rest = rest[at+1:]
		}
	}
}

// IsRequest reports whether the message wants an answer.
func (in *Incoming) IsRequest() bool { return in.message.IsRequest() }

// IsResponse reports whether the message is an answer.
func (in *Incoming) IsResponse() bool { return in.message.IsResponse() }

// Method returns the method of a request or a notification, "" for an answer.
func (in *Incoming) Method() string { return in.message.Method }

// ID returns the raw id of a request, valid as long as the text.
func (in *Incoming) ID() json.RawMessage { return in.message.ID }

// IsInitialize reports whether the message begins a session, as hosts did before
// 2026-07-28.
func (in *Incoming) IsInitialize() bool {
	return in.IsRequest() && in.message.Method == domain.MethodInitialize && !in.IsModern()
}

// IsModern reports whether the message is of 2026-07-28 or later.
func (in *Incoming) IsModern() bool { return in.params.isModern() }

// IsSubscription reports whether the message is a request that is under way for as long as
// the host listens.
func (in *Incoming) IsSubscription() bool {
	return in.IsRequest() && in.message.Method == domain.MethodSubscriptionsListen
}

// Version returns the version of the protocol that the message names in its _meta, as
// messages do since 2026-07-28, otherwise "".
func (in *Incoming) Version() string { return in.params.meta.version }

// HandshakeVersion returns the version of the protocol that an initialize asks for.
func (in *Incoming) HandshakeVersion() string { return rawjson.Text(in.params.protocolVersion) }

// ClientName returns what the host calls itself in the _meta of the message, "" if it does
// not say.
func (in *Incoming) ClientName() string { return clientName(in.params.meta.clientInfo) }

// Capabilities returns what the host declares in the _meta of the message, nil if it does
// not, valid as long as the text.
func (in *Incoming) Capabilities() json.RawMessage { return in.params.meta.capabilities }

// HeaderName returns what the message names that a header has to name too since
// 2026-07-28 (basic/transports/streamable-http), and whether it is of a method that has to.
func (in *Incoming) HeaderName() (name string, wanted bool) {
	if !protocol.RequiresHeaderName(in.message.Method) {
		return "", false
	}
	if in.message.Method == domain.MethodResourcesRead {
		return rawjson.Text(in.params.uri), true
	}
	return rawjson.Text(in.params.name), true
}

// Receive handles a message. The exchange is that of a request, nil for anything else.
// Cancel, which is nil for anything but a request, gives the request up: its exchange
// hears that it was cancelled, unless it was answered. Receive does not wait for the
// answer.
func (e *Exchanges) Receive(in Incoming, exchange Exchange) (cancel func()) {
	c := e.conversation
	switch {
	case in.message.IsRequest():
		begun := newRequest(c, in.message, in.params)
		begun.exchange = exchange
		if begun.modern {
			// Ids of 2026-07-28 are the host's own affair: each of its requests has a stream
			// by itself, and several programs may count as one host.
			begun.key = "exchange " + strconv.FormatUint(e.last.Add(1), 10)
		}
		c.begin(begun, in.params)
		return func() { c.requests.cancel(begun.key) }
	case in.message.IsNotification():
		c.notice(in.message, in.members)
	default:
		c.server.host.Answered(in.message)
	}
	return nil
}

// Wait waits until no request is under way or the context ends. Subscriptions, which would
// go on for ever, are ended. It is for the end: no message may come after it.
func (e *Exchanges) Wait(ctx context.Context) {
	e.conversation.server.host.EndSubscriptions()
	e.conversation.requests.wait(ctx)
}

// Close ends the work for every request that is under way; each is answered before Close
// returns, or a moment has passed.
func (e *Exchanges) Close(ctx context.Context) {
	c := e.conversation
	defer e.stop()
	c.server.host.EndSubscriptions()
	c.requests.end()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastAnswersTime)
	defer cancel()
	c.requests.wait(last)
	c.server.host.Disconnect()
}

// newRequest returns a request that is not under way yet.
func newRequest(c *conversation, message jsonrpc.Message, params params) *request {
	return &request{
		id: bytes.Clone(message.ID), key: idKey(message.ID), method: message.Method, modern: params.isModern(),
		conversation: c,
	}
}

// connection returns the way for what belongs to the request and comes before its answer.
func (r *request) connection() host.Connection {
	if r.exchange != nil {
		return r.exchange
	}
	return r.conversation
}

// refuse answers a request that is not under way.
func (r *request) refuse(answer jsonrpc.Frame) {
	if r.exchange != nil {
		r.exchange.Answer(answer, true)
	} else {
		r.conversation.Write(answer)
	}
}

// accompany lets what a server says while it works on the request go its way, where it has
// one of its own.
func (s *Server) accompany(ctx context.Context, r *request, server domain.ServerID) {
	if r.exchange != nil && !r.modern {
		s.host.Accompany(ctx, server, r.exchange)
	}
}
