package telemetry

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
)

// object is an object of the protocol.
type object = map[string]any

// attribute is an attribute of a span or a metric. All values are texts, except the one that marks an overflow.
type attribute struct{ key, value string }

const overflowKey = "otel.metric.overflow"

// MarshalJSON implements json.Marshaler.
func (a attribute) MarshalJSON() ([]byte, error) {
	if a.key == overflowKey {
		return json.Marshal(object{"key": a.key, "value": object{"boolValue": true}})
	}
	return json.Marshal(object{"key": a.key, "value": object{"stringValue": a.value}})
}

// operation describes one request or session in spans and metrics. An empty field has no attribute.
type operation struct {
	metric            metric
	method            mcp.MCPMethod
	tool              string
	toolbox, server   string
	transport         string
	errorType, status string
	overflow          bool
}

// maxName is the maximum length of an exported name in bytes. Servers choose the names of tools.
const maxName = 128

// exportedName returns a name in the form that is exported.
func exportedName(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), maxName)], "")
}

// about returns the operation with the names of a tool.
func (o operation) about(tool domain.ToolIdentifier) operation {
	o.tool, o.toolbox, o.server = exportedName(tool.Tool), exportedName(string(tool.Toolbox)), exportedName(string(tool.Server))
	return o
}

// end returns the operation with its outcome.
func (o operation) end(outcome domain.Outcome, code int) operation {
	if code != 0 {
		o.errorType, o.status = strconv.Itoa(code), strconv.Itoa(code)
	} else if outcome != domain.OutcomeOK {
		o.errorType = string(outcome)
	}
	return o
}

// attributes returns the attributes of the operation that have a value.
func (o operation) attributes() (attributes []attribute) {
	if o.overflow {
		return []attribute{{overflowKey, ""}}
	}
	executed := ""
	if o.method == mcp.MethodToolsCall {
		executed = "execute_tool"
	}
	for _, a := range []attribute{
		{"mcp.method.name", string(o.method)},
		{"gen_ai.operation.name", executed},
		{"gen_ai.tool.name", o.tool},
		{"mcp_workbench.toolbox", o.toolbox},
		{"mcp_workbench.server", o.server},
		{"network.transport", o.transport},
		{"error.type", o.errorType},
		{"rpc.response.status_code", o.status},
	} {
		if a.value != "" {
			attributes = append(attributes, a)
		}
	}
	return attributes
}

// span is an operation that is in progress or has ended, as the protocol names its fields.
type span struct {
	spanContext

	Parent     string        `json:"parentSpanId,omitempty"`
	Name       string        `json:"name"`
	Kind       int           `json:"kind"`
	Begun      int64         `json:"startTimeUnixNano,string"`
	Ended      int64         `json:"endTimeUnixNano,string"`
	Attributes []attribute   `json:"attributes"`
	Links      []spanContext `json:"links,omitempty"` // to spans in other traces, or of the transport
	Status     object        `json:"status,omitempty"`

	telemetry *Telemetry
	operation operation
	begun     time.Time
	of        domain.ActivityKind // what a span of a host is about
}

// The kinds of spans, as the protocol numbers them.
const (
	kindServer = 2
	kindClient = 3
)

// begin begins a span. If the settings say so, the parent becomes a link. Links that are not valid are left out.
func (t *Telemetry) begin(kind int, parent, link spanContext, about operation) *span {
	begun := &span{telemetry: t, operation: about, begun: time.Now(), Kind: kind}
	links := []spanContext{link}
	if t.links && kind == kindServer {
		links, parent = []spanContext{parent, link}, spanContext{}
	}
	for _, to := range links {
		if to.isValid() {
			begun.Links = append(begun.Links, to)
		}
	}
	begun.spanContext, begun.Parent = parent.child(), parent.Span
	if t.samples(parent, begun.spanContext) {
		begun.Flags |= sampled
	}
	return begun
}

// end ends the span, and counts the operation. Session is the id of the host's session, "" for none.
func (s *span) end(outcome domain.Outcome, code int, session string) {
	ended := time.Now()
	s.operation = s.operation.end(outcome, code)
	s.telemetry.count(s.operation, ended.Sub(s.begun))
	if s.telemetry.traces == nil || s.Flags&sampled == 0 {
		return
	}
	s.Begun, s.Ended = s.begun.UnixNano(), ended.UnixNano()
	s.Name, s.Attributes = strings.TrimSpace(string(s.operation.method)+" "+s.operation.tool), s.operation.attributes()
	if session != "" {
		s.Attributes = append(s.Attributes, attribute{"mcp.session.id", session})
	}
	if s.operation.errorType != "" {
		const statusError = 2
		s.Status = object{"code": statusError}
	}
	s.telemetry.add(s)
}

// The flags of a span: sampled says that its trace is recorded, knowsRemote that isRemote is valid, and isRemote
// that its parent, or the span that a link leads to, is in another process.
const (
	sampled     = 1
	knowsRemote = 0x100
	isRemote    = 0x200
)

// spanContext identifies a span and its trace. In the zero value there is no span.
type spanContext struct {
	Trace string `json:"traceId"`
	Span  string `json:"spanId"`
	State string `json:"traceState,omitempty"`
	Flags uint32 `json:"flags"`

	remote bool // whether the span is in another process
}

// isValid reports whether the context identifies a span.
func (c spanContext) isValid() bool { return c.Span != "" }

// child returns the context of a new span in the same trace, or in a new trace if c is not valid.
func (c spanContext) child() spanContext {
	child := spanContext{Trace: c.Trace, Span: id(), State: c.State, Flags: knowsRemote}
	if !c.isValid() {
		child.Trace = id() + id()
	}
	if c.remote {
		child.Flags |= isRemote
	}
	return child
}

// id returns 16 random digits, which must not all be 0. Ids are not secrets, so they need no system call.
func id() string { return fmt.Sprintf("%016x", rand.Uint64N(math.MaxUint64)+1) }

// samples reports whether a new span is recorded.
func (t *Telemetry) samples(parent, span spanContext) bool {
	if t.parentBased && parent.isValid() {
		return parent.Flags&sampled != 0
	}
	low, _ := strconv.ParseUint(span.Trace[16:], 16, 64) // it is a hexadecimal number
	return low>>1 < t.recordedBelow
}
