package main

import "mcp-workbench/domain"

// limitedTo returns the process as somebody sees it who may see these toolboxes only; nil
// is all of them.
func (p *process) limitedTo(toolboxes []string) *process {
	if toolboxes == nil {
		return p
	}
	names := make([]domain.ToolboxName, len(toolboxes))
	for i, name := range toolboxes {
		names[i] = domain.ToolboxName(name)
	}
	own := *p
	own.current = p.current.Limited(names)
	own.catalog = own.current
	own.program = p.program.Showing(own.current)
	return &own
}
