package setup

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Lookup returns a variable of the environment.
type Lookup func(name string) (value string, set bool)

// A Comparison compares the settings of servers by their keys. Values are the same if they are written in the same way or, with
// a Lookup, if they are after the variables of the first are replaced.
type Comparison struct {
	Keys   Keys
	Lookup Lookup
}

// IsSame reports whether two settings mean the same server: whether everything that reaches it is
// written in the same way. It ignores what matters only to the host or the workbench, such as filters.
// Settings that reach nothing are never the same.
func (c Comparison) IsSame(first, other Settings) bool {
	return len(c.Keys.valuesOf(first)) > 0 && len(c.differences(first, other)) == 0
}

// IsLike reports whether two settings start the same program with the same arguments, or reach the same
// address. They may be two accounts.
func (c Comparison) IsLike(first, other Settings) bool {
	return slices.ContainsFunc(c.Keys.valuesOf(first), Value.identifies) && !slices.ContainsFunc(c.differences(first, other), difference.identifies)
}

// Differences returns the keys of the settings that do not reach both servers alike, such as "args" or
// "env.TOKEN", sorted; it returns none for settings of the same server.
func (c Comparison) Differences(first, other Settings) []string {
	var keys []string
	for _, d := range c.differences(first, other) {
		keys = append(keys, d.key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// AsksMoreThan reports whether confirm names a tool or a pattern that it does not name in other settings.
func (s Settings) AsksMoreThan(other Settings) bool {
	return !slices.Contains(other.Confirm, "*") &&
		slices.ContainsFunc(s.Confirm, func(pattern string) bool { return !slices.Contains(other.Confirm, pattern) })
}

// difference is a value that does not reach two servers alike. A value that a server does not have is the zero value, and so are
// both for what no key describes.
type difference struct {
	key          string
	first, other Value
}

func (d difference) identifies() bool {
	return d.first.Raw != nil && d.first.identifies() || d.other.Raw != nil && d.other.identifies()
}

// differences returns what does not reach two servers alike.
func (c Comparison) differences(first, other Settings) []difference {
	var differences []difference
	if first.transport() != other.transport() {
		differences = append(differences, difference{key: "transport"})
	}
	values, others := byPath(c.Keys.valuesOf(first)), byPath(c.Keys.valuesOf(other))
	for path, value := range values {
		if found, exists := others[path]; !exists || !value.isEqual(found, c.Lookup) {
			differences = append(differences, difference{path, value, found})
		}
	}
	for path, value := range others {
		if _, exists := values[path]; !exists {
			differences = append(differences, difference{key: path, other: value})
		}
	}
	for key, text := range first.Untranslated {
		if found, exists := other.Untranslated[key]; !exists || found != text {
			differences = append(differences, difference{key: key})
		}
	}
	for key := range other.Untranslated {
		if _, exists := first.Untranslated[key]; !exists {
			differences = append(differences, difference{key: key})
		}
	}
	return differences
}

// byPath returns values by their paths. Values whose paths differ only in a case without meaning are one.
func byPath(values []Value) map[string]Value {
	paths := make(map[string]Value, len(values))
	for _, value := range values {
		path := value.path()
		value.Raw = slices.Concat(paths[path].Raw, value.Raw)
		paths[path] = value
	}
	return paths
}

// transport returns the transport of the server, which settings need not contain.
func (s Settings) transport() string {
	switch {
	case s.URL == "":
		return cmp.Or(s.Transport, "stdio")
	case s.Transport == "", strings.HasPrefix(strings.ToLower(s.Transport), "streamable"):
		return "http"
	}
	return s.Transport
}

// expanded returns a text with its variables replaced, as the configuration does it. A text whose
// variables are not all set is returned unchanged.
func expanded(text string, lookup Lookup) string {
	missing := false
	result := variable.ReplaceAllStringFunc(text, func(reference string) string {
		name, fallback, hasFallback := strings.Cut(reference[len("${"):len(reference)-1], ":-")
		value, set := lookup(name)
		if !set {
			value, missing = fallback, missing || !hasFallback
		}
		return value
	})
	if missing {
		return text
	}
	return result
}

var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*(?:\([xX]86\))?(?::-[^}]*)?\}`)
