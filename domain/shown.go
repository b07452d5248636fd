package domain

import (
	"fmt"
	"strings"
)

// ShownText returns text without the characters that must not be shown to a
// model: C0 controls other than tab and newline, terminal escape sequences, and
// Unicode tag characters (tests/acceptance/CONTRACT.md section 4).
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
	control := r < 0x20 && r != '\t' && r != '\n'
	tag := r >= 0xE0000 && r <= 0xE007F
	return control || tag
}

// escapeLength returns how many runes the escape sequence at the start of runes
// takes (ECMA-48: a control sequence ends at its final byte, a string at BEL or
// ST). A sequence that never ends takes its introducer only.
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

// SuspiciousCharacters names the characters of text that reorder or hide what is
// shown (bidirectional controls, zero-width characters), each once, in order.
func SuspiciousCharacters(text string) []string {
	var names []string
	seen := map[rune]bool{}
	for _, r := range text {
		if suspicious(r) && !seen[r] {
			seen[r] = true
			names = append(names, fmt.Sprintf("U+%04X", r))
		}
	}
	return names
}

func suspicious(r rune) bool {
	switch {
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E:
		return true
	case r >= 0x2060 && r <= 0x2064, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return r == 0x061C || r == 0x180E || r == 0xFEFF
}
