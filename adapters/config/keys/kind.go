package keys

import (
	"reflect"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// Kind says what a value of a key must be in the file.
type Kind int

// The kinds of values.
const (
	// Own is a value whose Go type alone says how it is written.
	Own Kind = iota
	// Text is a string, Word one of Key.Words, Number a number within Key.Bounds or a string with a unit, Bool a boolean.
	Text
	Word
	Number
	Bool
	// Texts is a list of strings.
	Texts
	// Pairs is an object of strings by names that the user chooses.
	Pairs
	// Object is an object with keys, and Named an object of such objects by names that the user chooses.
	Object
	Named
)

// An Objects is a type with keys that the tags of its fields do not say.
type Objects interface{ Keys() Set }

// A Schemer is a type of settings that writes its own schema, from that which its tags make. What declares the key checks its
// values, since the kind of a value does not say whether it is legal.
type Schemer interface {
	JSONSchema(object map[string]any) map[string]any
}

// kindOf returns the kind of values of a key, whose type, bounds and words are known.
func kindOf(key Key) Kind {
	switch kind := key.Type; {
	case key.Bounds != nil:
		return Number
	case len(key.Words) > 0:
		return Word
	case kind.Kind() == reflect.Bool:
		return Bool
	case kind.Kind() == reflect.String:
		return Text
	case kind.Kind() == reflect.Struct && len(keysIn(kind)) > 0:
		return Object
	case kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.String:
		return Texts
	case kind.Kind() == reflect.Map && kind.Elem().Kind() == reflect.String:
		return Pairs
	case kind.Kind() == reflect.Slice && isObject(kind.Elem()), kind.Kind() == reflect.Map && isObject(kind.Elem()):
		return Named
	}
	return Own
}

// isObject reports whether values of a type are objects with keys.
func isObject(kind reflect.Type) bool { return kind.Kind() == reflect.Struct && len(keysIn(kind)) > 0 }

// keysIn returns the keys of an object of a type, none for other types.
func keysIn(kind reflect.Type) Set {
	if own, ok := reflect.Zero(kind).Interface().(Objects); ok {
		return own.Keys()
	}
	if kind.Kind() != reflect.Struct {
		return nil
	}
	return Of(kind)
}

// wordsOf returns the words that a type has, nil for a type without any.
func wordsOf(kind reflect.Type) []string {
	switch kind {
	case reflect.TypeFor[domain.StartMode]():
		return domain.Texts(domain.StartModes())
	case reflect.TypeFor[domain.ResultsMode]():
		return domain.Texts(domain.ResultsModes())
	case reflect.TypeFor[definitions.Form]():
		return domain.Texts(definitions.Forms())
	}
	return nil
}
