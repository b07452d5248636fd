package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain/rawjson"
)

// ErrInvalid reports text that is JSON, but not a JSON-RPC 2.0 message.
var ErrInvalid = errors.New("not a JSON-RPC message")

// Message is the envelope of one message. Its raw members are slices of the scanned line;
// absent members are nil.
type Message struct {
	// ID is a string or a number in the sender's bytes, nil when absent.
	ID     json.RawMessage
	Method mcp.MCPMethod
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
	// Clean says that the line is UTF-8 and has no line ends, not even between tokens, so that its
	// parts can be framed without a check.
	Clean bool
}

// IsRequest reports whether the message has a method and must be answered.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// IsNotification reports whether the message has a method and must not be answered.
func (m *Message) IsNotification() bool { return m.Method != "" && m.ID == nil }

// IsResponse reports whether the message is an answer.
func (m *Message) IsResponse() bool { return m.Method == "" }

// ParseMessage scans the envelope of a line once. The last of repeated members counts, as in
// encoding/json; names are case-sensitive. On failure the message has only the id, if that
// could be read, and the error wraps rawjson.ErrSyntax or ErrInvalid.
func ParseMessage(scanner *rawjson.Scanner, line []byte) (Message, error) {
	return ParseAnswer(scanner, line, nil)
}

// ParseAnswer is ParseMessage. In the same pass it calls seen for each member of the result, if that is an
// object, and then with a nil name. It does so again for a repeated result.
func ParseAnswer(scanner *rawjson.Scanner, line []byte, seen func(name, value []byte)) (Message, error) {
	var e envelope
	err := scanner.EachMemberAnd(line, "result", seen, func(name, value []byte) error {
		e.set(name, value)
		if seen != nil && string(name) == "result" {
			seen(nil, nil)
		}
		return nil
	})
	return e.message(scanner, err)
}

// ParseMessageTree is ParseMessage. In the same pass it builds the tree of params, as deep as
// descend says. The tree is valid until the scanner is used again. A message whose tree would be too large is ErrInvalid.
func ParseMessageTree(scanner *rawjson.Scanner, line []byte, descend rawjson.Descend) (Message, rawjson.Tree, error) {
	var e envelope
	tree, err := scanner.Tree(line, descend)
	if errors.Is(err, rawjson.ErrTooManyMembers) {
		message, invalid := ParseMessage(scanner, line)
		if invalid == nil {
			invalid = fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		return Message{ID: message.ID}, rawjson.Tree{}, invalid
	}
	var params rawjson.Tree
	tree.Each(func(name, value []byte, members rawjson.Tree) {
		e.set(name, value)
		if string(name) == "params" {
			params = members
		}
	})
	message, err := e.message(scanner, err)
	return message, params, err
}

// envelope collects the raw members of a message.
type envelope struct {
	version, id, method []byte
	m                   Message
}

func (e *envelope) set(name, value []byte) {
	switch string(name) {
	case "jsonrpc":
		e.version = value
	case "id":
		e.id = value
	case "method":
		e.method = value
	case "params":
		e.m.Params = value
	case "result":
		e.m.Result = value
	case "error":
		e.m.Error = value
	}
}

// message returns the message in the envelope. The argument err is the result of the scan.
func (e *envelope) message(scanner *rawjson.Scanner, err error) (Message, error) {
	if errors.Is(err, rawjson.ErrNotObject) {
		return Message{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if err != nil {
		return Message{}, err
	}
	if kind := rawjson.Kind(e.id); kind == '"' || kind == '0' {
		e.m.ID = e.id
	} else if kind != 0 && (kind != 'n' || e.method != nil) {
		return Message{}, fmt.Errorf("%w: the id is neither a string nor a number", ErrInvalid)
	}
	if string(e.version) != `"`+mcp.JSONRPC_VERSION+`"` {
		return Message{ID: e.m.ID}, fmt.Errorf("%w: jsonrpc is not %q", ErrInvalid, mcp.JSONRPC_VERSION)
	}
	if e.method != nil {
		if e.m.Method = methodName(e.method); e.m.Method == "" {
			return Message{ID: e.m.ID}, fmt.Errorf("%w: the method is not a name", ErrInvalid)
		}
	}
	if e.m.Method == "" && e.m.Result == nil && rawjson.IsNull(e.m.Error) {
		return Message{ID: e.m.ID}, fmt.Errorf("%w: neither method nor result nor error", ErrInvalid)
	}
	e.m.Clean = scanner.Clean()
	return e.m, nil
}

// methodName returns the text of the member "method", "" if it is not a string. It does not
// allocate for the methods of frequent messages.
func methodName(value []byte) mcp.MCPMethod {
	switch string(value) {
	case `"` + string(mcp.MethodToolsCall) + `"`:
		return mcp.MethodToolsCall
	case `"` + string(mcp.MethodNotificationProgress) + `"`:
		return mcp.MethodNotificationProgress
	case `"` + string(mcp.MethodNotificationMessage) + `"`:
		return mcp.MethodNotificationMessage
	case `"` + string(mcp.MethodNotificationCancelled) + `"`:
		return mcp.MethodNotificationCancelled
	}
	return mcp.MCPMethod(rawjson.Text(value))
}

// IDKey returns the key of an id: its bytes, with the escapes of a string resolved, so that a
// cancellation can escape the id in another way than its request.
func IDKey(id json.RawMessage) string {
	if bytes.IndexByte(id, '\\') < 0 {
		return string(id)
	}
	return string(rawjson.Quote(rawjson.Text(id)))
}
