package sessions

import (
	"encoding/json"

	"mcp-workbench/domain"
)

// allowances are the tools of a server that the person allowed for the session, by their exact
// names: the definitions that were allowed. They are plain data; the owner locks.
type allowances map[string]json.RawMessage

// cover reports whether the tool was allowed with the definition that it has.
func (a allowances) cover(tool domain.ToolInfo) bool {
	allowed, exists := a[tool.Name]
	return exists && string(allowed) == string(tool.Definition)
}

// keepCurrent takes back what was allowed of tools whose definitions are not, or may not be,
// those of the snapshot.
func (a allowances) keepCurrent(snapshot *toolSnapshot) {
	for name, definition := range a {
		if isOld(snapshot.listed) || !snapshot.has(domain.ToolInfo{Name: name, Definition: definition}) {
			delete(a, name)
		}
	}
}
