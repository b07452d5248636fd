package telemetry

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

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

// parentIn returns the span that a _meta names, the zero value if it names none or an invalid one. The argument meta
// has the members of the object without its braces.
func parentIn(meta json.RawMessage) spanContext {
	if len(meta) == 0 {
		return spanContext{}
	}
	object := rawjson.Object{}.Members(meta).JSON()
	parent := parseTraceparent(rawjson.Text(rawjson.Member(object, traceparentKey)))
	state := rawjson.Text(rawjson.Member(object, tracestateKey))
	isHidden := func(r rune) bool { return r < ' ' || r > '~' }
	if parent.isValid() && len(state) <= maxState && !strings.ContainsFunc(state, isHidden) {
		parent.State = state
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
	parent := fmt.Sprintf("00-%s-%s-%02x", current.Trace, current.Span, current.Flags&sampled)
	members := rawjson.Object{}.Members(object[1:len(object)-1]).Text(traceparentKey, parent)
	if current.State != "" {
		members = members.Text(tracestateKey, current.State)
	}
	return members.Inside()
}

// parseTraceparent parses a context of any version except ff. It returns the zero value if the text is not valid.
func parseTraceparent(text string) spanContext {
	parts := strings.SplitN(text, "-", 5)
	if len(parts) < 4 {
		return spanContext{}
	}
	version, trace, span, flags := parts[0], parts[1], parts[2], parts[3]
	switch {
	case len(version) != 2 || len(trace) != 32 || len(span) != 16 || len(flags) != 2,
		version == "ff" || version == "00" && len(parts) > 4,
		strings.Trim(version+trace+span+flags, "0123456789abcdef") != "",
		strings.Trim(trace, "0") == "" || strings.Trim(span, "0") == "":
		return spanContext{}
	}
	number, _ := strconv.ParseUint(flags, 16, 8) // it is a hexadecimal number
	return spanContext{Trace: trace, Span: span, Flags: uint32(number)&sampled | knowsRemote | isRemote, remote: true}
}
