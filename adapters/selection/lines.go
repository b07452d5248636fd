package selection

import (
	"encoding/json"
	"strings"

	"mcp-workbench/domain/excerpts"
)

// useful is the length in bytes above which a line is too long to be a useful match.
const useful = 2000

// inLines returns the text for a search by lines. JSON with long lines is broken into lines, one
// for each value. It is not indented, since deep nesting would make an indented text larger than
// any bound.
func inLines(payload excerpts.Payload) string {
	if len(payload.Values) == 0 {
		return payload.Text
	}
	for line := range strings.Lines(payload.Text) {
		if len(line) <= useful {
			continue
		}
		var lines []byte
		for _, value := range payload.Values {
			lines = append(appendLines(lines, value), '\n')
		}
		return string(lines)
	}
	return payload.Text
}

// appendLines appends valid JSON as json.Indent without indentation writes it, in a single pass:
// json.Indent takes time of the size times the depth.
func appendLines(to []byte, value json.RawMessage) []byte {
	inString, isFresh := false, false // isFresh is set at the beginning of an object or a list
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case inString:
			to = append(to, c)
			if c == '\\' && i+1 < len(value) {
				i++
				to = append(to, value[i])
			}
			inString = c != '"'
			continue
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			continue
		case c == '}' || c == ']':
			if !isFresh {
				to = append(to, '\n')
			}
		case isFresh:
			to = append(to, '\n')
		}
		to = append(to, c)
		isFresh = c == '{' || c == '['
		switch c {
		case '"':
			inString = true
		case ',':
			to = append(to, '\n')
		case ':':
			to = append(to, ' ')
		}
	}
	return to
}
