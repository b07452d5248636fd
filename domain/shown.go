package domain

import (
	"fmt"
	"strings"
	"unicode"
)

// ShownText returns text without the characters that must not be shown to a model: C0 controls other
// than tab and newline, terminal escape sequences, and the characters that WithoutTags removes
// (tests/acceptance/CONTRACT.md section 4).
func ShownText(text string) string {
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var shown strings.Builder
	runes := []rune(text)
	for i := 0; i < len(runes); {
		switch {
		case runes[i] == escape:
			i += escapeLength(runes[i:])
		case hidden(runes[i]):
			i++
		default:
			shown.WriteRune(runes[i])
			i++
		}
	}
	return shown.String()
}

const escape = '\x1b'

func hidden(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' || IsTag(r)
}

// IsTag reports whether a character is a Unicode tag or a supplementary variation selector. Both only
// serve to hide text, a byte in each character.
func IsTag(r rune) bool { return r >= 0xE0000 && r <= 0xE007F || r >= 0xE0100 && r <= 0xE01EF }

// WithoutTags returns text without the characters for which IsTag is true.
func WithoutTags(text string) string {
	if strings.IndexFunc(text, IsTag) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if IsTag(r) {
			return -1
		}
		return r
	}, text)
}

// escapeLength returns the length of the escape sequence at the start of runes (ECMA-48: a control
// sequence ends at its final byte, a string at BEL or ST). A sequence without an end is only its
// introducer.
func escapeLength(runes []rune) int {
	if len(runes) < 2 {
		return len(runes)
	}
	switch runes[1] {
	case '[':
		for i := 2; i < len(runes); i++ {
			switch r := runes[i]; {
			case r >= 0x40 && r <= 0x7e:
				return i + 1
			case r < 0x20 || r > 0x3f:
				return 2
			}
		}
		return 2
	case ']', 'P', 'X', '^', '_':
		for i := 2; i < len(runes); i++ {
			if runes[i] == '\a' {
				return i + 1
			}
			if runes[i] == escape && i+1 < len(runes) && runes[i+1] == '\\' {
				return i + 2
			}
		}
		return 2
	}
	if runes[1] >= 0x20 && runes[1] <= 0x7e {
		return 2
	}
	return 1
}

// maxSuspicious is the largest number of characters that are named.
const maxSuspicious = 10

// SuspiciousCharacters names the characters of text that hide or reorder text: those that are Unseen,
// except where writing needs them (see TerminalText). It names each once, in order, up to a
// maximum.
func SuspiciousCharacters(text string) []string {
	return namedCharacters(text, func(c neighbours) bool {
		isLine := c.at == '\n' || c.at == '\t' || c.at == '\r' && c.behind == '\n'
		return !isLine && !needed(c)
	})
}

// SuspiciousName is SuspiciousCharacters for names, which need neither line ends nor spaces other
// than the plain one.
func SuspiciousName(name string) []string {
	return namedCharacters(name, func(c neighbours) bool { return unicode.IsSpace(c.at) || !needed(c) })
}

// SeenName returns the visible part of a name: runs of spaces and line ends become one plain space,
// and other invisible characters are left out. It is "" for a text without visible characters.
func SeenName(name string) string {
	seen := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case Unseen(r):
			return -1
		}
		return r
	}, name)
	return strings.Join(strings.Fields(seen), " ")
}

// namedCharacters names the invisible characters of text for which isMeant is true.
func namedCharacters(text string, isMeant func(neighbours) bool) []string {
	if strings.IndexFunc(text, Unseen) < 0 {
		return nil
	}
	var names []string
	seen := map[rune]bool{}
	runes := []rune(text)
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return 0
		}
		return runes[i]
	}
	for i, r := range runes {
		if !Unseen(r) || seen[r] || !isMeant(neighbours{beforeThat: at(i - 2), before: at(i - 1), at: r, behind: at(i + 1)}) {
			continue
		}
		seen[r] = true
		if len(names) == maxSuspicious {
			return append(names, "…")
		}
		names = append(names, fmt.Sprintf("U+%04X", r))
	}
	return names
}

// Unseen reports whether a character is invisible, or changes how others are shown: control
// characters, line ends and every space except the plain one, characters that reorder text or are
// invisible, variation selectors, tags, and characters without glyphs (private use, and unassigned
// ones except where newer versions of Unicode have pictures). Questions and terminals show them as
// escapes, and warnings name definitions that contain them.
func Unseen(r rune) bool {
	const braille = '\u2800' // the pattern without dots
	switch r {
	case braille, '\U0001107f', '\U00016fe4', '\U0001d159': // a joiner of Brahmi numbers, a filler of Khitan, a note without a head
		return true
	}
	if r >= 0x1F000 && r <= 0x1FAFF {
		return false // pictures, or shown as a box
	}
	return !unicode.IsPrint(r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
