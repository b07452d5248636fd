package stdio

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// settings are the keys of one server of this kind in the configuration.
type settings struct {
	program
	Inherit        inheritance `json:"inheritEnv" is:"shown"`
	InstallScripts bool        `json:"installScripts"`
}

// program is a domain.Program as the configuration writes it.
type program struct {
	Command string            `json:"command" is:"shown expanded" required:"true" form:"any"`
	Args    []string          `json:"args" is:"shown expanded"`
	Env     map[string]string `json:"env" is:"shown expanded data"`
	Cwd     string            `json:"cwd" is:"shown expanded"`
}

// Settings implements ports.Transport.
func (*Transport) Settings() any { return settings{} }

// Traits implements ports.Transport.
func (*Transport) Traits(raw json.RawMessage) domain.Traits {
	var s settings
	_ = json.Unmarshal(raw, &s) // they were checked
	return domain.Traits{
		Program: domain.Program(s.program), InheritsAll: s.Inherit.everything, Inherits: s.Inherit.names, InstallScripts: s.InstallScripts,
	}
}

// Check implements ports.Transport.
func (*Transport) Check(raw json.RawMessage) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return &domain.SettingError{Found: rawjson.KindName(raw), Wanted: "an object"}
	}
	var problems domain.SettingErrors
	checkCommand(members["command"], &problems)
	checkArgs(members["args"], &problems)
	checkEnv(members["env"], &problems)
	if cwd, ok := members["cwd"]; ok && rawjson.KindName(cwd) != "a string" {
		problems.Add(rawjson.KindName(cwd), "a string", "cwd")
	}
	if inherit, ok := members["inheritEnv"]; ok {
		var value inheritance
		if err := json.Unmarshal(inherit, &value); err != nil {
			problems.Add(rawjson.KindName(inherit), "true, false or a list of variable names", "inheritEnv")
		}
	}
	if scripts, ok := members["installScripts"]; ok && string(scripts) != "true" && string(scripts) != "false" {
		problems.Add(rawjson.KindName(scripts), "true or false", "installScripts")
	}
	return problems.Join()
}

func checkCommand(raw json.RawMessage, problems *domain.SettingErrors) {
	switch {
	case raw == nil:
		problems.Add("nothing", "the program to start, a string", "command")
	case rawjson.KindName(raw) != "a string":
		problems.Add(rawjson.KindName(raw), "the program to start, a string", "command")
	case string(raw) == `""`:
		problems.Add("an empty string", "the program to start", "command")
	}
}

func checkArgs(raw json.RawMessage, problems *domain.SettingErrors) {
	if raw == nil {
		return
	}
	var args []json.RawMessage
	if err := json.Unmarshal(raw, &args); err != nil || args == nil {
		problems.Add(rawjson.KindName(raw), "a list of strings", "args")
		return
	}
	for i, arg := range args {
		if rawjson.KindName(arg) != "a string" {
			problems.Add(rawjson.KindName(arg), "a string", "args", strconv.Itoa(i))
		}
	}
}

func checkEnv(raw json.RawMessage, problems *domain.SettingErrors) {
	if raw == nil {
		return
	}
	var env map[string]json.RawMessage
	if err := json.Unmarshal(raw, &env); err != nil || env == nil {
		problems.Add(rawjson.KindName(raw), "an object of strings", "env")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if rawjson.KindName(env[name]) != "a string" {
			problems.Add(rawjson.KindName(env[name]), "a string", "env", name)
		}
	}
}

// inheritance says which variables of the workbench a server gets in addition to
// the allow list: all of them, or those with these names.
type inheritance struct {
	everything bool
	names      []string
}

// UnmarshalJSON accepts true, false, "all" or a list of names.
func (i *inheritance) UnmarshalJSON(raw []byte) error {
	var everything bool
	if json.Unmarshal(raw, &everything) == nil && string(raw) != "null" {
		i.everything = everything
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
