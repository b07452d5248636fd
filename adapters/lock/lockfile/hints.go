package lockfile

import (
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// Hints implements ports.Definitions. Names count in their exact case.
func (Definitions) Hints(pin domain.Pin) domain.Hints {
	annotations := onlyMember(pin.Definition, "annotations")
	return domain.Hints{
		ReadOnly:       string(onlyMember(annotations, "readOnlyHint")) == "true",
		NotDestructive: string(onlyMember(annotations, "destructiveHint")) == "false",
	}
}

// onlyMember returns a member of an object, nil if it is missing or repeated.
func onlyMember(object json.RawMessage, member string) json.RawMessage {
	if rawjson.Kind(object) != '{' {
		return nil
	}
	var found json.RawMessage
	times := 0
	// A pin is JSON, so this cannot fail.
	_ = rawjson.EachMember(object, func(name, value []byte) error {
		if string(name) == member {
			found = value
			times++
		}
		return nil
	})
	if times != 1 {
		return nil
	}
	return found
}
