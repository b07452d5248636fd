package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

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
	declared := len(in.params.member("capabilities")) + len(in.params.member("clientInfo")) + len(in.params.meta.capabilities) + len(in.params.meta.clientInfo)
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
func (in *Incoming) HandshakeVersion() string {
	return rawjson.Text(in.params.member("protocolVersion"))
}

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
		return rawjson.Text(in.params.member("uri")), true
	}
	return rawjson.Text(in.params.name), true
}
