package hostfiles

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

const clientSecret = "clientSecret"

// Secret is a value in plain text that looks like one that should not be in a file.
type Secret struct {
	// Key is where it stands: "env", "headers" or "oauth".
	Key string
	// Name is the variable of the server, the header, or "clientSecret".
	Name string
	// Variable is a name under which the environment could hold it.
	Variable string
	// Value is the secret itself, for the environment; it must never be shown.
	Value string
}

// Secrets returns the values of a server that look like secrets and are written out, in
// a stable order.
func (s Server) Secrets() []Secret {
	var secrets []Secret
	for _, name := range slices.Sorted(maps.Keys(s.Settings.Env)) {
		if value := s.Settings.Env[name]; looksSecret(name, value) {
			secrets = append(secrets, Secret{Key: "env", Name: name, Variable: variableName(name), Value: value})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Settings.Headers)) {
		value := s.Settings.Headers[name]
		if !looksSecret(name, value) {
			continue
		}
		_, credential := scheme(value)
		secrets = append(secrets, Secret{Key: "headers", Name: name, Variable: variableName(s.Name + " " + name), Value: credential})
	}
	if login := s.Settings.OAuth; login != nil && looksSecret(clientSecret, login.ClientSecret) {
		variable := variableName(s.Name + " client secret")
		secrets = append(secrets, Secret{Key: "oauth", Name: clientSecret, Variable: variable, Value: login.ClientSecret})
	}
	return secrets
}

// Refer puts a reference to its variable in the place of a secret.
func (s *Settings) Refer(secret Secret) {
	reference := "${" + secret.Variable + "}"
	switch secret.Key {
	case "env":
		s.Env = maps.Clone(s.Env)
		s.Env[secret.Name] = reference
		return
	case "oauth":
		login := *s.OAuth
		login.ClientSecret = reference
		s.OAuth = &login
		return
	}
	prefix, _ := scheme(s.Headers[secret.Name])
	s.Headers = maps.Clone(s.Headers)
	s.Headers[secret.Name] = prefix + reference
}

// looksSecret reports whether a value is written out and is a secret by its name, by the
// prefix that services give theirs, or for a password in an address.
func looksSecret(name, value string) bool {
	prefixed := regexp.MustCompile(`^(sk-|sk_|ghp_|gho_|github_pat_|glpat-|xox[abp]-|AKIA|ntn_|tvly-)`)
	named := regexp.MustCompile(`(?i)token|secret|passw|credential|authorization|api_?-?key|access_?-?key|private_?-?key|_pat$|^pat$|cookie`)
	return value != "" && !strings.Contains(value, "${") &&
		(named.MatchString(name) || prefixed.MatchString(value) || len(inAddress(value)) > 0)
}

// scheme parts the value of an Authorization header: "Bearer " and what follows.
func scheme(value string) (prefix, credential string) {
	if before, after, ok := strings.Cut(value, " "); ok && !strings.Contains(after, " ") {
		return before + " ", after
	}
	return "", value
}
