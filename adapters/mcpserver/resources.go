package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// listResources makes the answer of resources/list or resources/templates/list with what
// the connected servers have, on one page.
func listResources(kind domain.ResourceKind, member string) answerFunc {
	return func(s *Server, ctx context.Context, r *request, p params, reply replyFunc) {
		if !rawjson.IsNull(p.member("cursor")) {
			reply(failure(jsonrpc.CodeInvalidParams, "the cursor is not one of this list"))
			return
		}
		modern := r.modern
		go func() {
			defer s.recoverFrom(r, reply)
			resources, err := s.useCases.Resources.ListResources(ctx, kind)
			if err != nil {
				reply(failure(jsonrpc.CodeInternal, wording.Reason(err)))
				return
			}
			list := []byte{'['}
			for i, resource := range resources {
				if i > 0 {
					list = append(list, ',')
				}
				list = append(list, labelled(resource)...)
			}
			list = append(list, ']')
			var result rawjson.Object
			if modern {
				result = s.cacheable()
			}
			reply(ports.Answer{Result: result.Raw(member, list).JSON()})
		}()
	}
}

// labelled returns a definition with its server in _meta.
func labelled(resource domain.Resource) json.RawMessage {
	definition := rawjson.WithoutTags(resource.Definition)
	meta := rawjson.Member(definition, "_meta")
	return withOnly(definition, "_meta", withOnly(meta, host.ServerKey, rawjson.Quote(host.ServerPath(resource.Server))))
}

// maxSubscribedURI bounds what is held of a subscription, in bytes.
const maxSubscribedURI = 8 << 10

// aboutResource answers a request about one resource.
func (s *Server) aboutResource(ctx context.Context, r *request, p params, reply replyFunc) {
	given := p.member("uri")
	uri := rawjson.Text(given)
	if uri == "" {
		reply(failure(jsonrpc.CodeInvalidParams, "uri must be the URI of a resource"))
		return
	}
	if r.method == domain.MethodResourcesSubscribe && len(uri) > maxSubscribedURI {
		reply(failure(jsonrpc.CodeInvalidParams, fmt.Sprintf("the uri is longer than %d bytes", maxSubscribedURI)))
		return
	}
	owner, state, ok := s.states.resume(p.continuation(), stateOwner{method: r.method, name: uri, called: uri})
	if !ok {
		reply(failure(jsonrpc.CodeInvalidParams, wording.ForeignState+wording.RequestAgain))
		return
	}
	p.requestState = state
	message := ports.Message{Method: r.method, Params: p.forServer("uri", given)}
	s.useCases.Resources.RequestResource(ctx, uri, message, owner.server, func(server domain.ServerID, result ports.Answer, err error) {
		owner.server = server
		switch {
		case errors.Is(err, domain.ErrResourceNotFound):
			reply(resourceNotFound(uri, r.modern))
		case err != nil:
			reply(failure(jsonrpc.CodeInternal, wording.ResourceFailure(uri, err)))
		case result.Error == nil && r.modern && r.method == domain.MethodResourcesRead:
			result.Result = withCacheHints(result.Result)
			reply(s.states.seal(serverAnswer(server, result, r.modern), owner))
		default:
			reply(serverAnswer(server, result, r.modern))
		}
	})
}

// withCacheHints returns what a server of an older version read as a result of
// 2026-07-28, which has to say how long it may be kept: not at all. What says so
// itself, or is no result yet, stays as it is.
func withCacheHints(result json.RawMessage) json.RawMessage {
	if rawjson.HasMember(result, "resultType") || rawjson.HasMember(result, "ttlMs") {
		return result
	}
	return rawjson.With(rawjson.With(result, "cacheScope", rawjson.Quote(protocol.CacheScopePrivate)), "ttlMs", []byte("0"))
}

// resourceNotFound is what the versions of the protocol want for a resource that
// nobody has.
func resourceNotFound(uri string, modern bool) ports.Answer {
	code := protocol.CodeResourceNotFound
	if modern {
		code = jsonrpc.CodeInvalidParams
	}
	return ports.Answer{Error: rawjson.Object{}.
		Int("code", int64(code)).
		Text("message", "Resource not found").
		Raw("data", rawjson.Object{}.Text("uri", uri).JSON()).
		JSON()}
}
