package domain

import (
	"slices"

	"golang.org/x/text/unicode/norm"
)

// Spelled returns the one of the existing names that a name means: itself, or else the only one with the same
// characters in another normal form of Unicode. Files of macOS have decomposed letters, and models write composed
// ones, which look the same. It returns the name if there is none, or if there are several.
func Spelled[Name ~string](name Name, existing []Name) Name {
	if slices.Contains(existing, name) || isASCII(string(name)) {
		return name
	}
	composed := norm.NFC.String(string(name))
	meant := name
	for _, other := range existing {
		switch {
		case other == meant || norm.NFC.String(string(other)) != composed:
		case meant != name:
			return name // several
		default:
			meant = other
		}
	}
	return meant
}

// IsASCII reports whether a tool has names that no other normal form of Unicode can change.
func (i ToolIdentifier) IsASCII() bool {
	return isASCII(string(i.Toolbox)) && isASCII(string(i.Server)) && isASCII(i.Tool)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
