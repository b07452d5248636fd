package application

import (
	"context"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// RegisteringToolboxOpener is the use case OpenToolbox that says under which names
// the tools are registered.
type RegisteringToolboxOpener struct {
	next          ports.ToolboxOpener
	registrations *Registrations
}

// NewRegisteringToolboxOpener returns the use case over the one that opens
// toolboxes.
func NewRegisteringToolboxOpener(next ports.ToolboxOpener, registrations *Registrations) *RegisteringToolboxOpener {
	return &RegisteringToolboxOpener{next: next, registrations: registrations}
}

// OpenToolbox implements ports.ToolboxOpener.
func (o *RegisteringToolboxOpener) OpenToolbox(ctx context.Context, name domain.ToolboxName) (domain.OpenedToolbox, error) {
	opened, err := o.next.OpenToolbox(ctx, name)
	// What the lock says may have changed, however the opening ended.
	o.registrations.update(name)
	if err != nil {
		return opened, err
	}
	registered := o.registrations.Registered()
	opened.Servers = slices.Clone(opened.Servers)
	for i := range opened.Servers {
		server := &opened.Servers[i]
		server.Registered = registered.Names(server.ID)
		server.Warnings = slices.Concat(server.Warnings, taken(registered, server))
	}
	return opened, nil
}

// taken returns a warning for each tool of the server that is not registered, since
// another one has its name.
func taken(registered *domain.RegisteredTools, server *domain.OpenedServer) []domain.Warning {
	var warnings []domain.Warning
	if len(registered.Taken) == 0 {
		return nil
	}
	for _, tool := range server.Tools {
		id := domain.ToolIdentifier{Toolbox: server.ID.Toolbox, Server: server.ID.Server, Tool: tool.Name}
		if name, ok := registered.Taken[id]; ok {
			warnings = append(warnings, domain.Warning{Kind: domain.NameTaken, Tool: tool.Shown, Detail: name})
		}
	}
	return warnings
}
