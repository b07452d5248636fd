package domain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TerminalText returns text for a terminal. Line ends, tabs and visible characters are
// kept. Others (Unseen), and bytes that are not UTF-8, become escapes, so that text can neither
// control the terminal nor hide. Invisible characters are kept where writing needs them, since
// they hide nothing there:
//
//   - spaces of any kind, which show as a space, and CR before LF;
//   - one variation selector after a sign, which chooses between text and picture;
//   - one joiner between two pictures, which makes them one, and one joiner or
//     non-joiner between two letters of a script whose letters join.
//
// More than maxMarks marks on one letter become escapes too, since they would be drawn over
// other lines. TerminalText does not change its own results.
func TerminalText(text string) string { return escapeUnseen(text, needed) }

// ReviewText is TerminalText for a review of the bytes of a text, such as a change of a file:
// every invisible character becomes an escape.
func ReviewText(text string) string {
	return escapeUnseen(text, func(neighbours) bool { return false })
}

// LineText is TerminalText on one line: line ends and tabs become escapes too. It is for foreign text
// within a line of the workbench.
func LineText(text string) string {
	return lineEscapes.Replace(TerminalText(text))
}

// ReviewLine is ReviewText on one line: line ends and tabs become escapes too.
func ReviewLine(text string) string { return lineEscapes.Replace(ReviewText(text)) }

// lineEscapes shows line ends and tabs as escapes.
var lineEscapes = strings.NewReplacer("\r", `\r`, "\n", `\n`, "\t", `\t`)

// OneLine replaces each run of spaces, tabs and line ends in text by one space, and trims it. Other
// kinds of spaces and line ends are kept, for TerminalText to show.
func OneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }), " ")
}

// Brief returns a text of a server as part of a sentence: on one line, and cut.
func Brief(text string) string {
	const longest = 2000
	return CutCharacters(OneLine(text), longest)
}

// CutCharacters returns a text of at most that many characters, with an ellipsis in place of what follows them.
func CutCharacters(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit]) + "…"
}

// CutBytes is CutCharacters for a number of bytes. It cuts between characters.
func CutBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// neighbours are a character and those beside it, 0 for none.
type neighbours struct {
	before, at, behind rune
	beforeThat         rune
}

func escapeUnseen(text string, keep func(neighbours) bool) string {
	first := strings.IndexFunc(text, func(r rune) bool {
		return r == utf8.RuneError || Unseen(r) && r != '\n' && r != '\t' || unicode.Is(unicode.M, r)
	})
	if first < 0 {
		return text
	}
	var shown strings.Builder
	var c neighbours
	marks := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		behind, _ := utf8.DecodeRuneInString(text[i+size:])
		if behind == utf8.RuneError {
			behind = 0 // the end of the text, or no character
		}
		c = neighbours{beforeThat: c.before, before: c.at, at: r, behind: behind}
		if isMark := unicode.Is(unicode.M, r) && !Unseen(r); isMark {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&shown, `\x%02x`, text[i])
			c.at = 0
		case r == '\n', r == '\t', r == '\r' && behind == '\n',
			!Unseen(r) && marks <= maxMarks && (marks != 1 || !strings.ContainsRune("\x00\n\t", c.before)),
			Unseen(r) && keep(c):
			shown.WriteRune(r)
		default:
			shown.WriteString(escaped(r))
		}
		i += size
	}
	return shown.String()
}

// maxMarks is the largest number of marks on one character in any language.
const maxMarks = 8

// escaped returns the escape of a character.
func escaped(r rune) string {
	if r > 0xFFFF {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// needed reports whether writing needs an invisible character at its position.
func needed(c neighbours) bool {
	const asText, asPicture, nonJoiner, joiner, keycap = '\ufe0e', '\ufe0f', '\u200c', '\u200d', '\u20e3'
	switch c.at {
	case asText, asPicture:
		return isSign(c.before) || c.behind == keycap && strings.ContainsRune("0123456789#*", c.before)
	case joiner, nonJoiner:
		if c.at == joiner && isSign(c.behind) && (isSign(c.before) || c.before == asPicture && isSign(c.beforeThat)) {
			return true
		}
		return unicode.In(c.before, joining...) && unicode.In(c.behind, joining...)
	}
	return unicode.Is(unicode.Zs, c.at)
}

// isSign reports whether a character can be a picture.
func isSign(r rune) bool { return r > unicode.MaxASCII && unicode.In(r, unicode.S, unicode.P) }

// joining are scripts in which joiners and non-joiners change how letters are drawn
// (Unicode Standard, chapters 9 and 12).
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
	unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
}
