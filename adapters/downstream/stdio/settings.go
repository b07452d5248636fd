package stdio

import (
	"encoding/json"
	"fmt"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// settings are the keys of one server of this kind in the configuration.
type settings struct {
	program
	Inherit        inheritance `json:"inheritEnv" is:"shown protection inherits unordered"`
	InstallScripts bool        `json:"installScripts" is:"protection"`
}

// program is a domain.Program as the configuration writes it.
type program struct {
	Command string            `json:"command" is:"shown expanded code line" required:"the program to start, a string" form:"any"`
	Args    []string          `json:"args" is:"shown expanded code line late"`
	Env     map[string]string `json:"env" is:"shown expanded data variables late"`
	Cwd     string            `json:"cwd" is:"shown expanded code"`
}

// Settings implements ports.Transport.
func (*Transport) Settings() any { return settings{} }

// Traits implements ports.Transport.
func (*Transport) Traits(raw json.RawMessage) domain.Traits {
	var s settings
	_ = json.Unmarshal(raw, &s) // they were checked
	return domain.Traits{
		Program: domain.Program(s.program), InheritsAll: s.Inherit.everything, InheritsLeast: s.Inherit.least, Inherits: s.Inherit.names,
		InstallScripts: s.InstallScripts,
	}
}

// Check implements ports.Transport.
func (*Transport) Check(raw json.RawMessage) error {
	inherit := rawjson.Member(raw, "inheritEnv")
	if inherit == nil || json.Unmarshal(inherit, new(inheritance)) == nil {
		return nil
	}
	return &domain.SettingError{Key: []string{"inheritEnv"}, Found: rawjson.KindName(inherit), Wanted: "true, false or a list of variable names"}
}

// inheritance says which variables of the workbench a server gets: all of them, few, or besides the usual ones those
// with these names.
type inheritance struct {
	everything, least bool
	names             []string
}

// UnmarshalJSON accepts true, false, "all" or a list of names.
func (i *inheritance) UnmarshalJSON(raw []byte) error {
	var everything bool
	if json.Unmarshal(raw, &everything) == nil && string(raw) != "null" {
		i.everything, i.least = everything, !everything
		return nil
	}
	if string(raw) == `"all"` {
		i.everything = true
		return nil
	}
	if err := json.Unmarshal(raw, &i.names); err != nil || i.names == nil {
		return fmt.Errorf("read inheritEnv: want true, false or a list of names")
	}
	return nil
}

// JSONSchema returns the schema of the values that UnmarshalJSON accepts.
func (inheritance) JSONSchema(map[string]any) map[string]any {
	return map[string]any{"anyOf": []any{
		map[string]any{"type": "boolean"}, map[string]any{"type": "array", "items": map[string]any{"type": "string"}}, map[string]any{"const": "all"},
	}}
}
