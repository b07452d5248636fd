package rawjson

import "bytes"

// tagBytes begin the UTF-8 of every character that WithoutTags removes.
var tagBytes = []byte("\xf3\xa0")

// WithoutTags returns JSON text without Unicode tags (U+E0000 to U+E007F) and the selectors
// U+E0100 to U+E01EF, as characters and as escapes: they are invisible and can carry any text.
// If there are none, it returns the same slice. The text must be UTF-8, and stays JSON.
func WithoutTags(text []byte) []byte {
	if !bytes.Contains(text, tagBytes) && !hasHighTag(text) {
		return text
	}
	shown := make([]byte, 0, len(text))
	var high []int // where first halves of pairs begin in shown: a removal may bring two halves together
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == 'u' && i+6 <= len(text):
			escape := text[i : i+6]
			i += 6
			last := len(high) - 1
			if last >= 0 && high[last] == len(shown)-6 && isLowTag(escape) {
				shown, high = shown[:high[last]], high[:last]
				continue
			}
			if isHighTag(escape) {
				high = append(high, len(shown))
			}
			shown = append(shown, escape...)
		case text[i] == '\\' && i+1 < len(text):
			shown = append(shown, text[i], text[i+1])
			i += 2
		case isTag(text[i:]):
			i += 4
		default:
			shown = append(shown, text[i])
			i++
		}
	}
	return shown
}

// isTag reports whether text begins with a character to remove.
func isTag(text []byte) bool {
	if len(text) < 4 || !bytes.HasPrefix(text, tagBytes) || text[3]&0xC0 != 0x80 {
		return false
	}
	switch third := text[2]; {
	case third == 0x80, third == 0x81: // U+E0000 to U+E007F
		return true
	case third >= 0x84 && third <= 0x86: // U+E0100 to U+E01BF
		return true
	case third == 0x87: // U+E01C0 to U+E01EF
		return text[3] <= 0xAF
	}
	return false
}

// hasHighTag reports whether text has an escape that isHighTag accepts.
func hasHighTag(text []byte) bool {
	for {
		i := bytes.Index(text, []byte(`\u`))
		if i < 0 || len(text) < i+6 {
			return false
		}
		if isHighTag(text[i : i+6]) {
			return true
		}
		text = text[i+2:]
	}
}

// isHighTag reports whether an escape is U+DB40, the first half of every character to remove.
func isHighTag(escape []byte) bool { return bytes.EqualFold(escape[2:], []byte("db40")) }

// isLowTag reports whether an escape is the second half of a character to remove: U+DC00 to
// U+DC7F, and U+DD00 to U+DDEF.
func isLowTag(escape []byte) bool {
	digits := bytes.ToLower(escape[2:])
	return bytes.HasPrefix(digits, []byte("dc")) && digits[2] <= '7' || bytes.HasPrefix(digits, []byte("dd")) && digits[2] <= 'e'
}
