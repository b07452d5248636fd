package telemetry

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

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
	object := rawjson.EditMembers(rawjson.Object{}.Members(meta).JSON(), func(name string, value []byte) []byte {
		if name == traceparentKey || name == tracestateKey {
			return nil
		}
		return value
	})
	parent := fmt.Sprintf("00-%s-%s-%02x", current.Trace, current.Span, current.Flags&sampled)
	members := rawjson.Object{}.Members(object[1:len(object)-1]).Text(traceparentKey, parent)
	if current.State != "" {
		members = members.Text(tracestateKey, current.State)
	}
	return members.Inside()
}

// traceparents matches the forms of a traceparent: version, trace, span, flags, and what a later version has behind them.
var traceparents = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$`)
})

// parseTraceparent parses a context of any version except ff. It returns the zero value if the text is not valid.
func parseTraceparent(text string) spanContext {
	parts := traceparents().FindStringSubmatch(text)
	if parts == nil || parts[1] == "ff" || parts[1] == "00" && parts[5] != "" || strings.Trim(parts[2], "0") == "" || strings.Trim(parts[3], "0") == "" {
		return spanContext{}
	}
	flags, _ := strconv.ParseUint(parts[4], 16, 8) // it is a hexadecimal number
	return spanContext{Trace: parts[2], Span: parts[3], Flags: uint32(flags)&sampled | knowsRemote | isRemote, remote: true}
}
