package stdio

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"

	"mcp-workbench/adapters/jsonscan"
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
		return &domain.SettingError{Found: jsonscan.KindName(raw), Wanted: "an object"}
	}
	var problems []error
	report := func(found, wanted string, key ...string) {
		problems = append(problems, &domain.SettingError{Key: key, Found: found, Wanted: wanted})
	}
	checkCommand(members["command"], report)
	checkArgs(members["args"], report)
	checkEnv(members["env"], report)
	if cwd, ok := members["cwd"]; ok && jsonscan.KindName(cwd) != "a string" {
		report(jsonscan.KindName(cwd), "a string", "cwd")
	}
	if inherit, ok := members["inheritEnv"]; ok {
		var value inheritance
		if err := json.Unmarshal(inherit, &value); err != nil {
			report(jsonscan.KindName(inherit), "true, false or a list of variable names", "inheritEnv")
		}
	}
	return errors.Join(problems...)
}

type reporter func(found, wanted string, key ...string)

func checkCommand(raw json.RawMessage, report reporter) {
	switch {
	case raw == nil:
		report("nothing", "the program to start, a string", "command")
	case jsonscan.KindName(raw) != "a string":
		report(jsonscan.KindName(raw), "the program to start, a string", "command")
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
		report(jsonscan.KindName(raw), "a list of strings", "args")
		return
	}
	for i, arg := range args {
		if jsonscan.KindName(arg) != "a string" {
			report(jsonscan.KindName(arg), "a string", "args", strconv.Itoa(i))
		}
	}
}

func checkEnv(raw json.RawMessage, report reporter) {
	if raw == nil {
		return
	}
	var env map[string]json.RawMessage
	if err := json.Unmarshal(raw, &env); err != nil || env == nil {
		report(jsonscan.KindName(raw), "an object of strings", "env")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if jsonscan.KindName(env[name]) != "a string" {
			report(jsonscan.KindName(env[name]), "a string", "env", name)
		}
	}
}
