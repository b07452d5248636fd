package jsonrpc

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain/rawjson"
)

// Frame is one message in parts, so that framing copies and allocates nothing. The id and the body are whole
// JSON and must not change until the frame is written.
type Frame struct {
	id        json.RawMessage // of an answer
	number    uint64          // the id of a request of this side
	method    string          // of a request or a notification, escaped as in a JSON string
	name      string          // of the member whose value is the body, "" for no body
	front     []byte          // a member before those of the body, nil for none
	body      []byte          // without its first byte if front is set
	isRequest bool            // whether it is a request of this side
	// owned is set when nothing else uses the body, so that a writer can keep it without a copy.
	owned bool
	// hasLineEnds is set when the body has line ends, which a line may not have.
	hasLineEnds bool
}

// Len returns an upper bound for the length of the frame with its line end.
func (f Frame) Len() int { return maxSyntax + len(f.id) + len(f.method) + len(f.front) + len(f.body) }

// maxSyntax is the maximum length of the rest of a frame, including an id of this side.
const maxSyntax = len(opening+`,"id":,"method":"","params":{,}`+"\n") + len("18446744073709551615")

// appendHead appends everything before the body.
func (f Frame) appendHead(line []byte) []byte {
	line = append(line, opening...)
	switch {
	case f.id != nil:
		line = append(append(line, `,"id":`...), f.id...)
	case f.isRequest:
		line = strconv.AppendUint(append(line, `,"id":`...), f.number, 10)
	}
	if f.method != "" {
		line = append(append(append(line, `,"method":"`...), f.method...), '"')
	}
	if f.name == "" {
		return line
	}
	line = append(append(append(line, `,"`...), f.name...), `":`...)
	if f.front != nil {
		line = append(append(line, '{'), f.front...)
		if rawjson.Kind(f.body) != '}' {
			line = append(line, ',')
		}
	}
	return line
}

// Owned returns the frame with its body marked as not used elsewhere. If the body is in a
// buffer of BodyBuffer, the buffer is reused after the frame is written.
func (f Frame) Owned() Frame {
	f.owned = true
	return f
}

// Message returns a copy of the frame as one message, without a line end.
func (f Frame) Message() []byte { return f.appendMessage(make([]byte, 0, f.Len())) }

// LargeMessage is Message, but a long message is in a buffer that can be reused with Recycle.
func (f Frame) LargeMessage() []byte {
	if f.Len() <= smallBuffer {
		return f.Message()
	}
	return f.appendMessage(takeLarge(f.Len())[:0])
}

// Recycle makes the buffer of a LargeMessage available for reuse. The message must no longer be used.
func Recycle(message []byte) { putLarge(message) }

func (f Frame) appendMessage(message []byte) []byte {
	message = append(f.appendHead(message), f.body...)
	return append(message, '}')
}

func (f Frame) appendTo(line []byte) []byte {
	line = append(f.appendHead(line), f.body...)
	return append(line, '}', '\n')
}

// Clone returns a frame with copies of the id and the body.
func (f Frame) Clone() Frame {
	f.id, f.front, f.body, f.owned = bytes.Clone(f.id), bytes.Clone(f.front), bytes.Clone(f.body), false
	return f
}

// opening is the beginning of every message.
const opening = `{"jsonrpc":"2.0"`

// Result frames the answer to the request with a raw id.
func Result(id, result json.RawMessage) Frame { return ResultWith(id, nil, result, false) }

// ResultWith is Result with a member before those of the result, which must be an object then. The member
// is its name and value as JSON text, nil for none. A clean result is UTF-8 without line ends, which is
// not checked.
func ResultWith(id, member, result json.RawMessage, clean bool) Frame {
	if member != nil {
		result = result[1:]
	}
	frame := Frame{id: sound(id), front: member, name: "result", body: result}
	if !clean {
		frame.body, frame.hasLineEnds = inspect(result)
	}
	return frame
}

// RawError frames an error object as the answer to the request with a raw id.
func RawError(id, object json.RawMessage) Frame {
	if id == nil {
		id = json.RawMessage("null")
	}
	return Frame{id: sound(id)}.with("error", object)
}

// Error frames an error as the answer to the request with a raw id, nil if the id could not be
// read.
func Error(id json.RawMessage, code int, message string) Frame {
	return RawError(id, ErrorObject(code, message))
}

// ErrorObject returns the value of a response's "error", without data.
func ErrorObject(code int, message string) json.RawMessage {
	return rawjson.MustMarshal(mcp.JSONRPCErrorDetails{Code: code, Message: message})
}

// Request frames a request of this side, whose id is a number. Nil params are left out.
func Request(id uint64, method mcp.MCPMethod, params json.RawMessage) Frame {
	return Frame{isRequest: true, number: id, method: inQuotes(string(method))}.with("params", params)
}

// CleanRequest is Request with params that are UTF-8 without line ends, which is not checked.
func CleanRequest(id uint64, method mcp.MCPMethod, params json.RawMessage) Frame {
	frame := Frame{isRequest: true, number: id, method: inQuotes(string(method)), body: params}
	if params != nil {
		frame.name = "params"
	}
	return frame
}

// Notification frames a notification. Nil params are left out.
func Notification(method mcp.MCPMethod, params json.RawMessage) Frame {
	return Frame{method: inQuotes(string(method))}.with("params", params)
}

// inQuotes returns a text as a JSON string without its quotation marks.
func inQuotes(text string) string {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted := rawjson.Quote(text)
			return string(quoted[1 : len(quoted)-1])
		}
	}
	return text
}

// with returns the frame with a body under a name, or the frame itself for a nil body.
func (f Frame) with(name string, body json.RawMessage) Frame {
	if body != nil {
		f.name = name
		f.body, f.hasLineEnds = inspect(body)
	}
	return f
}

// sound returns body as valid UTF-8, as a line must be (RFC 8259 section 8.1). Invalid bytes
// become U+FFFD.
func sound(body json.RawMessage) json.RawMessage {
	if rawjson.ValidUTF8(body) {
		return body
	}
	return bytes.ToValidUTF8(body, []byte("\uFFFD"))
}

// TooLong returns the answer to a host's message over the limit.
func TooLong(err *TooLongError) Frame {
	return Error(SalvageID(err.Head, err.Tail), mcp.INVALID_REQUEST, err.Error()+" (limits.messageSize raises it)")
}
