package mcpclient

import (
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// suspicious returns the members of a definition with characters that hide or reorder text, and the
// characters: "description: U+200B". It returns "" for none. Name is the definition's.
func suspicious(name string, definition []byte) string {
	inName := domain.SuspiciousName(name)
	if isPlain(definition) && inName == nil {
		return ""
	}
	var members []string
	found := map[string][]string{}
	// The definition was scanned before.
	_ = rawjson.EachMember(definition, func(member, value []byte) error {
		known := domain.MemberName(string(member))
		add := func(characters []string) {
			for _, character := range characters {
				if found[known] == nil {
					members = append(members, known)
				}
				if !slices.Contains(found[known], character) && len(found[known]) <= maxNamed {
					found[known] = append(found[known], character)
				}
			}
		}
		add(domain.SuspiciousName(string(member)))
		if known == "name" {
			add(inName)
		}
		rawjson.EachString(value, func(quoted []byte) {
			if !isPlain(quoted) {
				add(domain.SuspiciousCharacters(rawjson.Text(quoted)))
			}
		})
		return nil
	})
	parts := make([]string, len(members))
	for i, member := range members {
		parts[i] = member + ": " + strings.Join(found[member], ", ")
	}
	return strings.Join(parts, "; ")
}

// maxNamed is the number of characters of a member that are named before "…".
const maxNamed = 10

// isPlain reports whether JSON text is ASCII with no escapes but those of line ends, tabs, quotation
// marks, slashes and backslashes, as most definitions are.
func isPlain(text []byte) bool {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] >= 0x7f:
			return false
		case text[i] == '\\' && i+1 < len(text):
			i++
			if !strings.ContainsRune(`nt"\/`, rune(text[i])) {
				return false
			}
		}
	}
	return true
}
