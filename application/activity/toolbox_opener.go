package activity

import (
	"context"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// toolboxOpener tells an observer of the openings of another opener.
type toolboxOpener struct {
	next     ports.ToolboxOpener
	observer ports.ActivityObserver
	tools    ports.ToolsObserver // nil for none
}

// NewToolboxOpener returns an opener that tells the observer of the openings of next, and tells tools,
// if it is not nil, of the tools that they find.
func NewToolboxOpener(next ports.ToolboxOpener, observer ports.ActivityObserver, tools ports.ToolsObserver) ports.ToolboxOpener {
	return &toolboxOpener{next: next, observer: observer, tools: tools}
}

// OpenToolbox implements ports.ToolboxOpener.
func (o *toolboxOpener) OpenToolbox(ctx context.Context, toolbox domain.ToolboxName) (domain.OpenedToolbox, error) {
	begun := time.Now()
	opened, err := o.next.OpenToolbox(ctx, toolbox)
	now := time.Now()
	o.observer.Observe(domain.Activity{
		Kind: domain.ActivityOpen, Time: now, Tool: domain.ToolIdentifier{Toolbox: toolbox}, Unknown: IsUnknown(err),
		Outcome: OutcomeFor(err), Took: now.Sub(begun),
	})
	if o.tools != nil {
		for _, server := range opened.Servers {
			if server.Failure == nil {
				o.tools.ObserveTools(server.ID, server.Tools)
			}
		}
	}
	return opened, err
}
