package pinning

import (
	"encoding/json"

	"mcp-workbench/domain"
)

// LockedHints returns what the definition of a tool says in its annotations, if the tool is
// as it was locked, with its description: otherwise nobody approved what it says, and there
// are no hints.
func (p *Pinning) LockedHints(server domain.Server, tool domain.ToolInfo, state LockState) domain.Hints {
	if p == nil || state.lock == nil || server.Pinned == domain.PinSchema {
		return domain.Hints{}
	}
	locked, _ := state.lock.Server(server.ID)
	live := p.definitions.Pin(tool, domain.PinDefinition)
	for _, one := range locked.Tools {
		if one.Name == tool.Name && one.Has(live) {
			return hintsOf(live)
		}
	}
	return domain.Hints{}
}

// hintsOf reads the annotations of a definition. Names count in their exact case, and only
// true and false are hints.
func hintsOf(pin domain.Pin) domain.Hints {
	var members, annotations map[string]json.RawMessage
	// What is no object has no hints.
	_ = json.Unmarshal(pin.Definition, &members)
	_ = json.Unmarshal(members["annotations"], &annotations)
	return domain.Hints{
		ReadOnly:       string(annotations["readOnlyHint"]) == "true",
		NotDestructive: string(annotations["destructiveHint"]) == "false",
	}
}
