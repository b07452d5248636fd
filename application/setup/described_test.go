package setup_test

import (
	"encoding/json"
	"slices"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain/rawjson"
)

// described are the values of programs and addresses, and of the kind "unix" of a contributor, as the keys of transports
// describe them.
func described(settings json.RawMessage) (values []setup.Value) {
	_ = rawjson.EachMember(settings, func(name, raw []byte) error {
		value := setup.Value{Path: []string{string(name)}, Raw: slices.Clone(raw)}
		isObject := rawjson.Kind(raw) == '{'
		switch string(name) {
		case "command", "args":
			value.IsLine = true
		case "url", "socket":
			value.IsAddress = true
		case "env":
			value.IsNamed, value.IsVariable, value.IsLate = true, true, true
		case "headers":
			value.IsNamed, value.IsCaseless, value.IsLate = true, true, true
		case "inheritEnv":
			value.IsUnordered = true
		case "pass":
			value.IsSecret = true
		case "cwd", "tls", "oauth":
		default:
			return nil
		}
		if !isObject {
			values = append(values, value)
			return nil
		}
		return rawjson.EachMember(raw, func(name, raw []byte) error {
			member := value
			member.Path, member.Raw = append(slices.Clone(value.Path), string(name)), slices.Clone(raw)
			member.IsSecret, member.IsUnordered = string(name) == "clientSecret", string(name) == "scopes"
			values = append(values, member)
			return nil
		})
	})
	return values
}

// compared compares settings as they are written.
var compared = setup.Comparison{Keys: described}
