package definitions

import (
	"bytes"
	"math/big"
	"strings"
)

// types are the types that a schema allows, as a set; none is all.
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

// typeNames are the types by their names in JSON Schema, with their articles.
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

// typesOf returns the types that a schema allows. A type that is unknown may be any.
func typesOf(schema value) types {
	var set types
	kinds := schema.member("type")
	names := kinds.texts()
	if len(names) == 0 || kinds.kind == kindArray && len(names) != len(kinds.members) {
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
	if schema.member("nullable").kind == kindTrue {
		set |= typeNull
	}
	return set
}

// allow reports whether a value is of one of the types.
func (t types) allow(v value) bool {
	switch v.kind {
	case kindString:
		return t&typeString != 0
	case kindNumber:
		return t&typeNumber != 0 || t&typeInteger != 0 && mayBeInteger(v.raw)
	case kindTrue, kindFalse:
		return t&typeBoolean != 0
	case kindNull:
		return t&typeNull != 0
	case kindArray:
		return t&typeArray != 0
	case kindObject:
		return t&typeObject != 0
	}
	return true
}

// text writes the types for a sentence: "a string or null".
func (t types) text() string {
	var words []string
	for _, named := range typeNames {
		if t&named.set != 0 {
			words = append(words, named.article+named.name)
		}
	}
	return listed(words, "or")
}

// kindText writes what a value is for a sentence.
func kindText(v value) string {
	switch v.kind {
	case kindString:
		return "a string"
	case kindNumber:
		return "the number " + shorten(string(v.raw), maxLiteral)
	case kindTrue, kindFalse:
		return "a boolean"
	case kindNull:
		return "null"
	case kindArray:
		return "an array"
	}
	return "an object"
}

// mayBeInteger reports whether a number has no fraction: 1.0 and 1e2 have none. Of one
// with a long exponent that is not found out.
func mayBeInteger(number []byte) bool {
	if !bytes.ContainsAny(number, ".eE") {
		return true
	}
	exact, known := rational(number)
	return !known || exact.IsInt()
}

// rational returns the exact value of a number, unless it is too long to be computed
// with.
func rational(number []byte) (*big.Rat, bool) {
	text := string(number)
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(text) > 64 || len(exponent) > 4 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// mayEqual reports whether two values are, or may be, the same: members of objects have
// no order, and 1 is 1.0.
func mayEqual(a, b value) bool {
	if a.kind == kindDeep || b.kind == kindDeep {
		return true
	}
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case kindString:
		return bytes.Equal(a.raw, b.raw) || a.text() == b.text()
	case kindNumber:
		return mayEqualNumbers(a.raw, b.raw)
	case kindArray:
		if len(a.members) != len(b.members) {
			return false
		}
		for i := range a.members {
			if !mayEqual(a.members[i].value, b.members[i].value) {
				return false
			}
		}
	case kindObject:
		if a.repeats() || b.repeats() {
			return true
		}
		if len(a.members) != len(b.members) {
			return false
		}
		for _, m := range a.members {
			if other := b.member(m.name); !other.exists() || !mayEqual(m.value, other) {
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
