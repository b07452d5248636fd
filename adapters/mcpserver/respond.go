package mcpserver

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// method answers the requests of one method, in the eras that have it. answer does not wait; it
// calls reply once, before it returns or later. The params are valid until it returns.
type method struct {
	legacy, modern bool
	answer         answerFunc
	// exists reports whether the host has the method; nil means all hosts.
	exists func(*Server) bool
}

// answerFunc is a method of Server, which one of its parts has.
type answerFunc func(s *Server, ctx context.Context, r *request, p params, reply replyFunc)

// methods are the methods that the workbench answers. Specs compare the answers with those of
// mcp-go's server.
var methods = map[mcp.MCPMethod]method{
	mcp.MethodInitialize:             {legacy: true, answer: atOnce((*Server).initialize)},
	mcp.MethodPing:                   {legacy: true, answer: atOnce((*Server).ping)},
	mcp.MethodServerDiscover:         {modern: true, answer: atOnce((*Server).discover)},
	mcp.MethodSubscriptionsListen:    {modern: true, answer: (*Server).listen},
	mcp.MethodSetLogLevel:            {legacy: true, answer: atOnce((*Server).setLevel)},
	mcp.MethodResourcesList:          {legacy: true, modern: true, answer: (*Server).listResources},
	mcp.MethodResourcesTemplatesList: {legacy: true, modern: true, answer: (*Server).listTemplates},
	mcp.MethodResourcesRead:          {legacy: true, modern: true, answer: (*Server).aboutResource},
	mcp.MethodResourcesSubscribe:     {legacy: true, answer: (*Server).aboutResource},
	mcp.MethodResourcesUnsubscribe:   {legacy: true, answer: (*Server).aboutResource},
	jsonrpc.MethodDirectoryRead:      {legacy: true, modern: true, answer: (*Server).aboutResource, exists: (*Server).usesSkills},
	jsonrpc.MethodSkillsGet:          {legacy: true, modern: true, answer: (*Server).aboutResource, exists: (*Server).usesSkills},
	jsonrpc.MethodSkillsList:         {legacy: true, modern: true, answer: (*Server).listSkills, exists: (*Server).usesSkills},
	mcp.MethodPromptsList:            {legacy: true, modern: true, answer: (*Server).listPrompts},
	mcp.MethodPromptsGet:             {legacy: true, modern: true, answer: (*Server).getPrompt},
	mcp.MethodCompletionComplete:     {legacy: true, modern: true, answer: (*Server).complete},
	mcp.MethodTasksGet:               {legacy: true, modern: true, answer: (*Server).aboutTask},
	mcp.MethodTasksResult:            {legacy: true, modern: true, answer: (*Server).aboutTask},
	mcp.MethodTasksCancel:            {legacy: true, modern: true, answer: (*Server).aboutTask},
	jsonrpc.MethodTasksUpdate:        {modern: true, answer: (*Server).aboutTask},
	mcp.MethodToolsList:              {legacy: true, modern: true, answer: (*Server).listTools},
	mcp.MethodToolsCall:              {legacy: true, modern: true, answer: (*Server).callTool},
}

// atOnce returns an answerFunc for a function that does not wait.
func atOnce(answers func(*Server, *request, params) ports.Answer) answerFunc {
	return func(s *Server, _ context.Context, r *request, p params, reply replyFunc) { reply(answers(s, r, p)) }
}

// respond answers a request. It does not wait; reply is always called.
func (s *Server) respond(ctx context.Context, r *request, p params, reply replyFunc) {
	defer s.recoverFrom(r, reply)
	method, refused := s.method(r, p)
	if r.progress != nil && !s.knownHost().IgnoresProgress {
		r.ctx.progress = r.progress
	}
	if refused != nil {
		r.refused = true
		reply(ports.Answer{Error: refused})
		return
	}
	method.answer(s, ctx, r, p, reply)
}

// method returns the method of a request, or the error object that refuses it.
func (s *Server) method(r *request, p params) (method, json.RawMessage) {
	if !p.isObject() {
		return method{}, jsonrpc.ErrorObject(mcp.INVALID_PARAMS, "params must be an object")
	}
	if refused := s.checkEra(r, p); refused != nil {
		return method{}, refused
	}
	found, known := methods[r.method]
	var reason string
	switch {
	case !known || found.exists != nil && !found.exists(s):
		reason = "not found"
	case r.modern && !found.modern:
		reason = "was removed in protocol version " + mcp.ProtocolVersion20260728
	case !r.modern && !found.legacy:
		reason = "needs protocol version " + mcp.ProtocolVersion20260728
	default:
		return found, nil
	}
	return method{}, jsonrpc.ErrorObject(mcp.METHOD_NOT_FOUND, "Method "+domain.ListedName(r.method)+" "+reason)
}

// checkEra records the capabilities that a host of 2026-07-28 declares with every request. It
// returns the error object that refuses the request, nil for none.
func (s *Server) checkEra(r *request, p params) json.RawMessage {
	switch {
	case !r.modern:
		return nil
	case rawjson.Kind(p.meta.capabilities) != '{':
		return jsonrpc.ErrorObject(mcp.INVALID_PARAMS, "missing or invalid _meta field "+mcp.MetaKeyClientCapabilities)
	case !mcp.IsValidProtocolVersion(p.meta.version):
		return UnsupportedVersion(p.meta.version, mcp.ValidProtocolVersions)
	}
	s.host.Declare(p.meta.capabilities)
	s.noteHostInfo(p.meta.clientInfo)
	return nil
}

// maxVersion is the number of bytes of a protocol version that an answer repeats.
const maxVersion = 80

// UnsupportedVersion returns the error object that refuses a protocol version, with the versions that a host can use.
func UnsupportedVersion(requested string, supported []string) json.RawMessage {
	if len(requested) > maxVersion {
		requested = strings.ToValidUTF8(requested[:maxVersion], "") + "…"
	}
	refused := mcp.UnsupportedProtocolVersionError{Version: requested, Supported: supported}.JSONRPCError().Error
	refused.Message = "Unsupported protocol version: " + requested // the data names the others
	return rawjson.MustMarshal(refused)
}
