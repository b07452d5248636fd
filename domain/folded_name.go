package domain

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// folded returns a name by which names that read alike are one: in lower case, in the
// compatibility form of its characters (NFKC), without those that are not seen. Letters of
// other scripts that only look alike stay what they are.
func folded(name string) string {
	if isPlain(name) {
		return name
	}
	// The form comes first, since it turns spaces of other widths into plain ones, and last,
	// since characters that are not seen keep apart what belongs together.
	return norm.NFKC.String(foldCase(leaveOutUnseen(norm.NFKC.String(name))))
}

// isPlain reports whether a name is folded already, as most are.
func isPlain(name string) bool {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c >= 0x7f || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

func leaveOutUnseen(text string) string {
	return strings.Map(func(r rune) rune {
		if Unseen(r) {
			return -1
		}
		return r
	}, text)
}

// foldCase takes the way over upper case, since some lower case letters have one in common.
func foldCase(text string) string {
	return strings.Map(func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }, text)
}
