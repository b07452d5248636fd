package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// resources answers requests about the resources and skills of servers.
type resources struct {
	*session
	reader ports.ResourceReader
	opener ports.ToolboxOpener // of the toolboxes of pages
}

// listResources answers resources/list with the resources of the connected servers.
func (a *resources) listResources(ctx context.Context, r *request, p params, reply replyFunc) {
	a.list(ctx, r, p, reply, domain.Resources, "resources", "uri")
}

// listTemplates answers resources/templates/list with the templates of the connected servers.
func (a *resources) listTemplates(ctx context.Context, r *request, p params, reply replyFunc) {
	a.list(ctx, r, p, reply, domain.ResourceTemplates, "resourceTemplates", "uriTemplate")
}

// list answers a request for a kind of resources. The list is a member of the result, and the address one of each resource.
func (a *resources) list(ctx context.Context, r *request, p params, reply replyFunc, kind domain.ResourceKind, member, address string) {
	a.answerList(ctx, r, p, reply, member, func() (iter.Seq[[]byte], error) {
		resources, err := a.reader.ListResources(ctx, kind)
		return func(yield func([]byte) bool) {
			type cause struct {
				server domain.ServerID
				reason string
			}
			pages, leftOut := a.rendersPages(), map[cause]int{}
			for _, resource := range resources {
				listed, reason := wording.ListedResource(resource.Definition, address)
				if reason != "" {
					leftOut[cause{resource.Server, reason}]++
					continue
				}
				resource.Definition = listed
				definition := labelled(resource)
				if pages {
					definition = a.withPageAddress(resource, definition)
				}
				if !yield(definition) {
					return
				}
			}
			for cause, count := range leftOut {
				a.program.log.Warn("left entries out of a list, since "+cause.reason, "list", member,
					"toolbox", cause.server.Toolbox, "server", cause.server.Server, "entries", count)
			}
		}, err
	})
}

// labelled returns a definition with its server in _meta.
func labelled(resource domain.Resource) json.RawMessage {
	definition := rawjson.WithoutTags(resource.Definition)
	meta := rawjson.Member(definition, "_meta")
	return withOnly(definition, "_meta", withOnly(meta, host.ServerKey, rawjson.Quote(host.ServerPath(resource.Server))))
}

// maxSubscribedURI is the maximum length in bytes of the URI of a subscription, which is kept in
// memory.
const maxSubscribedURI = 8 << 10

// tooMany is the code of the error for a host that asks for more than it can have, of those for implementations.
const tooMany = -32000

// aboutResource answers a request about one resource.
func (a *resources) aboutResource(ctx context.Context, r *request, p params, reply replyFunc) {
	given := p.member("uri")
	uri := rawjson.Text(given)
	if uri == "" {
		reply(failure(mcp.INVALID_PARAMS, "uri must be the URI of a resource"))
		return
	}
	if r.method == mcp.MethodResourcesSubscribe && len(uri) > maxSubscribedURI {
		reply(failure(mcp.INVALID_PARAMS, fmt.Sprintf("the uri is longer than %d bytes", maxSubscribedURI)))
		return
	}
	target, isAddressed := a.address(uri, r.method)
	if isAddressed && (r.method == mcp.MethodResourcesSubscribe || r.method == mcp.MethodResourcesUnsubscribe) {
		reply(resourceNotFound(uri, r.modern)) // servers report updates under their own addresses
		return
	}
	owner, state, ok := a.states.resume(p.continuation, stateOwner{method: r.method, server: target.server, name: uri, called: uri})
	if !ok {
		reply(failure(mcp.INVALID_PARAMS, wording.ForeignState+wording.RequestAgain))
		return
	}
	p.requestState = state
	if isAddressed {
		given = rawjson.Quote(target.own)
	}
	asked := ports.ResourceRequest{Message: ports.Message{Method: string(r.method), Params: p.forServer("uri", given)}, Purpose: purposeOf(r.method)}
	if cursor := p.member("cursor"); cursor != nil && r.method == jsonrpc.MethodDirectoryRead {
		asked.Params = rawjson.With(asked.Params, "cursor", cursor)
	}
	answer := func(server domain.ServerID, result ports.Answer, err error) {
		owner.server = server
		result, isComplete := target.addressed(server, r.method, result)
		switch {
		case !isComplete:
			reply(failure(mcp.INTERNAL_ERROR, wording.UnaddressedSkill(uri)))
		case errors.Is(err, domain.ErrResourceNotFound):
			reply(resourceNotFound(uri, r.modern || isAboutSkills(r.method)))
		case errors.Is(err, domain.ErrTooManySubscriptions):
			reply(failure(tooMany, wording.TooManySubscriptions))
		case err != nil:
			reply(failure(mcp.INTERNAL_ERROR, wording.ResourceFailure(uri, err)))
		case result.Error == nil && r.modern && (r.method == mcp.MethodResourcesRead || isAboutSkills(r.method)):
			result.Result = withCacheHints(result.Result)
			reply(a.states.seal(serverAnswer(server, result), owner))
		default:
			reply(serverAnswer(server, result))
		}
	}
	if target.isPage {
		a.requestPage(ctx, r, target, asked, answer)
		return
	}
	a.reader.RequestResource(ctx, target.own, asked, owner.server, answer)
}

// purposeOf returns the purpose of a request about a resource.
func purposeOf(method mcp.MCPMethod) ports.ResourcePurpose {
	switch method {
	case mcp.MethodResourcesSubscribe:
		return ports.SubscribeResource
	case mcp.MethodResourcesUnsubscribe:
		return ports.UnsubscribeResource
	}
	if isAboutSkills(method) {
		return ports.ReadSkill
	}
	return ports.ReadResource
}

// withCacheHints adds to the result of a server of an older version what 2026-07-28 requires: how
// long it can be cached, which is not at all. Results of 2026-07-28 are returned unchanged.
func withCacheHints(result json.RawMessage) json.RawMessage {
	if rawjson.HasMember(result, "resultType") || rawjson.HasMember(result, "ttlMs") {
		return result
	}
	return rawjson.With(rawjson.With(result, "cacheScope", rawjson.Quote(string(mcp.CacheScopePrivate))), "ttlMs", []byte("0"))
}

// maxAnsweredURI is the number of bytes of a URI that an error repeats. A part of one would be another URI.
const maxAnsweredURI = 8 << 10

// resourceNotFound returns the answer for an unknown resource, with the code that the protocol
// version of the host prescribes.
func resourceNotFound(uri string, modern bool) ports.Answer {
	code := mcp.RESOURCE_NOT_FOUND
	if modern {
		code = mcp.INVALID_PARAMS
	}
	refused := mcp.JSONRPCErrorDetails{Code: code, Message: "Resource not found"}
	if len(uri) <= maxAnsweredURI {
		refused.Data = map[string]string{"uri": uri}
	}
	return ports.Answer{Error: rawjson.MustMarshal(refused)}
}
