package ui

import (
	"fmt"
	"slices"

	"mcp-workbench/domain"
)

// Viewer identifies the viewer of a page. The zero value sees all toolboxes, but only hosts and calls without an
// identity.
type Viewer struct {
	// Everything is set for the user to whom the workbenches belong.
	Everything bool
	// Toolboxes are the names of the toolboxes that a caller over HTTP can see, nil for all.
	Toolboxes []string
	// Identity names the caller. It sees its own calls and hosts.
	Identity string
}

// key returns a text that identifies what the viewer sees.
func (v Viewer) key() string {
	return fmt.Sprintf("%t %q %q %t", v.Everything, v.Identity, v.Toolboxes, v.Toolboxes == nil)
}

// sees reports whether the viewer may see a toolbox.
func (v Viewer) sees(toolbox domain.ToolboxName) bool {
	return v.Everything || v.Toolboxes == nil || toolbox == "" || slices.Contains(v.Toolboxes, string(toolbox))
}

// IsOwn reports whether the viewer may see the hosts and calls of an identity.
func (v Viewer) IsOwn(identity string) bool {
	return v.Everything || domain.ShortIdentity(v.Identity) == domain.ShortIdentity(identity)
}
