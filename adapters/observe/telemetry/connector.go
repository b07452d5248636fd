package telemetry

import (
	"context"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/application/activity"
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
	known := operation{metric: clientOperations, transport: overTCP}.about(domain.ToolIdentifier{Toolbox: server.ID.Toolbox, Server: server.ID.Server})
	if server.Traits.Address == "" {
		known.transport = overPipe
	}
	recorded := &session{telemetry: c.telemetry, known: known}
	initialized := recorded.begin(mcp.MethodInitialize)
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
	known     operation // the fields that all of its operations share
	begun     time.Time
	closeOnce sync.Once
}

// begin returns a function that counts a request that begins now, with its outcome.
func (s *session) begin(method mcp.MCPMethod) ports.Reply {
	begun, counted := time.Now(), s.known
	counted.method = method
	return func(answer ports.Answer, err error) {
		s.telemetry.count(counted.end(activity.Outcome(answer, err)), time.Since(begun))
	}
}

// counted returns a reply that also counts a request that begins now.
func (s *session) counted(method mcp.MCPMethod, reply ports.Reply) ports.Reply {
	count := s.begin(method)
	return func(answer ports.Answer, err error) {
		count(answer, err)
		reply(answer, err)
	}
}

// CallTool implements ports.Session. The server gets the span of the call instead of the one that the host sent.
func (s *session) CallTool(ctx context.Context, call ports.ToolCall, reply ports.Reply) {
	parent := parentIn(call.Meta)
	if of, ok := ctx.Value(spanKey{}).(*span); ok {
		parent = of.spanContext
	}
	about := s.known
	about.method, about.tool = mcp.MethodToolsCall, shown(call.Name)
	begun := s.telemetry.begin(kindClient, parent, spanContext{}, about)
	call.Meta = withContext(call.Meta, begun.spanContext)
	s.Session.CallTool(ctx, call, func(answer ports.Answer, err error) {
		outcome, code := activity.Outcome(answer, err)
		begun.end(outcome, code, "")
		reply(answer, err)
	})
}

// ListTools implements ports.Session.
func (s *session) ListTools(ctx context.Context) (domain.ToolList, error) {
	count := s.begin(mcp.MethodToolsList)
	list, err := s.Session.ListTools(ctx)
	count(ports.Answer{}, err)
	return list, err
}

// Request implements ports.Session.
func (s *session) Request(ctx context.Context, request ports.Request, reply ports.Reply) {
	s.Session.Request(ctx, request, s.counted(mcp.MCPMethod(request.Method), reply))
}

// Subscribe implements ports.Session.
func (s *session) Subscribe(ctx context.Context, request ports.Request, reply ports.Reply) {
	s.Session.Subscribe(ctx, request, s.counted(mcp.MethodResourcesSubscribe, reply))
}

// Unsubscribe implements ports.Session.
func (s *session) Unsubscribe(ctx context.Context, request ports.Request, reply ports.Reply) {
	s.Session.Unsubscribe(ctx, request, s.counted(mcp.MethodResourcesUnsubscribe, reply))
}

// Ping implements ports.Session.
func (s *session) Ping(ctx context.Context, limit time.Duration, reply func(err error)) {
	count := s.begin(mcp.MethodPing)
	s.Session.Ping(ctx, limit, func(err error) {
		count(ports.Answer{}, err)
		reply(err)
	})
}

// Close implements ports.Session.
func (s *session) Close(ctx context.Context) error {
	s.closeOnce.Do(func() {
		ended := s.known
		ended.metric = clientSessions
		if s.Err() != nil { // the session was lost before
			ended.errorType = string(domain.OutcomeError)
		}
		s.telemetry.count(ended, time.Since(s.begun))
	})
	return s.Session.Close(ctx)
}
