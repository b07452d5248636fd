package domain

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// folded returns the same name for names that read alike: in lower case, in the compatibility form
// of its characters (NFKC), without invisible ones, and without spaces around it. Letters of other scripts that look alike are
// not changed.
func folded(name string) string {
	if isPlain(name) {
		return strings.TrimSpace(name)
	}
	// NFKC comes first, since it turns spaces of other widths into plain ones, and last, since
	// invisible characters can separate what it combines.
	return strings.TrimSpace(norm.NFKC.String(foldCase(leaveOutUnseen(norm.NFKC.String(name)))))
}

// isPlain reports whether a name is already folded, as most are.
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

// foldCase goes through upper case, since some lower case letters share theirs.
func foldCase(text string) string {
	return strings.Map(func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }, text)
}
