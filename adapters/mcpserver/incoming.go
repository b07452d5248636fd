package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// Incoming is one message of a host, read and not yet handled. It is valid until the scanner that
// read it is used again, and as long as its text.
type Incoming struct {
	message jsonrpc.Message
	members rawjson.Tree
	params  params // of a request or a notification
	// TransportTrace is the traceparent that arrived beside the message, "" for none.
	TransportTrace string
}

// InvalidMessageError says why a text is not a message of a host.
type InvalidMessageError struct {
	Answer jsonrpc.Frame // for the host
	cause  error
}

func (e *InvalidMessageError) Error() string { return "read a message: " + e.cause.Error() }

func (e *InvalidMessageError) Unwrap() error { return e.cause }

// ReadIncoming reads a message that did not arrive as a line. It is also invalid if too much of it would
// be kept. Failures: *InvalidMessageError.
func ReadIncoming(scanner *rawjson.Scanner, text []byte) (Incoming, error) {
	message, members, err := jsonrpc.ParseMessageTree(scanner, text, partsOfInterest)
	if err != nil {
		return Incoming{}, &InvalidMessageError{Answer: refusal(bytes.Clone(message.ID), err), cause: err}
	}
	in := Incoming{message: message, members: members}
	if message.Method != "" {
		in.params = readParams(message, members, nil)
	}
	if err := in.check(); err != nil {
		return Incoming{}, &InvalidMessageError{Answer: refusal(nil, err), cause: err}
	}
	return in, nil
}

// Limits of the parts of a message that are kept after it is handled, in bytes.
const (
	maxID       = 1 << 10
	maxDeclared = 64 << 10
)

// check returns an error if too much of the message would be kept: its id as long as the request is
// under way, the declarations of its host as long as the session.
func (in *Incoming) check() error {
	declared := len(in.params.member("capabilities")) + len(in.params.member("clientInfo")) +
		len(in.params.meta.capabilities) + len(in.params.meta.clientInfo)
	switch {
	case len(in.message.ID) > maxID:
		return fmt.Errorf("the id is longer than %d bytes", maxID)
	case declared > maxDeclared:
		return fmt.Errorf("clientInfo and the capabilities of the client are longer than %d bytes", maxDeclared)
	}
	return nil
}

// TooLong returns the answer to a message over the limit, of which only the head was read.
func TooLong(head []byte, limit int64) jsonrpc.Frame {
	text := fmt.Sprintf("a message is over the limit of %d bytes (limits.messageSize raises it)", limit)
	return jsonrpc.Error(jsonrpc.SalvageID(head, nil), mcp.INVALID_REQUEST, text)
}

// IsRequest reports whether the message wants an answer.
func (in *Incoming) IsRequest() bool { return in.message.IsRequest() }

// Method returns the method of a request or a notification, "" for an answer.
func (in *Incoming) Method() mcp.MCPMethod { return in.message.Method }

// ID returns the raw id of a request, valid as long as the text.
func (in *Incoming) ID() json.RawMessage { return in.message.ID }

// IsInitialize reports whether the message begins a session, as before 2026-07-28.
func (in *Incoming) IsInitialize() bool {
	return in.IsRequest() && in.message.Method == mcp.MethodInitialize && !in.IsModern()
}

// IsModern reports whether the message is of 2026-07-28 or later.
func (in *Incoming) IsModern() bool { return in.params.isModern() }

// IsSubscription reports whether the message is a request that is under way as long as the host
// listens.
func (in *Incoming) IsSubscription() bool {
	return in.IsRequest() && in.message.Method == mcp.MethodSubscriptionsListen
}

// Version returns the protocol version in the _meta of the message, which it has since 2026-07-28,
// otherwise "".
func (in *Incoming) Version() string { return in.params.meta.version }

// HandshakeVersion returns the protocol version that an initialize asks for.
func (in *Incoming) HandshakeVersion() string {
	return rawjson.Text(in.params.member("protocolVersion"))
}

// ClientName returns the name of the host in the _meta of the message, "" if there is none.
func (in *Incoming) ClientName() string { return clientName(in.params.meta.clientInfo) }

// Capabilities returns the capabilities in the _meta of the message, nil if there are none, valid
// as long as the text.
func (in *Incoming) Capabilities() json.RawMessage { return in.params.meta.capabilities }

// HeaderName returns the name in the message that a header must repeat since 2026-07-28
// (basic/transports/streamable-http), and reports whether its method requires such a header.
func (in *Incoming) HeaderName() (name string, required bool) {
	if !mcp.MethodRequiresNameHeader(in.message.Method) {
		return "", false
	}
	if in.message.Method == mcp.MethodResourcesRead {
		return rawjson.Text(in.params.member("uri")), true
	}
	return rawjson.Text(in.params.name), true
}
