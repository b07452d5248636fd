package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
)

// method answers the requests of one method, in the eras that know it. Answer
// returns at once and calls reply exactly once, now or later; the params are valid
// until answer returns, the bytes of the answer until reply does.
type method struct {
	legacy, modern bool
	answer         func(ctx context.Context, e *exchange, p params, reply func(answer))
}

// methods is what the workbench answers. The specs hold it against mcp-go's
// server, message by message.
func (s *Server) methods() map[mcp.MCPMethod]method {
	return map[mcp.MCPMethod]method{
		domain.MethodInitialize:          {legacy: true, answer: atOnce(s.initialize)},
		domain.MethodPing:                {legacy: true, answer: atOnce(s.ping)},
		domain.MethodServerDiscover:      {modern: true, answer: atOnce(s.discover)},
		domain.MethodSubscriptionsListen: {modern: true, answer: s.listen},
		domain.MethodSetLogLevel:         {legacy: true, answer: atOnce(s.setLevel)},
		domain.MethodResourcesList: {
			legacy: true, modern: true, answer: s.listResources(domain.Resources, "resources"),
		},
		domain.MethodResourcesTemplatesList: {
			legacy: true, modern: true, answer: s.listResources(domain.ResourceTemplates, "resourceTemplates"),
		},
		domain.MethodResourcesRead:        {legacy: true, modern: true, answer: s.aboutResource},
		domain.MethodResourcesSubscribe:   {legacy: true, answer: s.aboutResource},
		domain.MethodResourcesUnsubscribe: {legacy: true, answer: s.aboutResource},
		domain.MethodTasksGet:             {legacy: true, modern: true, answer: s.aboutTask},
		domain.MethodTasksResult:          {legacy: true, modern: true, answer: s.aboutTask},
		domain.MethodTasksCancel:          {legacy: true, modern: true, answer: s.aboutTask},
		domain.MethodTasksUpdate:          {modern: true, answer: s.aboutTask},
		domain.MethodToolsList:            {legacy: true, modern: true, answer: atOnce(s.listTools)},
		domain.MethodToolsCall:            {legacy: true, modern: true, answer: s.callTool},
	}
}

// atOnce makes a method of a function that waits for nothing.
func atOnce(answers func(*exchange, params) answer) func(context.Context, *exchange, params, func(answer)) {
	return func(_ context.Context, e *exchange, p params, reply func(answer)) { reply(answers(e, p)) }
}

// respond has a request answered. It returns at once; reply is called exactly
// once, whatever happens.
func (s *Server) respond(ctx context.Context, e *exchange, p params, reply func(answer)) {
	defer s.recoverFrom(e, reply)
	method, refused := s.method(e, p)
	if refused.isSet() {
		reply(refused)
		return
	}
	method.answer(ctx, e, p, reply)
}

// recoverFrom answers a request whose handling panicked.
func (s *Server) recoverFrom(e *exchange, reply func(answer)) {
	if problem := recover(); problem != nil {
		s.log.Error("a request failed", "method", e.method, "panic", problem, "stack", string(debug.Stack()))
		reply(refusal(jsonrpc.CodeInternal, "internal error"))
	}
}

// method finds out what a request is, its era and its method, or what refuses it.
func (s *Server) method(e *exchange, p params) (method, answer) {
	if !p.isObject {
		return method{}, refusal(jsonrpc.CodeInvalidParams, "params must be an object")
	}
	if refused := s.checkEra(e, p); refused.isSet() {
		return method{}, refused
	}
	found, known := s.byName[mcp.MCPMethod(e.method)]
	switch {
	case !known:
		return method{}, refusal(jsonrpc.CodeMethodNotFound, fmt.Sprintf("Method %s not found", e.method))
	case e.modern && !found.modern:
		return method{}, refusal(jsonrpc.CodeMethodNotFound, fmt.Sprintf("Method %s was removed in protocol version %s", e.method, modernVersion))
	case !e.modern && !found.legacy:
		return method{}, refusal(jsonrpc.CodeMethodNotFound, fmt.Sprintf("Method %s needs protocol version %s", e.method, modernVersion))
	}
	return found, answer{}
}

// modernVersion is the revision since which every request says which revision it
// is of, and there is no handshake.
const modernVersion = mcp.ProtocolVersion20260728

// checkEra finds out which era a request is of; one of 2026-07-28 has to say
// whose it is. What is set in the answer refuses it.
func (s *Server) checkEra(e *exchange, p params) answer {
	data := p.meta
	e.modern = mcp.IsModernProtocol(data.version)
	switch {
	case !e.modern:
		return answer{}
	case jsonscan.Kind(data.capabilities) != '{':
		return refusal(jsonrpc.CodeInvalidParams, "missing or invalid _meta field "+mcp.MetaKeyClientCapabilities)
	case !mcp.IsValidProtocolVersion(data.version):
		return answer{err: unsupportedVersion(data.version)}
	}
	s.host.declare(data.capabilities)
	return answer{}
}

// unsupportedVersion is the error object that tells a host which versions it can
// use.
func unsupportedVersion(requested string) json.RawMessage {
	return jsonscan.Object{}.
		Int("code", mcp.UNSUPPORTED_PROTOCOL_VERSION).
		Text("message", "Unsupported protocol version: "+requested).
		Raw("data", jsonscan.Object{}.Texts("supported", mcp.ValidProtocolVersions).Text("requested", requested).JSON()).
		JSON()
}
