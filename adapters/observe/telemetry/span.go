package telemetry

import (
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
)

// The kinds of spans, as the protocol numbers them.
const (
	kindServer = 2
	kindClient = 3
)

// span is an operation that is in progress or has ended.
type span struct {
	context, parent spanContext
	links           []spanContext // spans in other traces, or of the transport
	name            string
	kind            uint64
	begun, ended    time.Time
	attributes      []attribute
	failed          bool
}

// addLink adds a link if it is valid.
func (s *span) addLink(to spanContext) {
	if to.isValid() {
		s.links = append(s.links, to)
	}
}

// attribute is an attribute of a span or a metric. All values are strings.
type attribute struct{ key, value string }

// operation describes one request or session in spans and metrics. An empty field has no attribute.
type operation struct {
	instrument        instrument
	method            mcp.MCPMethod
	tool              string
	toolbox, server   string
	transport         string
	errorType, status string
	overflow          bool
}

// maxName is the maximum length of an exported name in bytes. Servers choose the names of tools.
const maxName = 128

// shown returns a name in the form that is exported.
func shown(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), maxName)], "")
}

// about returns the operation with the names of a tool.
func (o operation) about(tool domain.ToolIdentifier) operation {
	o.tool, o.toolbox, o.server = shown(tool.Tool), shown(string(tool.Toolbox)), shown(string(tool.Server))
	return o
}

// end returns the operation with its outcome.
func (o operation) end(outcome domain.Outcome, code int) operation {
	switch {
	case outcome == domain.OutcomeOK:
	case code != 0:
		o.status = strconv.Itoa(code)
		o.errorType = o.status
	default:
		o.errorType = string(outcome)
	}
	return o
}

// name returns the name of the operation's span.
func (o operation) name() string {
	if o.tool == "" {
		return string(o.method)
	}
	return string(o.method) + " " + o.tool
}

// attributes returns the known attributes of the operation.
func (o operation) attributes() []attribute {
	if o.overflow {
		return []attribute{{"otel.metric.overflow", "true"}}
	}
	var known []attribute
	add := func(key, value string) {
		if value != "" {
			known = append(known, attribute{key, value})
		}
	}
	add("mcp.method.name", string(o.method))
	if o.method == mcp.MethodToolsCall {
		add("gen_ai.operation.name", "execute_tool")
	}
	add("gen_ai.tool.name", o.tool)
	add("mcp_workbench.toolbox", o.toolbox)
	add("mcp_workbench.server", o.server)
	add("network.transport", o.transport)
	add("error.type", o.errorType)
	add("rpc.response.status_code", o.status)
	return known
}
