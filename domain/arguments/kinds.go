package arguments

import (
	"bytes"
	"math/big"
	"strings"

	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

// types is a set of types that a schema allows; the empty set allows all.
type types uint8

const (
	typeString types = 1 << iota
	typeNumber
	typeInteger
	typeBoolean
	typeNull
	typeArray
	typeObject
)

// typeNames are the names of types in JSON Schema, with their articles.
var typeNames = []struct {
	name, article string
	set           types
}{
	{"string", "a ", typeString},
	{"number", "a ", typeNumber},
	{"integer", "an ", typeInteger},
	{"boolean", "a ", typeBoolean},
	{"null", "", typeNull},
	{"array", "an ", typeArray},
	{"object", "an ", typeObject},
}

// typesOf returns the types that a schema allows: all of them if it names an unknown type.
func typesOf(schema rawjson.Value) types {
	var set types
	kinds := schema.Member("type")
	names := kinds.Texts()
	if len(names) == 0 || kinds.Kind == '[' && len(names) != len(kinds.Parts) {
		return 0
	}
	for _, name := range names {
		known := types(0)
		for _, t := range typeNames {
			if t.name == name {
				known = t.set
			}
		}
		if known == 0 {
			return 0
		}
		set |= known
	}
	if schema.Member("nullable").Kind == 't' {
		set |= typeNull
	}
	return set
}

// allow reports whether a value is of one of the types.
func (t types) allow(v rawjson.Value) bool {
	switch v.Kind {
	case '"':
		return t&typeString != 0
	case '0':
		return t&typeNumber != 0 || t&typeInteger != 0 && mayBeInteger(v.Raw)
	case 't', 'f':
		return t&typeBoolean != 0
	case 'n':
		return t&typeNull != 0
	case '[':
		return t&typeArray != 0
	case '{':
		return t&typeObject != 0
	}
	return true
}

// text returns the types for a sentence: "a string or null".
func (t types) text() string {
	var words []string
	for _, named := range typeNames {
		if t&named.set != 0 {
			words = append(words, named.article+named.name)
		}
	}
	return enumeration(words, "or")
}

// kindText returns the kind of a value for a sentence.
func kindText(v rawjson.Value) string {
	switch v.Kind {
	case '"':
		return "a string"
	case '0':
		text, _ := definitions.Literal(v)
		return "the number " + text
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	case '[':
		return "an array"
	}
	return "an object"
}

// mayBeInteger reports whether a number has no fraction, as 1.0 and 1e2. It is true for numbers
// that are too long to be computed with.
func mayBeInteger(number []byte) bool {
	if !bytes.ContainsAny(number, ".eE") {
		return true
	}
	exact, known := rational(number)
	return !known || exact.IsInt()
}

// rational returns the exact value of a number, unless it is too long to be computed with.
func rational(number []byte) (*big.Rat, bool) {
	text := string(number)
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(text) > 64 || len(exponent) > 4 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// mayEqual reports whether two values are, or could be, equal. Members of objects have no order,
// and 1 equals 1.0.
func mayEqual(a, b rawjson.Value) bool {
	if a.Kind == rawjson.TooDeep || b.Kind == rawjson.TooDeep {
		return true
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case '"':
		return bytes.Equal(a.Raw, b.Raw) || a.Text() == b.Text()
	case '0':
		return mayEqualNumbers(a.Raw, b.Raw)
	case '[':
		if len(a.Parts) != len(b.Parts) {
			return false
		}
		for i := range a.Parts {
			if !mayEqual(a.Parts[i].Value, b.Parts[i].Value) {
				return false
			}
		}
	case '{':
		if a.Repeats() || b.Repeats() {
			return true
		}
		if len(a.Parts) != len(b.Parts) {
			return false
		}
		for _, m := range a.Parts {
			if other := b.Member(m.Name); !other.Exists() || !mayEqual(m.Value, other) {
				return false
			}
		}
	}
	return true
}

func mayEqualNumbers(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	exactA, knownA := rational(a)
	exactB, knownB := rational(b)
	return !knownA || !knownB || exactA.Cmp(exactB) == 0
}
