package domain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRead is how many characters of a text are read for a quotation.
const maxRead = 1000

// Quotable returns words of someone else, to put between quotation marks, as one visible line of at most that many characters, "" for none, without
// characters of markup, those that a listing is made of, and names at its borders.
func Quotable(text string, limit int, names []string) string {
	text = SeenName(strings.Map(func(r rune) rune {
		switch {
		case r == '\u2019':
			return '\''
		case strings.ContainsRune("`*#<>[]{}|\\", r):
			return -1
		case strings.ContainsRune(`;:"；：＂`, r) || unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf):
			return ' '
		}
		return r
	}, cutText(text, maxRead)))
	for whole := ""; whole != text; {
		whole = text
		text = cutText(text, limit)
		for _, name := range names {
			text = withoutBorder(text, name)
		}
	}
	return text
}

// withoutBorder returns a text without a name as its first and its last word.
func withoutBorder(text, name string) string {
	const around = " .,!?'-–—…"
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	if bare := strings.TrimLeft(text, around); len(bare) >= len(name) && strings.EqualFold(bare[:len(name)], name) {
		if next, _ := utf8.DecodeRuneInString(bare[len(name):]); !inWord(next) {
			text = strings.TrimLeft(bare[len(name):], around)
		}
	}
	if bare := strings.TrimRight(text, around); len(bare) >= len(name) && strings.EqualFold(bare[len(bare)-len(name):], name) {
		if last, _ := utf8.DecodeLastRuneInString(bare[:len(bare)-len(name)]); !inWord(last) {
			text = strings.TrimRight(bare[:len(bare)-len(name)], around)
		}
	}
	return text
}

// cutText ends a text after a number of characters, "" for too few.
func cutText(text string, limit int) string {
	switch {
	case utf8.RuneCountInString(text) <= limit:
		return text
	case limit < 2:
		return ""
	}
	return strings.TrimSpace(string([]rune(text)[:limit-1])) + "…"
}
