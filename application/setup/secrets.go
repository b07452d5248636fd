package setup

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
	"mcp-workbench/domain/rawjson"
)

// A Secret is a value in plain text that does not seem to belong in a file.
type Secret struct {
	// Path leads to the value in the settings of the server: "env", "TOKEN".
	Path []string
	// IsLate says that the server does not need it before it starts, so that a command can print it then.
	IsLate bool
	// Variable is a suggested name for an environment variable with the value.
	Variable string
	// Scheme is what precedes the secret in the value, such as "Bearer ", "" for nothing.
	Scheme string
	// Value is the secret itself, which must never be shown.
	Value string
}

// Key is the key of the server that has the secret, such as "env".
func (s Secret) Key() string { return s.Path[0] }

// Name is the last name of the path: the variable of the server, or the header.
func (s Secret) Name() string { return s.Path[len(s.Path)-1] }

// Place returns the path as messages show it: "env.TOKEN".
func (s Secret) Place() string { return strings.Join(s.Path, ".") }

// SecretsOf returns the values of a server that look like secrets and are not references, in
// a stable order.
func (k Keys) SecretsOf(server Server) []Secret {
	text, _ := JSON(server.Settings) // texts and their members can be encoded
	return k.SecretsIn(text, server.Name)
}

// SecretsIn is SecretsOf for settings as they are written, of a server with that name.
func (k Keys) SecretsIn(settings json.RawMessage, server string) []Secret {
	var secrets []Secret
	for _, value := range k(settings) {
		text := rawjson.Text(value.Raw)
		secret := Secret{Path: value.Path, IsLate: value.IsLate, Value: text}
		switch {
		case value.IsNamed && !masking.LooksSecret(value.Name(), text), text == "", strings.Contains(text, "${"):
			continue
		case value.IsVariable:
			secret.Variable = masking.VariableName(value.Name())
		case value.IsNamed:
			secret.Scheme, secret.Value = scheme(text)
			secret.Variable = masking.VariableName(server + " " + value.Name())
		case value.IsSecret:
			secret.Variable = masking.VariableName(server + " " + value.words())
		default:
			continue
		}
		secrets = append(secrets, secret)
	}
	return secrets
}

// HaveSecrets reports whether anything in the settings of a server looks like a secret.
func (k Keys) HaveSecrets(server Server) bool {
	return len(k.SecretsOf(server)) > 0 || k.HasInlineSecrets(server.Settings)
}

// Refer replaces a secret with a reference to its variable.
func (s *Settings) Refer(secret Secret) {
	text, _ := JSON(*s) // texts and their members can be encoded
	reference, _ := JSON(secret.Reference())
	settings, _ := ReadSettings(replaced(text, secret.Path, reference))
	settings.Untranslated = s.Untranslated
	*s = settings
}

// Reference returns what replaces the value.
func (s Secret) Reference() string { return s.Scheme + "${" + s.Variable + "}" }

// replaced returns an object with another value at a path.
func replaced(object json.RawMessage, path []string, value json.RawMessage) json.RawMessage {
	return rawjson.EditMembers(object, func(name string, old []byte) []byte {
		switch {
		case name != path[0]:
			return old
		case len(path) == 1:
			return value
		}
		return replaced(old, path[1:], value)
	})
}

// scheme splits the value of an Authorization header after its scheme, such as "Bearer ".
func scheme(value string) (prefix, credential string) {
	if before, after, ok := strings.Cut(value, " "); ok && !strings.Contains(after, " ") {
		return before + " ", after
	}
	return "", value
}

// HeldBack returns the names of secrets of the environment that the command, the arguments or the variables of a
// program name, without a reference, and that are neither its own nor inherited, sorted. Lookup returns a variable
// of the environment.
func HeldBack(program domain.Program, inherited []string, lookup Lookup) []string {
	isGiven := func(name string) bool {
		_, isOwn := program.Env[name]
		return isOwn || slices.Contains(inherited, name)
	}
	return masking.HeldBack(slices.Concat([]string{program.Command}, program.Args, slices.Sorted(maps.Values(program.Env))), isGiven, lookup)
}
