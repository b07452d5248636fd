package definitions

import (
	"strings"
)

// maxLiteral is how many characters of a literal or pattern are shown.
const maxLiteral = 80

// quote writes text as a JSON string, clean, and no longer than any JSON string that
// means the same.
func quote(text string) string {
	text = clean(text)
	if !strings.ContainsAny(text, "\"\\\t\n") {
		return `"` + text + `"`
	}
	escape := strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\t", `\t`, "\n", `\n`)
	return `"` + escape.Replace(text) + `"`
}

// quotedLength is how many bytes text, which is clean, takes as a JSON string.
func quotedLength(text string) int {
	escapes := 0
	for _, c := range []byte(text) {
		if c == '"' || c == '\\' || c == '\n' || c == '\t' {
			escapes++
		}
	}
	return len(text) + escapes + 2
}

// identifier writes the name of a parameter, quoted where it is not an identifier.
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

// toolName writes the name of a tool, quoted where it has signs that a signature
// gives a meaning to.
func toolName(name string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@$", r)
	}
	if name == "" || strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) >= 0 {
		return quote(name)
	}
	return name
}

// literal writes a JSON value in one line, clean, and reports whether that is all
// of it.
func literal(v value) (string, bool) {
	if len(v.raw) > 8*maxLiteral {
		return "…", false
	}
	var text strings.Builder
	whole := writeLiteral(&text, v)
	if len(text.String()) > 2*maxLiteral {
		return "…", false
	}
	return text.String(), whole
}

func writeLiteral(text *strings.Builder, v value) bool {
	whole := true
	switch v.kind {
	case kindString:
		s := v.text()
		short := shorten(s, maxLiteral)
		text.WriteString(quote(short))
		whole = short == s && clean(s) == s
	case kindObject, kindArray:
		text.WriteByte(v.raw[0])
		for i, m := range v.members {
			if i > 0 {
				text.WriteString(", ")
			}
			if v.kind == kindObject {
				text.WriteString(quote(m.name) + ": ")
				whole = whole && clean(m.name) == m.name
			}
			whole = writeLiteral(text, m.value) && whole
		}
		text.WriteByte(v.raw[0] + 2) // "}" and "]" stand two behind "{" and "["
	case kindDeep:
		text.WriteString("…")
		whole = false
	default:
		text.Write(v.raw)
	}
	return whole
}

// shownName returns a name as it may be shown, and whether it is that name still.
func shownName(name string) (string, bool) {
	shown := clean(name)
	return shown, shown == name
}
