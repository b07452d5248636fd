package telemetry

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/rand/v2"

	"mcp-workbench/domain/rawjson"
)

// The members of _meta that carry trace context (SEP-414).
const (
	traceparentKey = "traceparent"
	tracestateKey  = "tracestate"
)

// maxState is the maximum length of a tracestate in bytes (https://www.w3.org/TR/trace-context, 3.3.1.5). A longer one
// is dropped, as the recommendation says.
const maxState = 512

// sampledFlag is the flag of a recorded trace.
const sampledFlag = 1

// spanContext identifies a span and its trace.
type spanContext struct {
	trace  [16]byte
	span   [8]byte
	flags  byte
	state  string
	remote bool
}

// isValid reports whether the context identifies a span.
func (c spanContext) isValid() bool { return c.trace != [16]byte{} && c.span != [8]byte{} }

func (c spanContext) isSampled() bool { return c.flags&sampledFlag != 0 }

// traceparent returns the context in the form of version 00.
func (c spanContext) traceparent() string {
	return "00-" + hex.EncodeToString(c.trace[:]) + "-" + hex.EncodeToString(c.span[:]) + "-" + hex.EncodeToString([]byte{c.flags})
}

// child returns the context of a new span in the same trace, or in a new trace if c is not valid. Ids are not
// secrets, so they need no system call.
func (c spanContext) child() spanContext {
	child := spanContext{trace: c.trace, state: c.state}
	if !c.isValid() {
		child.state = ""
		binary.BigEndian.PutUint64(child.trace[:8], random())
		binary.BigEndian.PutUint64(child.trace[8:], random())
	}
	binary.BigEndian.PutUint64(child.span[:], random())
	return child
}

// random returns a random number other than 0, since ids must not be 0.
func random() uint64 { return rand.Uint64N(math.MaxUint64) + 1 }

// parentIn returns the span that a _meta names, the zero value if it names none or an invalid one. The argument meta
// has the members of the object without its braces.
func parentIn(meta json.RawMessage) spanContext {
	if len(meta) == 0 {
		return spanContext{}
	}
	object := rawjson.Object{}.Members(meta).JSON()
	parent, ok := parseTraceparent(rawjson.Text(rawjson.Member(object, traceparentKey)))
	if !ok {
		return spanContext{}
	}
	if state := rawjson.Text(rawjson.Member(object, tracestateKey)); len(state) <= maxState && isPrintable(state) {
		parent.state = state
	}
	return parent
}

// withContext returns the members of a _meta with their context replaced.
func withContext(meta json.RawMessage, current spanContext) json.RawMessage {
	object := rawjson.Object{}.Members(meta).JSON()
	for _, key := range []string{traceparentKey, tracestateKey} {
		for rawjson.HasMember(object, key) {
			object = rawjson.Without(object, key)
		}
	}
	members := rawjson.Object{}.Members(inside(object)).Text(traceparentKey, current.traceparent())
	if current.state != "" {
		members = members.Text(tracestateKey, current.state)
	}
	return members.Inside()
}

// inside returns the members of an object without its braces.
func inside(object json.RawMessage) []byte { return object[1 : len(object)-1] }

// parseTraceparent parses a context of any version except ff, and reports whether it is valid.
func parseTraceparent(text string) (spanContext, bool) {
	const length = len("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	if len(text) < length || text[2] != '-' || text[35] != '-' || text[52] != '-' {
		return spanContext{}, false
	}
	version := text[:2]
	if version == "ff" || version == "00" && len(text) != length || len(text) > length && text[length] != '-' {
		return spanContext{}, false
	}
	parent := spanContext{remote: true}
	var first, flags [1]byte
	for _, part := range []struct {
		to   []byte
		text string
	}{{first[:], version}, {parent.trace[:], text[3:35]}, {parent.span[:], text[36:52]}, {flags[:], text[53:55]}} {
		if !isLowerHex(part.text) {
			return spanContext{}, false
		}
		_, _ = hex.Decode(part.to, []byte(part.text)) // its characters are hexadecimal digits
	}
	parent.flags = flags[0] & sampledFlag
	if !parent.isValid() {
		return spanContext{}, false
	}
	return parent, true
}

func isLowerHex(text string) bool {
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// isPrintable reports whether text is printable ASCII, as a tracestate must be.
func isPrintable(text string) bool {
	for _, c := range []byte(text) {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}
