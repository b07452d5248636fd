package jsonrpc

import (
	"bytes"
	"encoding/json"
	"strconv"

	"mcp-workbench/domain/rawjson"
)

// Codes of JSON-RPC 2.0.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
)

// Frame is one message in three parts, so that framing does not copy a large body. The body
// is whole JSON and must not change until the frame is written.
type Frame struct {
	head []byte
	body []byte
	tail string
	// owned is set when nothing else uses the body, so that a writer can keep it without a copy.
	owned bool
	// hasLineEnds is set when the body has line ends, which a line may not have.
	hasLineEnds bool
}

// Len returns the length of the frame with its line end.
func (f Frame) Len() int { return len(f.head) + len(f.body) + len(f.tail) + 1 }

// Owned returns the frame with its body marked as not used elsewhere. A buffer of BodyBuffer is
// reused after the frame is written.
func (f Frame) Owned() Frame {
	f.owned = true
	return f
}

// Message returns a copy of the frame as one message, without a line end.
func (f Frame) Message() []byte { return f.appendMessage(make([]byte, 0, f.Len())) }

// LargeMessage is Message, but in a buffer that is reused after Recycle if the message is long.
func (f Frame) LargeMessage() []byte {
	if f.Len() <= smallBuffer {
		return f.Message()
	}
	return f.appendMessage(takeLarge(f.Len())[:0])
}

// Recycle lets the buffer of a LargeMessage be reused. Nothing may use the message any more.
func Recycle(message []byte) { putLarge(message) }

func (f Frame) appendMessage(message []byte) []byte {
	message = append(message, f.head...)
	message = append(message, f.body...)
	return append(message, f.tail...)
}

// Clone returns a frame with a copy of the body.
func (f Frame) Clone() Frame {
	return Frame{head: f.head, body: bytes.Clone(f.body), tail: f.tail, hasLineEnds: f.hasLineEnds}
}

// opening is the beginning of every message.
const opening = `{"jsonrpc":"2.0"`

// Result frames the answer to the request with that raw id.
func Result(id, result json.RawMessage) Frame { return ResultWith(id, nil, result, false) }

// ResultWith is Result with a member in front of those of the result, which is an object then: its name
// and value as JSON text, nil for none. A clean result is UTF-8 without line ends, which is not checked.
func ResultWith(id, member, result json.RawMessage, clean bool) Frame {
	head := make([]byte, 0, len(opening)+len(`,"id":,"result":{,`)+len(id)+len(member))
	head = append(head, opening+`,"id":`...)
	head = append(head, sound(id)...)
	head = append(head, `,"result":`...)
	if member != nil {
		head = append(append(head, '{'), member...)
		if result = result[1:]; rawjson.Kind(result) != '}' {
			head = append(head, ',')
		}
	}
	return withBody(head, result, clean)
}

// RawError frames an error object as the answer to the request with that raw id.
func RawError(id, object json.RawMessage) Frame {
	head := make([]byte, 0, len(opening)+len(`,"id":null,"error":`)+len(id))
	head = append(head, opening+`,"id":`...)
	if id == nil {
		id = json.RawMessage("null")
	}
	head = append(head, sound(id)...)
	head = append(head, `,"error":`...)
	return withBody(head, object, false)
}

// Error frames an error as the answer to the request with that raw id, which is nil if the id
// could not be read.
func Error(id json.RawMessage, code int, message string) Frame {
	return RawError(id, ErrorObject(code, message))
}

// ErrorObject returns the value of a response's "error", without data.
func ErrorObject(code int, message string) json.RawMessage {
	return rawjson.Object{}.Int("code", int64(code)).Text("message", message).JSON()
}

// Request frames a request of this side, whose id is a number. Nil params are left out.
func Request(id uint64, method string, params json.RawMessage) Frame {
	head := append(make([]byte, 0, 64), opening+`,"id":`...)
	head = strconv.AppendUint(head, id, 10)
	return withMethod(head, method, params, false)
}

// CleanRequest is Request with params that are UTF-8 without line ends, which is not checked.
func CleanRequest(id uint64, method string, params json.RawMessage) Frame {
	head := append(make([]byte, 0, 64), opening+`,"id":`...)
	head = strconv.AppendUint(head, id, 10)
	return withMethod(head, method, params, true)
}

// Notification frames a notification. Nil params are left out.
func Notification(method string, params json.RawMessage) Frame {
	return withMethod(append(make([]byte, 0, 64), opening...), method, params, false)
}

func withMethod(head []byte, method string, params json.RawMessage, clean bool) Frame {
	head = append(head, `,"method":`...)
	head = rawjson.AppendQuote(head, method)
	if params == nil {
		return Frame{head: head, tail: "}"}
	}
	head = append(head, `,"params":`...)
	return withBody(head, params, clean)
}

// withBody returns a frame with the last member of the message as its body.
func withBody(head []byte, body json.RawMessage, clean bool) Frame {
	if clean {
		return Frame{head: head, body: body, tail: "}"}
	}
	body, hasLineEnds := inspect(body)
	return Frame{head: head, body: body, tail: "}", hasLineEnds: hasLineEnds}
}

// sound returns body as valid UTF-8, which a line must be (RFC 8259 section 8.1): other bytes
// become U+FFFD.
func sound(body json.RawMessage) json.RawMessage {
	if rawjson.ValidUTF8(body) {
		return body
	}
	return bytes.ToValidUTF8(body, []byte("\uFFFD"))
}

// TooLong returns the answer to a message of a host over the limit.
func TooLong(err *TooLongError) Frame {
	return Error(SalvageID(err.Head, err.Tail), CodeInvalidRequest, err.Error()+" (limits.messageSize raises it)")
}
