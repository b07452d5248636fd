package telemetry

import (
	"context"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"go.opentelemetry.io/otel/trace"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// connector records the requests in the sessions of another connector.
type connector struct {
	next      ports.Connector
	telemetry *Telemetry
}

// Connector returns a connector whose sessions record requests to servers, and pass the span of each call to the server.
func (h *Host) Connector(next ports.Connector) ports.Connector {
	if h == nil {
		return next
	}
	return &connector{next: next, telemetry: h.telemetry}
}

// Connect implements ports.Connector.
func (c *connector) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	about := operation{metric: clientOperations, transport: transportName(server.Traits.Address != "")}
	recorded := &session{telemetry: c.telemetry, shared: about.about(domain.ToolIdentifier{Toolbox: server.ID.Toolbox, Server: server.ID.Server})}
	initialized := recorded.countingReply(mcp.MethodInitialize, noReply)
	connected, err := c.next.Connect(ctx, server, host, policy)
	initialized(ports.Answer{}, err)
	if err != nil {
		return nil, err
	}
	recorded.Session, recorded.begun = connected, time.Now()
	return recorded, nil
}

// session records the requests in another session.
type session struct {
	ports.Session

	telemetry *Telemetry
	shared    operation // the fields that all of its operations have
	begun     time.Time
	closeOnce sync.Once
}

// countingReply returns a reply that also counts a request that begins now, with its outcome.
func (s *session) countingReply(method mcp.MCPMethod, reply ports.Reply) ports.Reply {
	begun, counted := time.Now(), s.shared
	counted.method = method
	return func(answer ports.Answer, err error) {
		s.telemetry.count(counted.end(application.Outcome(answer, err)), time.Since(begun))
		reply(answer, err)
	}
}

// noReply is the reply of a request whose outcome is returned.
func noReply(ports.Answer, error) {}

// CallTool implements ports.Session. The server gets the span of the call instead of the one that the host sent.
func (s *session) CallTool(ctx context.Context, call ports.ToolCall, reply ports.Reply) {
	parent := parentIn(call.Meta)
	if of, ok := ctx.Value(spanKey{}).(*span); ok {
		parent = of.SpanContext()
	}
	about := s.shared
	about.method, about.tool = mcp.MethodToolsCall, exportedName(call.Name)
	begun := s.telemetry.begin(trace.SpanKindClient, parent, trace.SpanContext{}, about)
	call.Meta = withContext(call.Meta, begun.Span)
	s.Session.CallTool(ctx, call, func(answer ports.Answer, err error) {
		outcome, code := application.Outcome(answer, err)
		begun.end(outcome, code, "")
		reply(answer, err)
	})
}

// ListTools implements ports.Session.
func (s *session) ListTools(ctx context.Context) (domain.ToolList, error) {
	listed := s.countingReply(mcp.MethodToolsList, noReply)
	list, err := s.Session.ListTools(ctx)
	listed(ports.Answer{}, err)
	return list, err
}

// Request implements ports.Session.
func (s *session) Request(ctx context.Context, request ports.Request, reply ports.Reply) {
	s.Session.Request(ctx, request, s.countingReply(mcp.MCPMethod(request.Method), reply))
}

// Subscribe implements ports.Session.
func (s *session) Subscribe(ctx context.Context, request ports.Request, reply ports.Reply) {
	s.Session.Subscribe(ctx, request, s.countingReply(mcp.MethodResourcesSubscribe, reply))
}

// Unsubscribe implements ports.Session.
func (s *session) Unsubscribe(ctx context.Context, request ports.Request, reply ports.Reply) {
	s.Session.Unsubscribe(ctx, request, s.countingReply(mcp.MethodResourcesUnsubscribe, reply))
}

// Ping implements ports.Session.
func (s *session) Ping(ctx context.Context, limit time.Duration, reply func(err error)) {
	counted := s.countingReply(mcp.MethodPing, func(_ ports.Answer, err error) { reply(err) })
	s.Session.Ping(ctx, limit, func(err error) { counted(ports.Answer{}, err) })
}

// Close implements ports.Session.
func (s *session) Close(ctx context.Context) error {
	s.closeOnce.Do(func() {
		ended := s.shared
		ended.metric = clientSessions
		if s.Err() != nil { // the session was lost before
			ended.errorType = string(domain.OutcomeError)
		}
		s.telemetry.count(ended, time.Since(s.begun))
	})
	return s.Session.Close(ctx)
}
