package definitions

import (
	"strings"

	"mcp-workbench/domain/rawjson"
)

// maxLiteral is the number of characters of a literal or pattern that are shown.
const maxLiteral = 80

// quote returns text as a JSON string, clean, and no longer than any JSON string with the same
// meaning.
func quote(text string) string {
	text = clean(text)
	if !strings.ContainsAny(text, "\"\\\t\n") {
		return `"` + text + `"`
	}
	escape := strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\t", `\t`, "\n", `\n`)
	return `"` + escape.Replace(text) + `"`
}

// quotedLength returns the length of clean text as a JSON string, in bytes.
func quotedLength(text string) int {
	escapes := 0
	for _, c := range []byte(text) {
		if c == '"' || c == '\\' || c == '\n' || c == '\t' {
			escapes++
		}
	}
	return len(text) + escapes + 2
}

// identifier returns the name of a parameter, quoted if it is not an identifier.
func identifier(name string) string {
	for i, c := range []byte(name) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return quote(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

// ParameterName returns the name of a parameter for messages: as in a signature, but cut when it
// is very long.
func ParameterName(name string) string { return identifier(shorten(clean(name), maxLiteral)) }

// toolName returns the name of a tool, quoted if it has signs with a meaning in signatures.
func toolName(name string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@$", r)
	}
	if name == "" || strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) >= 0 {
		return quote(name)
	}
	return name
}

// Literal returns a JSON value as one clean line, and reports whether it is complete.
func Literal(v rawjson.Value) (string, bool) {
	if len(v.Raw) > 8*maxLiteral {
		return "…", false
	}
	var text strings.Builder
	whole := writeLiteral(&text, v)
	if len(text.String()) > 2*maxLiteral {
		return "…", false
	}
	return text.String(), whole
}

func writeLiteral(text *strings.Builder, v rawjson.Value) bool {
	whole := true
	switch v.Kind {
	case '"':
		s := v.Text()
		short := shorten(s, maxLiteral)
		text.WriteString(quote(short))
		whole = short == s && clean(s) == s
	case '{', '[':
		text.WriteByte(v.Raw[0])
		for i, m := range v.Parts {
			if i > 0 {
				text.WriteString(", ")
			}
			if v.Kind == '{' {
				text.WriteString(quote(m.Name) + ": ")
				whole = whole && clean(m.Name) == m.Name
			}
			whole = writeLiteral(text, m.Value) && whole
		}
		text.WriteByte(v.Raw[0] + 2) // '}' and ']' come two after '{' and '['
	case rawjson.TooDeep:
		text.WriteString("…")
		whole = false
	default:
		text.Write(v.Raw)
	}
	return whole
}

// shownName returns a name without what must not be shown, and reports whether it is unchanged.
func shownName(name string) (string, bool) {
	shown := clean(name)
	return shown, shown == name
}
