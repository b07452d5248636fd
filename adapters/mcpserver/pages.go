package mcpserver

import (
	"context"
	"encoding/json"
	"errors"

	"mcp-workbench/domain"
	"mcp-workbench/domain/extensions"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// requestPage reads a page. For a host of 2026-07-28, which can list a tool before its toolbox is open, reading opens
// the toolbox.
func (a *resources) requestPage(ctx context.Context, r *request, page address, request ports.ResourceRequest, reply ports.ServerReply) {
	modern := r.modern
	read := func(reply ports.ServerReply) {
		a.reader.RequestResource(ctx, page.own, request, page.server, reply)
	}
	shown := func(server domain.ServerID, answer ports.Answer, err error) {
		if err == nil && answer.Error == nil {
			a.registered.registry.PageRead(page.server)
		}
		reply(server, answer, err)
	}
	read(func(server domain.ServerID, answer ports.Answer, err error) {
		if !modern || !errors.Is(err, domain.ErrResourceNotFound) {
			shown(server, answer, err)
			return
		}
		go func() {
			if _, err := a.opener.OpenToolbox(ctx, page.server.Toolbox); err != nil {
				reply(page.server, ports.Answer{}, err)
				return
			}
			read(shown)
		}()
	})
}

// withPageAddress returns the definition of a listed resource with the address under which the host reads it, if it
// is a page.
func (a *resources) withPageAddress(resource domain.Resource, definition json.RawMessage) json.RawMessage {
	if !extensions.IsPage(resource.URI) || !a.registered.registry.Registered().HasPages(resource.Server) {
		return definition
	}
	for _, member := range []string{"uri", "uriTemplate"} {
		if rawjson.HasMember(definition, member) {
			definition = rawjson.With(definition, member, rawjson.Quote(extensions.PageAddress(resource.Server, resource.URI)))
		}
	}
	return definition
}

// isPage reports whether an address of the host is that of a page of a server.
func (a *resources) isPage(asked string) bool { return extensions.IsPage(asked) && a.rendersPages() }

// pageAddress is Server.address for the address of a page.
func (a *resources) pageAddress(asked string) (address, bool) {
	if server, own, ok := extensions.ReadPageAddress(asked); ok && a.registered.registry.Registered().HasPages(server) {
		return address{server: server, own: own, asked: asked, isPage: true}, true
	}
	return address{own: asked}, false
}
