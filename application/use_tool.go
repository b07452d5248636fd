package application

import (
	"context"
	"encoding/json"
	"errors"
	"time"

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
func (u *ToolUser) UseTool(ctx context.Context, tool domain.ToolIdentifier, arguments json.RawMessage) (domain.ToolResult, error) {
	server, err := u.server(tool)
	if err != nil {
		return domain.ToolResult{}, err
	}
	// A server whose tools are known is not contacted for one that it does not have.
	if known, ok := u.sessions.Known(server.ID); ok {
		if _, err := known.find(tool); err != nil {
			return domain.ToolResult{}, err
		}
	}
	connection, err := u.sessions.Connection(ctx, server)
	if err != nil {
		return domain.ToolResult{}, err
	}
	listed, err := connection.find(tool)
	if err != nil {
		return domain.ToolResult{}, err
	}
	return call(ctx, connection.Session, server, listed.Name, arguments)
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

// call calls the tool within the server's limit on calls.
func call(ctx context.Context, session ports.Session, server domain.Server, tool string, arguments json.RawMessage) (domain.ToolResult, error) {
	limit := server.Limits.Call
	if limit == 0 {
		return session.CallTool(ctx, tool, arguments)
	}
	began := time.Now()
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	result, err := session.CallTool(limited, tool, arguments)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return domain.ToolResult{}, &domain.TimedOutError{ID: server.ID, Waited: time.Since(began), Limit: "limits.call"}
	}
	return result, err
}
