package config

import (
	"slices"
	"strconv"

	"mcp-workbench/adapters/config/tree"
)

// hostKeys are the keys of servers at the root of hosts' files.
var hostKeys = []string{"mcpServers", "servers"}

// missingToolboxes reports that the root has no toolboxes. For the file of a host it
// says how to convert it.
func missingToolboxes(f *tree.Findings, root tree.Node, members tree.Object) {
	for _, m := range members {
		if isHostFile(m, members) {
			found := strconv.Quote(m.Name) + " at the root, as in the file of a host"
			f.Wrong(m.Key(), found, `it in a toolbox: {"toolboxes": {"main": {"mcpServers": {…}}}}`)
			return
		}
	}
	if root.Value.Value.Kind() == '{' {
		f.Wrong(root.Absent(toolboxesKey), "nothing", "an object of toolboxes, {} for none")
	}
}

// isHostFile reports whether the member makes the root look like the file of a
// host.
func isHostFile(m tree.Member, members tree.Object) bool {
	return slices.Contains(hostKeys, m.Name) && !members.Has(toolboxesKey)
}
