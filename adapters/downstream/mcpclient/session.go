package mcpclient

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
)

// Session is a ports.Session over a Link.
type Session struct {
	link     Link
	server   domain.Server
	greeting greeting
	// meta is what every request of 2026-07-28 carries, nil for older servers.
	meta json.RawMessage
}

// Connect shakes hands over a fresh link and returns the session. The context
// bounds the handshake. On failure the link is the caller's to close. Failures
// are domain.ErrServerUnavailable and the context's.
func Connect(ctx context.Context, link Link, server domain.Server, identity Identity) (*Session, error) {
	hello, err := greet(ctx, link, identity)
	if err != nil {
		return nil, Unavailable(ctx, server, err)
	}
	session := &Session{link: link, server: server, greeting: hello}
	if hello.modern() {
		session.meta = requestMeta(identity)
	}
	return session, nil
}

// Unavailable turns what a link or a transport failed with into the failures of
// ports.Session: the context's if it ended, else domain.ErrServerUnavailable
// with err's text as the reason, freed of the server's secrets.
func Unavailable(ctx context.Context, server domain.Server, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	return &domain.ServerUnavailableError{ID: server.ID, Reason: server.Secrets.Redact(err.Error())}
}

// CallTool implements ports.Session.
func (s *Session) CallTool(ctx context.Context, call domain.ToolCall, reply domain.Reply) {
	request := Request{
		Method: string(mcp.MethodToolsCall), Params: s.callParams(call.Name, call.Arguments), Limit: call.Limit,
	}
	s.link.Request(ctx, request, func(answer Answer, err error) {
		switch {
		case errors.Is(err, ErrLimit):
			err = &domain.TimedOutError{ID: s.server.ID, Waited: call.Limit, Limit: "limits.call"}
		case err != nil:
			err = Unavailable(ctx, s.server, err)
		}
		reply(domain.ToolResult(answer), err)
	})
}

// callParams frames the parameters by hand, so that the arguments keep their
// bytes.
func (s *Session) callParams(tool string, arguments json.RawMessage) json.RawMessage {
	params := make([]byte, 0, len(arguments)+len(s.meta)+len(tool)+48)
	params = append(params, `{"name":`...)
	params = append(params, jsonrpc.Quote(tool)...)
	params = append(params, `,"arguments":`...)
	params = append(params, arguments...)
	return s.closeParams(params)
}

// closeParams ends an object of parameters with what every request carries.
func (s *Session) closeParams(params []byte) json.RawMessage {
	if s.meta != nil {
		if len(params) > 1 {
			params = append(params, ',')
		}
		params = append(params, `"_meta":`...)
		params = append(params, s.meta...)
	}
	return append(params, '}')
}

// Done implements ports.Session.
func (s *Session) Done() <-chan struct{} { return s.link.Done() }

// Close implements ports.Session.
func (s *Session) Close(ctx context.Context) error { return s.link.Close(ctx) }
