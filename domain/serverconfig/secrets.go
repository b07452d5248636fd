package serverconfig

import (
	"maps"
	"regexp"
	"slices"
	"strings"
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
		if value := s.Settings.Env[name]; looksSecret(name, value) {
			secrets = append(secrets, Secret{Key: "env", Name: name, Variable: VariableName(name), Value: value})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Settings.Headers)) {
		if value := s.Settings.Headers[name]; looksSecret(name, value) {
			_, credential := scheme(value)
			secrets = append(secrets, Secret{Key: "headers", Name: name, Variable: VariableName(s.Name + " " + name), Value: credential})
		}
	}
	if login := s.Settings.OAuth; login != nil && looksSecret(clientSecret, login.ClientSecret) {
		variable := VariableName(s.Name + " client secret")
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

// VariableName makes the name of a variable from a text.
func VariableName(text string) string {
	return strings.Trim(strings.ToUpper(notInNames.ReplaceAllString(text, "_")), "_")
}

var (
	notInNames   = regexp.MustCompile(`[^A-Za-z0-9]+`)
	secretPrefix = regexp.MustCompile(`^(sk-|sk_|ghp_|gho_|github_pat_|glpat-|xox[abp]-|AKIA|ntn_|tvly-)`)
	secretName   = regexp.MustCompile(`(?i)token|secret|passw|credential|authorization|api_?-?key|access_?-?key|private_?-?key|_pat$|^pat$|cookie`)
)

// looksSecret reports whether a value is not a reference and looks like a secret: by its
// name, by a prefix that services use, or as an address with a password.
func looksSecret(name, value string) bool {
	return value != "" && !strings.Contains(value, "${") &&
		(secretName.MatchString(name) || secretPrefix.MatchString(value) || Settings{URL: value}.HasInlineSecrets())
}

// scheme splits the value of an Authorization header after its scheme, such as "Bearer ".
func scheme(value string) (prefix, credential string) {
	if before, after, ok := strings.Cut(value, " "); ok && !strings.Contains(after, " ") {
		return before + " ", after
	}
	return "", value
}
