package application

import (
	"context"
	"encoding/json"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ToolUser is the use case UseTool.
type ToolUser struct {
	catalog  ports.Catalog
	sessions *Sessions
	opened   *Opened
}

// NewToolUser returns the use case over toolboxes that opened knows as open.
func NewToolUser(catalog ports.Catalog, sessions *Sessions, opened *Opened) *ToolUser {
	return &ToolUser{catalog: catalog, sessions: sessions, opened: opened}
}

// UseTool implements ports.ToolUser.
func (u *ToolUser) UseTool(ctx context.Context, tool domain.ToolIdentifier, arguments json.RawMessage, reply domain.Reply) {
	server, err := u.server(tool)
	if err != nil {
		reply(domain.ToolResult{}, err)
		return
	}
	connection, live := u.sessions.Known(server.ID)
	if connection != nil {
		// A server whose tools are known is not contacted for one that it does not have.
		if _, err := connection.find(tool); err != nil {
			reply(domain.ToolResult{}, err)
			return
		}
	}
	if live {
		call(ctx, connection, tool, arguments, reply)
		return
	}
	go u.useLater(ctx, server, tool, slices.Clone(arguments), reply)
}

// useLater calls the tool once the server is up.
func (u *ToolUser) useLater(
	ctx context.Context, server domain.Server, tool domain.ToolIdentifier, arguments json.RawMessage, reply domain.Reply,
) {
	connection, err := u.sessions.Connection(ctx, server)
	if err != nil {
		reply(domain.ToolResult{}, err)
		return
	}
	call(ctx, connection, tool, arguments, reply)
}

// server finds the server that a tool names, in a toolbox that is open.
func (u *ToolUser) server(tool domain.ToolIdentifier) (domain.Server, error) {
	toolbox, err := u.catalog.Toolbox(tool.Toolbox)
	if err != nil {
		return domain.Server{}, err
	}
	if !u.opened.Contains(tool.Toolbox) {
		return domain.Server{}, &domain.ToolboxNotOpenError{Toolbox: tool.Toolbox}
	}
	server, ok := toolbox.Server(tool.Server)
	if !ok {
		return domain.Server{}, &domain.ServerNotFoundError{ID: tool.ServerID(), Available: toolbox.ServerNames()}
	}
	return server, nil
}

// call calls the tool over a live connection.
func call(ctx context.Context, on *Connection, tool domain.ToolIdentifier, arguments json.RawMessage, reply domain.Reply) {
	listed, err := on.find(tool)
	if err != nil {
		reply(domain.ToolResult{}, err)
		return
	}
	on.Session.CallTool(ctx, domain.ToolCall{Name: listed.Name, Arguments: arguments, Limit: on.server.Limits.Call}, reply)
}
