package keys

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"mcp-workbench/domain"
)

// Key describes a key that an object may have. The zero value describes an unknown key.
type Key struct {
	// Name is the key in the file.
	Name string
	// Field is the name of the field that has the value, "_" for a key that is read into others. Type is its type, or
	// what it points to.
	Field string
	Type  reflect.Type
	Kind  Kind
	Trait
	// Words are those of a Word, and Bounds those of a Number.
	Words  []string
	Bounds *Bounds
	// Default is the default as a text, if HasDefault.
	Default    string
	HasDefault bool
	// Required describes the value of a key that must be present, "" for a key that may be missing. Wanted describes a
	// legal value, or element of a list, and List the list, in problems.
	Required, Wanted, List string
	// Fits reports whether a text, or a text of a list, is legal with its variables replaced. It is nil if all are.
	Fits func(text string) bool
	// Pattern and Not are those of the texts in the schema, "" for none.
	Pattern, Not string
	// About is the description of a key that the help topic does not list by itself, if IsAside.
	About   string
	IsAside bool
}

// Set has the keys of an object, in the order of the fields.
type Set []Key

// forms are what texts must be.
var forms = map[string]func(text string) bool{
	"": nil, "issuer": domain.IsIssuer, "resource": domain.IsResource, "scope": domain.IsScope,
	"host": domain.IsHostHeader, "origin": domain.IsOrigin,
	"any": func(text string) bool { return text != "" },
}

// sets are the keys by the types of objects, since reading tags takes time. Each is a Set.
var sets sync.Map

// Of returns the keys that the tags of a struct describe, with those of embedded structs. It panics if a tag is misspelt.
// Safe for concurrent use; the set must not be changed.
func Of(object reflect.Type) Set {
	if known, ok := sets.Load(object); ok {
		return known.(Set)
	}
	found := slices.Clip(readTags(object))
	sets.Store(object, found)
	return found
}

// readTags is Of for a type that was not described before.
func readTags(object reflect.Type) Set {
	var found Set
	for field := range object.Fields() {
		if field.Anonymous && field.Type.Kind() == reflect.Struct {
			found = append(found, Of(field.Type)...)
		}
		if name := cmp.Or(field.Tag.Get("key"), field.Tag.Get("json")); name != "" && name != "-" {
			found = append(found, newKey(name, field))
		}
	}
	return found
}

// OfValue returns the keys of the type of a struct, such as the settings of a transport (ports.Transport).
func OfValue(object any) Set { return Of(reflect.TypeOf(object)) }

// For returns the keys of a type.
func For[T any]() Set { return Of(reflect.TypeFor[T]()) }

func newKey(name string, field reflect.StructField) Key {
	tag := field.Tag
	fits, known := forms[tag.Get("form")]
	if !known {
		panic(fmt.Sprintf("field %s: unknown form %q", field.Name, tag.Get("form")))
	}
	key := Key{
		Name: name, Field: field.Name, Type: field.Type, Trait: traitsOf(field), Fits: fits,
		Required: tag.Get("required"), Wanted: cmp.Or(tag.Get("wanted"), tag.Get("required")), List: cmp.Or(tag.Get("list"), "a list of strings"),
		Pattern: tag.Get("pattern"), Not: tag.Get("not"),
	}
	if key.Type.Kind() == reflect.Pointer {
		key.Type = key.Type.Elem()
	}
	key.Default, key.HasDefault = tag.Lookup("default")
	key.About, key.IsAside = tag.Lookup("about")
	if key.Words = wordsOf(key.Type); key.Words == nil {
		key.Words = strings.Fields(tag.Get("oneOf"))
	}
	key.Bounds = boundsOf(field)
	key.Kind = kindOf(key)
	return key
}

// Get returns the key of that name and whether there is one.
func (s Set) Get(name string) (Key, bool) {
	if i := slices.IndexFunc(s, func(k Key) bool { return k.Name == name }); i >= 0 {
		return s[i], true
	}
	return Key{}, false
}

// Member describes the member of an object with these keys, as Key.Member does.
func (s Set) Member(name string) Key {
	key, _ := s.Get(name)
	key.Name = name
	return key
}

// Names returns the names of the keys.
func (s Set) Names() []string {
	names := make([]string, len(s))
	for i, key := range s {
		names[i] = key.Name
	}
	return names
}

// With returns the keys that have one of the traits.
func (s Set) With(traits Trait) Set {
	return slices.DeleteFunc(slices.Clone(s), func(k Key) bool { return !k.Is(traits) })
}

// IsElsewhere reports whether the value of the key is read into other fields.
func (k Key) IsElsewhere() bool { return k.Field == "_" }

// HasOwnSchema reports whether the type of the values writes its own schema (Schemer).
func (k Key) HasOwnSchema() bool {
	_, own := k.schemer()
	return own
}

// SchemaOf returns the schema of the values of the key from that which its tags make.
func (k Key) SchemaOf(object map[string]any) map[string]any {
	if own, ok := k.schemer(); ok {
		return own.JSONSchema(object)
	}
	return object
}

func (k Key) schemer() (own Schemer, ok bool) {
	own, ok = reflect.Zero(k.Type).Interface().(Schemer)
	return own, ok
}

// Keys returns the keys of an object that is the value of the key, or of each value of a Named key.
func (k Key) Keys() Set {
	switch k.Kind {
	case Object:
		return keysIn(k.Type)
	case Named:
		return keysIn(k.Type.Elem())
	}
	return nil
}

// Member describes a member of an object that is the value of the key, by its name, which for a Named key or Pairs says nothing.
// A member of a value that is not described has the traits of the key. It has no Field.
func (k Key) Member(name string) Key {
	var member Key
	switch k.Kind {
	case Object:
		member = k.Keys().Member(name)
	case Named:
		member = Key{Kind: Object, Type: k.Type.Elem()}
	case Pairs:
		member = k
		member.Kind = Text
	default:
		member = k
	}
	member.Name, member.Field, member.Trait = name, "", member.Trait|k.Trait&inherited
	return member
}
