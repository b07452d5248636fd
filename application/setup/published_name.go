package setup

import (
	"slices"
	"strings"
)

// PublishedName returns the name that a server of the registry gets: the last part of its name there, or, if that says
// nothing, as "mcp" or "mcp-server", the account or domain before it.
func PublishedName(name string) string {
	namespace, last, hasNamespace := strings.Cut(name, "/")
	telling := slices.ContainsFunc(words(last), func(word string) bool { return !slices.Contains(neutral, word) })
	if telling || !hasNamespace {
		return ownName(name)
	}
	if account, isAccount := strings.CutPrefix(namespace, "io.github."); isAccount {
		return account
	}
	labels := strings.Split(namespace, ".") // of the domain, from its end
	if len(labels) > 2 && len(labels[0]) == 2 && slices.Contains([]string{"co", "com", "org", "net", "ac"}, labels[1]) {
		return labels[2]
	}
	if len(labels) > 1 {
		return labels[1]
	}
	return ownName(name)
}
