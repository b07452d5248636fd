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
func (s *Server) requestPage(ctx context.Context, r *request, page address, request ports.ResourceRequest, reply ports.ServerReply) {
	modern := r.modern
	read := func(reply ports.ServerReply) {
		s.useCases.Resources.RequestResource(ctx, page.own, request, page.server, reply)
	}
	shown := func(server domain.ServerID, answer ports.Answer, err error) {
		if err == nil && answer.Error == nil {
			s.registered.registry.PageRead(page.server)
		}
		reply(server, answer, err)
	}
	read(func(server domain.ServerID, answer ports.Answer, err error) {
		if !modern || !errors.Is(err, domain.ErrResourceNotFound) {
			shown(server, answer, err)
			return
		}
		go func() {
			if _, err := s.useCases.Opener.OpenToolbox(ctx, page.server.Toolbox); err != nil {
				reply(page.server, ports.Answer{}, err)
				return
			}
			read(shown)
		}()
	})
}

// withPageAddress returns the definition of a listed resource with the address under which the host reads it, if it
// is a page.
func (s *Server) withPageAddress(resource domain.Resource, definition json.RawMessage) json.RawMessage {
	if !extensions.IsPage(resource.URI) || !s.registered.registry.Registered().HasPages(resource.Server) {
		return definition
	}
	for _, member := range []string{"uri", "uriTemplate"} {
		if rawjson.HasMember(definition, member) {
			definition = rawjson.With(definition, member, rawjson.Quote(extensions.PageAddress(resource.Server, resource.URI)))
		}
	}
	return definition
}

// rendersPages reports whether pages are passed on to the host.
func (s *Server) rendersPages() bool {
	return s.registered != nil && s.registered.registry.RendersPages()
}

// isPage reports whether an address of the host is that of a page of a server.
func (s *Server) isPage(asked string) bool { return extensions.IsPage(asked) && s.rendersPages() }

// pageAddress is Server.address for the address of a page.
func (s *Server) pageAddress(asked string) (address, bool) {
	if server, own, ok := extensions.ReadPageAddress(asked); ok && s.registered.registry.Registered().HasPages(server) {
		return address{server: server, own: own, asked: asked, isPage: true}, true
	}
	return address{own: asked}, false
}
