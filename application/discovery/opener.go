package discovery

import (
	"context"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// toolboxOpener keeps the tools of the toolboxes that another opener opens.
type toolboxOpener struct {
	next     ports.ToolboxOpener
	listings ports.Listings
}

// NewToolboxOpener returns an opener that keeps the tools of the toolboxes that another one opens, for later
// searches.
func NewToolboxOpener(next ports.ToolboxOpener, listings ports.Listings) ports.ToolboxOpener {
	return &toolboxOpener{next: next, listings: listings}
}

// OpenToolbox implements ports.ToolboxOpener.
func (o *toolboxOpener) OpenToolbox(ctx context.Context, toolbox domain.ToolboxName) (domain.OpenedToolbox, error) {
	opened, err := o.next.OpenToolbox(ctx, toolbox)
	for _, listed := range opened.Servers {
		server := opened.Toolbox.Find(listed.ID.Server)
		if server != nil && listed.Failure == nil {
			Keep(o.listings, *server, listed.Tools)
		}
	}
	return opened, err
}
