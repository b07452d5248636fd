package serverconfig

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	// addressPassword matches an address with a password of any length.
	addressPassword = regexp.MustCompile(`://[^/@\s]*:[^/@\s]+@`)
	// variableWord matches what may be the name of a variable in a text.
	variableWord = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{3,}`)
)

// IsSecretVariable reports whether a variable of the environment looks like a secret, as LooksSecret says. Its value
// refers to nothing. Unlike for display, a password of an address counts however short it is.
func IsSecretVariable(name, value string) bool {
	return LooksSecret(name, strings.ReplaceAll(value, "${", "$ {")) || addressPassword.MatchString(value)
}

// VariablesIn returns the words of a text that may be names of variables, with and without "$" and braces.
func VariablesIn(text string) []string { return variableWord.FindAllString(text, -1) }

// HeldBack returns the names of secrets of the environment that the command, the arguments or the variables of a
// server name, without a reference, and that it does not get without inheritEnv, sorted. Lookup returns a variable
// of the environment.
func (s Settings) HeldBack(lookup func(name string) (value string, set bool)) []string {
	if s.Untranslated["inheritEnv"] == "true" {
		return nil
	}
	texts := slices.Concat([]string{s.Command}, s.Args, slices.Sorted(maps.Values(s.Env)))
	var names []string
	for _, name := range VariablesIn(reference.ReplaceAllString(strings.Join(texts, " "), " ")) {
		_, isOwn := s.Env[name]
		if value, isSet := lookup(name); isSet && !isOwn && !slices.Contains(s.InheritEnv, name) && IsSecretVariable(name, value) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// HeldBackNote says that variables are held back from a server, and which key passes them on; "" for no names.
func HeldBackNote(names []string) string {
	if len(names) == 0 {
		return ""
	}
	are, them := "is", "it"
	if len(names) > 1 {
		are, them = "are", "them"
	}
	return fmt.Sprintf(`%s %s set here, but the server gets %s only with "inheritEnv": ["%s"]`,
		strings.Join(names, ", "), are, them, strings.Join(names, `", "`))
}
