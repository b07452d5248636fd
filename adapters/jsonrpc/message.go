package jsonrpc

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Version is the version of JSON-RPC that every message names.
const Version = "2.0"

// ErrInvalid: the text is JSON, but no JSON-RPC 2.0 message.
var ErrInvalid = errors.New("not a JSON-RPC message")

// Message is the envelope of one message. Its raw members are parts of the line
// that was scanned; absent members are nil.
type Message struct {
	// ID is a string or a number in the sender's bytes, nil when absent.
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// IsRequest reports whether the message wants an answer.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// IsNotification reports whether the message wants none.
func (m *Message) IsNotification() bool { return m.Method != "" && m.ID == nil }

// IsResponse reports whether the message is an answer.
func (m *Message) IsResponse() bool { return m.Method == "" }

// Message scans the envelope of a line once. Of repeated members the last
// counts, as for encoding/json; names count in their exact case. On failure the
// message holds the id where that could be read, and the error wraps ErrSyntax
// or ErrInvalid.
func (s *Scanner) Message(line []byte) (Message, error) {
	var m Message
	var version, id, method []byte
	err := s.Object(line, func(name, value []byte) error {
		switch string(name) {
		case "jsonrpc":
			version = value
		case "id":
			id = value
		case "method":
			method = value
		case "params":
			m.Params = value
		case "result":
			m.Result = value
		case "error":
			m.Error = value
		}
		return nil
	})
	if errors.Is(err, ErrNotObject) {
		return Message{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if err != nil {
		return Message{}, err
	}
	if kind := Kind(id); kind == '"' || kind == '0' {
		m.ID = id
	} else if kind != 0 && (kind != 'n' || method != nil) {
		return Message{}, fmt.Errorf("%w: the id is neither a string nor a number", ErrInvalid)
	}
	if string(version) != `"`+Version+`"` {
		return Message{ID: m.ID}, fmt.Errorf("%w: jsonrpc is not %q", ErrInvalid, Version)
	}
	if method != nil {
		if m.Method = methodName(method); m.Method == "" {
			return Message{ID: m.ID}, fmt.Errorf("%w: the method is not a name", ErrInvalid)
		}
	}
	if m.Method == "" && m.Result == nil && m.Error == nil {
		return Message{ID: m.ID}, fmt.Errorf("%w: neither method nor result nor error", ErrInvalid)
	}
	return m, nil
}

// methodName returns the text of the member "method", "" when it is none. The
// methods of every call cost no allocation.
func methodName(value []byte) string {
	switch string(value) {
	case `"tools/call"`:
		return "tools/call"
	case `"notifications/progress"`:
		return "notifications/progress"
	case `"notifications/message"`:
		return "notifications/message"
	case `"notifications/cancelled"`:
		return "notifications/cancelled"
	}
	return Text(value)
}
