package excerpts

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mcp-workbench/domain/rawjson"
)

// Text returns a text in at most limit bytes, the text itself if it fits. It keeps the first lines
// whole, or the beginning of a first line that is too long, and a last line says what is left out.
// A limit below 100 counts as 100.
func Text(text string, limit int) string {
	if limit = max(limit, leastLimit); len(text) <= limit {
		return text
	}
	room := limit - len("\n… 1,234,567,890 more characters in 1,234,567,890 more lines")
	end := strings.LastIndexByte(text[:room+1], '\n') + 1
	if end < room/2 { // whole lines would leave most of the room empty
		for end = room; end > room-utf8.UTFMax && !utf8.RuneStart(text[end]); {
			end--
		}
	}
	shown, rest := text[:end], text[end:]
	left := "… " + counted(utf8.RuneCountInString(rest), "more character")
	if lines := strings.Count(strings.TrimSuffix(rest, "\n"), "\n") + 1; strings.HasSuffix(shown, "\n") {
		left += " in " + counted(lines, "more line")
	} else {
		left = "\n" + left
	}
	return shown + left
}

// appendString appends the beginning of a JSON string, and at its end what is left out. It splits
// neither characters nor escapes.
func appendString(to, quoted []byte, limit int) []byte {
	room := limit - len(`"… 1,234,567,890 more characters"`)
	inner := quoted[1 : len(quoted)-1]
	end := 0
	for end < len(inner) {
		size := characterSize(inner[end:])
		if end+size > room {
			break
		}
		end += size
	}
	more := 0
	for at := end; at < len(inner); at += characterSize(inner[at:]) {
		more++
	}
	to = append(append(to, '"'), inner[:end]...)
	marker := rawjson.Quote("… " + counted(more, "more character"))
	return append(to, marker[1:]...)
}

// characterSize returns how many bytes the first character of the inside of a JSON string takes,
// escaped or not.
func characterSize(inner []byte) int {
	if inner[0] != '\\' {
		_, size := utf8.DecodeRune(inner)
		return size
	}
	const escape = len(`\u0000`)
	switch {
	case len(inner) < 2 || inner[1] != 'u':
		return min(len(inner), len(`\n`))
	case len(inner) >= 2*escape && isSurrogate(inner, "dD", "89abAB") && isSurrogate(inner[escape:], "dD", "cdefCDEF"):
		return 2 * escape
	}
	return min(len(inner), escape)
}

// isSurrogate reports whether the text begins with an escape whose first two digits are among these.
func isSurrogate(text []byte, first, second string) bool {
	return text[0] == '\\' && text[1] == 'u' && strings.IndexByte(first, text[2]) >= 0 && strings.IndexByte(second, text[3]) >= 0
}

// counted returns a number with its noun, as in "1,204 more items".
func counted(count int, noun string) string {
	if count != 1 {
		noun += "s"
	}
	return grouped(count) + " " + noun
}

// grouped returns a number with commas between its thousands.
func grouped(count int) string {
	digits := strconv.Itoa(count)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
