package masking

import (
	"fmt"
	"slices"
	"strings"
)

var (
	// addressPassword matches an address with a password of any length.
	addressPassword = pattern(`://[^/@\s]*:[^/@\s]+@`)
	// variableWord matches what may be the name of a variable in a text.
	variableWord = pattern(`[A-Za-z_][A-Za-z0-9_]{3,}`)
)

// IsSecretVariable reports whether a variable of the environment looks like a secret, as LooksSecret says. Its value
// refers to nothing. Unlike for display, a password of an address counts however short it is.
func IsSecretVariable(name, value string) bool {
	return LooksSecret(name, strings.ReplaceAll(value, "${", "$ {")) || addressPassword().MatchString(value)
}

// VariablesIn returns the words of a text that may be names of variables, with and without "$" and braces.
func VariablesIn(text string) []string { return variableWord().FindAllString(text, -1) }

// HeldBack returns the names of secrets of the environment that texts name without a reference, sorted. IsGiven reports whether
// what the texts start gets a variable anyway, and lookup returns a variable of the environment.
func HeldBack(texts []string, isGiven func(name string) bool, lookup func(name string) (value string, set bool)) []string {
	var names []string
	for _, name := range VariablesIn(reference().ReplaceAllString(strings.Join(texts, " "), " ")) {
		if value, isSet := lookup(name); isSet && !isGiven(name) && IsSecretVariable(name, value) {
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
