package setup

import (
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain/masking"
)

const clientSecret = "clientSecret"

// A Secret is a value in plain text that does not seem to belong in a file.
type Secret struct {
	// Key is "env", "headers" or "oauth".
	Key string
	// Name is the variable of the server, the header, or "clientSecret".
	Name string
	// Variable is a suggested name for an environment variable with the value.
	Variable string
	// Value is the secret itself, which must never be shown.
	Value string
}

// Secrets returns the values of a server that look like secrets and are not references, in
// a stable order.
func (s Server) Secrets() []Secret {
	var secrets []Secret
	for _, name := range slices.Sorted(maps.Keys(s.Settings.Env)) {
		if value := s.Settings.Env[name]; masking.LooksSecret(name, value) {
			secrets = append(secrets, Secret{Key: "env", Name: name, Variable: masking.VariableName(name), Value: value})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Settings.Headers)) {
		if value := s.Settings.Headers[name]; masking.LooksSecret(name, value) {
			_, credential := scheme(value)
			secrets = append(secrets, Secret{Key: "headers", Name: name, Variable: masking.VariableName(s.Name + " " + name), Value: credential})
		}
	}
	if login := s.Settings.OAuth; login != nil && masking.LooksSecret(clientSecret, login.ClientSecret) {
		variable := masking.VariableName(s.Name + " client secret")
		secrets = append(secrets, Secret{Key: "oauth", Name: clientSecret, Variable: variable, Value: login.ClientSecret})
	}
	return secrets
}

// HasSecrets reports whether anything in the settings of a server looks like a secret.
func (s Server) HasSecrets() bool { return len(s.Secrets()) > 0 || s.Settings.HasInlineSecrets() }

// Refer replaces a secret with a reference to its variable.
func (s *Settings) Refer(secret Secret) {
	reference := "${" + secret.Variable + "}"
	switch secret.Key {
	case "env":
		s.Env = maps.Clone(s.Env)
		s.Env[secret.Name] = reference
	case "oauth":
		login := *s.OAuth
		login.ClientSecret = reference
		s.OAuth = &login
	default:
		prefix, _ := scheme(s.Headers[secret.Name])
		s.Headers = maps.Clone(s.Headers)
		s.Headers[secret.Name] = prefix + reference
	}
}

// scheme splits the value of an Authorization header after its scheme, such as "Bearer ".
func scheme(value string) (prefix, credential string) {
	if before, after, ok := strings.Cut(value, " "); ok && !strings.Contains(after, " ") {
		return before + " ", after
	}
	return "", value
}

// InlineSecrets returns the parts of the arguments and the address that may be secrets, and are not shown.
func (s Settings) InlineSecrets() []string { return masking.Inline(s.Command, s.Args, s.URL) }

// HasInlineSecrets reports whether an argument or the address seems to contain a secret (masking.HasInline).
func (s Settings) HasInlineSecrets() bool { return masking.HasInline(s.Command, s.Args, s.URL) }

// HeldBack returns the names of secrets of the environment that the command, the arguments or the variables of a
// server name, without a reference, and that it does not get without inheritEnv, sorted. Lookup returns a variable
// of the environment.
func (s Settings) HeldBack(lookup Lookup) []string {
	if s.Untranslated["inheritEnv"] == "true" {
		return nil
	}
	isGiven := func(name string) bool {
		_, isOwn := s.Env[name]
		return isOwn || slices.Contains(s.InheritEnv, name)
	}
	return masking.HeldBack(slices.Concat([]string{s.Command}, s.Args, slices.Sorted(maps.Values(s.Env))), isGiven, lookup)
}
