package setup

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/domain/masking"
	"mcp-workbench/domain/rawjson"
)

// Keys returns the values in the settings of a server, a JSON object, that reach the server, as the keys of the transports
// describe them. It leaves out what is only for the workbench or the host, and what says no more than a missing key.
type Keys func(settings json.RawMessage) []Value

// A Value is a value in the settings of a server, with what its key says of it.
type Value struct {
	// Path leads to it: "env", "TOKEN".
	Path []string
	// Raw is the value as it is written.
	Raw json.RawMessage
	// IsLine says that it is the program or its arguments, and IsAddress that something is sent to this address.
	IsLine, IsAddress bool
	// IsSecret says that it is a secret, and IsNamed that it has a name that the user chose, by which a secret is known.
	IsSecret, IsNamed bool
	// IsVariable says that it is a variable of a program, and IsCaseless that the case of its name has no meaning.
	IsVariable, IsCaseless bool
	// IsLate says that it is not needed before the server starts.
	IsLate bool
	// IsUnordered says that the order of a list has no meaning.
	IsUnordered bool
}

// Name is the last name of the path.
func (v Value) Name() string { return v.Path[len(v.Path)-1] }

// words returns the name as words: "client Secret".
func (v Value) words() string { return hump.ReplaceAllString(v.Name(), "$1 $2") }

// hump matches where a word begins in a name such as clientSecret.
var hump = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// path returns the path as messages show it, such as "env.TOKEN", the same for all cases of a name without one.
func (v Value) path() string {
	path := strings.Join(v.Path, ".")
	if v.IsCaseless {
		return strings.ToLower(path)
	}
	return path
}

// identifies reports whether another value means another server, rather than another account.
func (v Value) identifies() bool { return (v.IsLine || v.IsAddress) && len(v.Path) == 1 }

// texts returns the texts of a list, or the only one of another value.
func (v Value) texts() []string {
	var texts []string
	var text string
	switch {
	case json.Unmarshal(v.Raw, &texts) == nil:
		return texts
	case json.Unmarshal(v.Raw, &text) == nil:
		return []string{text}
	}
	return []string{string(v.Raw)}
}

// isEqual reports whether a value is written like another one or, with a lookup, whether it is once its variables are replaced.
// A number is equal to its text.
func (v Value) isEqual(other Value, lookup Lookup) bool {
	if bytes.Equal(v.Raw, other.Raw) {
		return true
	}
	texts, others := v.texts(), other.texts()
	for i := range texts {
		if lookup != nil {
			texts[i] = expanded(texts[i], lookup)
		}
	}
	if v.IsUnordered {
		slices.Sort(texts)
		slices.Sort(others)
		texts, others = slices.Compact(texts), slices.Compact(others)
	}
	return (rawjson.Kind(v.Raw) == '[') == (rawjson.Kind(other.Raw) == '[') && slices.Equal(texts, others)
}

// valuesOf returns the values of settings.
func (k Keys) valuesOf(settings Settings) []Value {
	text, _ := JSON(settings) // texts and their members can be encoded
	return k(text)
}

// HasInlineSecrets reports whether an argument or the address of a server seems to contain a secret (masking.HasInline).
func (k Keys) HasInlineSecrets(settings Settings) bool {
	line, address := []string{""}, ""
	for _, value := range k.valuesOf(settings) {
		switch texts := value.texts(); {
		case value.IsLine && rawjson.Kind(value.Raw) == '[':
			line = append(line, texts...)
		case value.IsLine:
			line[0] = texts[0]
		case value.identifies():
			address = texts[0]
		}
	}
	return masking.HasInline(line[0], line[1:], address)
}
