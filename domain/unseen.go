package domain

import "unicode"

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
