package stdio

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"

	"mcp-workbench/domain"
)

// settings is what the configuration says about one server of this kind.
type settings struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	Cwd     string            `json:"cwd"`
	Inherit inheritance       `json:"inheritEnv"`
}

// Keys implements ports.Transport.
func (*Transport) Keys() []string {
	return []string{"command", "args", "env", "cwd", "inheritEnv"}
}

// Check implements ports.Transport.
func (*Transport) Check(raw json.RawMessage) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return &domain.SettingError{Found: kindOf(raw), Wanted: "an object"}
	}
	var problems []error
	report := func(found, wanted string, key ...string) {
		problems = append(problems, &domain.SettingError{Key: key, Found: found, Wanted: wanted})
	}
	checkCommand(members["command"], report)
	checkArgs(members["args"], report)
	checkEnv(members["env"], report)
	if cwd, ok := members["cwd"]; ok && kindOf(cwd) != "a string" {
		report(kindOf(cwd), "a string", "cwd")
	}
	if inherit, ok := members["inheritEnv"]; ok {
		var value inheritance
		if err := json.Unmarshal(inherit, &value); err != nil {
			report(kindOf(inherit), "true, false or a list of variable names", "inheritEnv")
		}
	}
	return errors.Join(problems...)
}

type reporter func(found, wanted string, key ...string)

func checkCommand(raw json.RawMessage, report reporter) {
	switch {
	case raw == nil:
		report("nothing", "the program to start, a string", "command")
	case kindOf(raw) != "a string":
		report(kindOf(raw), "the program to start, a string", "command")
	case string(raw) == `""`:
		report("an empty string", "the program to start", "command")
	}
}

func checkArgs(raw json.RawMessage, report reporter) {
	if raw == nil {
		return
	}
	var args []json.RawMessage
	if err := json.Unmarshal(raw, &args); err != nil || args == nil {
		report(kindOf(raw), "a list of strings", "args")
		return
	}
	for i, arg := range args {
		if kindOf(arg) != "a string" {
			report(kindOf(arg), "a string", "args", strconv.Itoa(i))
		}
	}
}

func checkEnv(raw json.RawMessage, report reporter) {
	if raw == nil {
		return
	}
	var env map[string]json.RawMessage
	if err := json.Unmarshal(raw, &env); err != nil || env == nil {
		report(kindOf(raw), "an object of strings", "env")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if kindOf(env[name]) != "a string" {
			report(kindOf(env[name]), "a string", "env", name)
		}
	}
}

// kindOf names the kind of a JSON value as a message shows it.
func kindOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return string(raw)
	case 'n':
		return "null"
	}
	return "a number"
}
