package config_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// fakeTransport has keys and connects to nothing. No setting may hold a number, on
// any level; the required key must be there.
type fakeTransport struct {
	keys     []string
	required string
	// check replaces the check when it is given.
	check func(settings json.RawMessage) error
}

func (fakeTransport) Connect(context.Context, domain.Server, ports.Host, ports.ServerPolicy) (ports.Session, error) {
	return nil, errors.New("a fake connects to nothing")
}

func (f fakeTransport) Keys() []string { return f.keys }

func (f fakeTransport) Check(settings json.RawMessage) error {
	if f.check != nil {
		return f.check(settings)
	}
	var members map[string]any
	if err := json.Unmarshal(settings, &members); err != nil {
		return err
	}
	var problems []error
	if _, ok := members[f.required]; !ok {
		problems = append(problems, &domain.SettingError{Key: []string{f.required}, Found: "nothing", Wanted: "a string"})
	}
	for key, value := range members {
		problems = append(problems, notStrings(value, key))
	}
	return errors.Join(problems...)
}

// Traits are the members, and the address is the URL.
func (f fakeTransport) Traits(settings json.RawMessage) domain.Traits {
	var members struct {
		Command    string
		URL        string
		InheritEnv []string
	}
	_ = json.Unmarshal(settings, &members) // other specs have settings of any shape
	return domain.Traits{Program: domain.Program{Command: members.Command}, Address: members.URL, Inherits: members.InheritEnv}
}

// notStrings returns an error for each number within the value.
func notStrings(value any, keys ...string) error {
	var problems []error
	switch value := value.(type) {
	case float64:
		return &domain.SettingError{Key: keys, Found: "a number", Wanted: "a string"}
	case []any:
		for i, element := range value {
			problems = append(problems, notStrings(element, append(keys[:len(keys):len(keys)], strconv.Itoa(i))...))
		}
	case map[string]any:
		for key, member := range value {
			problems = append(problems, notStrings(member, append(keys[:len(keys):len(keys)], key)...))
		}
	}
	return errors.Join(problems...)
}

func stdio() fakeTransport {
	return fakeTransport{required: "command", keys: []string{"command", "args", "env", "cwd", "inheritEnv"}}
}

func http() fakeTransport {
	return fakeTransport{required: "url", keys: []string{"url", "headers", "tls", "oauth"}}
}
