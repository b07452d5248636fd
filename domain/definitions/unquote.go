package definitions

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote decodes a JSON string. What is not UTF-8 becomes a question mark, which is
// no longer than what it stands for. Escapes are decoded here, since encoding/json
// takes a tenth of the time of a whole toolbox for them.
func unquote(quoted []byte) string {
	inside := strings.ToValidUTF8(string(quoted[1:len(quoted)-1]), "?")
	escape := strings.IndexByte(inside, '\\')
	if escape < 0 {
		return inside
	}
	var text strings.Builder
	text.Grow(len(inside))
	for ; escape >= 0; escape = strings.IndexByte(inside, '\\') {
		text.WriteString(inside[:escape])
		var decoded rune
		decoded, inside = unescape(inside[escape+1:])
		text.WriteRune(decoded)
	}
	text.WriteString(inside)
	return text.String()
}

// unescape decodes an escape, behind its backslash, and returns what follows it. Half
// of a surrogate pair stands for no character.
func unescape(escape string) (decoded rune, rest string) {
	decoded, rest = rune(escape[0]), escape[1:]
	switch decoded {
	case 'b':
		decoded = '\b'
	case 'f':
		decoded = '\f'
	case 'n':
		decoded = '\n'
	case 'r':
		decoded = '\r'
	case 't':
		decoded = '\t'
	case 'u':
		decoded, rest = unit(rest)
		if !utf16.IsSurrogate(decoded) {
			return decoded, rest
		}
		if strings.HasPrefix(rest, `\u`) {
			second, behind := unit(rest[2:])
			if pair := utf16.DecodeRune(decoded, second); pair != utf8.RuneError {
				return pair, behind
			}
		}
		decoded = utf8.RuneError
	}
	return decoded, rest
}

// unit reads the four digits of an escaped UTF-16 unit.
func unit(digits string) (value rune, rest string) {
	// The text was found to be JSON before.
	n, _ := strconv.ParseUint(digits[:4], 16, 16)
	return rune(n), digits[4:]
}
