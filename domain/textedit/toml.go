package textedit

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// SetTOML returns the text with the table at the path set to values: texts, numbers,
// booleans, lists, and maps, which become tables below it. A table that exists is
// deleted first; the new one is at the end of the text.
//
// Failures: ErrSyntax; ErrNotEditable when something on the way is no table, or a
// table within a value.
func SetTOML(text []byte, path []string, values map[string]any) ([]byte, error) {
	if _, err := parseTOML(text); err != nil {
		return nil, err
	}
	edited, err := DeleteTOML(text, path)
	if err != nil {
		edited = text
	}
	newLine := layoutOf(text).lineEnd
	table := strings.ReplaceAll(tomlTable(path, values), "\n", newLine)
	if len(edited) > 0 {
		if !bytes.HasSuffix(edited, []byte("\n")) {
			edited = append(slices.Clip(edited), newLine...)
		}
		table = newLine + table
	}
	edited = append(slices.Clip(edited), table...)
	if _, err := parseTOML(edited); err != nil {
		return nil, fmt.Errorf("%w: %q does not fit in", ErrNotEditable, at(path))
	}
	return edited, nil
}

// DeleteTOML returns the text without the table at the path and the tables below it.
// DeleteTOML undoes SetTOML of a table that was not there, but for a line end that was
// missing.
//
// Failures: ErrSyntax; ErrNotFound; ErrNotEditable when it is part of a value.
func DeleteTOML(text []byte, path []string) ([]byte, error) {
	before, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	if !hasTable(before, path) {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, at(path))
	}
	out := slices.Clone(text)
	for _, part := range slices.Backward(tomlParts(text, path)) {
		out = splice(out, part.start, part.end, "")
	}
	after, err := parseTOML(out)
	if err != nil || hasTable(after, path) {
		return nil, fmt.Errorf("%w: %q is part of a value", ErrNotEditable, at(path))
	}
	return out, nil
}

// parseTOML decodes a text. Its failures show nothing of the text.
func parseTOML(text []byte) (map[string]any, error) {
	if err := checkEncoding(text); err != nil {
		return nil, err
	}
	var decoded map[string]any
	if err := toml.Unmarshal(bytes.TrimPrefix(text, []byte(byteOrderMark)), &decoded); err != nil {
		return nil, fmt.Errorf("%w: it is not TOML", ErrSyntax)
	}
	return decoded, nil
}

func hasTable(in map[string]any, path []string) bool {
	value, ok := in[path[0]]
	if !ok || len(path) == 1 {
		return ok
	}
	next, ok := value.(map[string]any)
	return ok && hasTable(next, path[1:])
}

// part is a stretch of a text.
type part struct{ start, end int }

// tomlParts returns the lines that make a table and what is below it, in order: the
// headers, and the keys under them or elsewhere.
func tomlParts(text []byte, path []string) []part {
	marked := len(text) - len(bytes.TrimPrefix(text, []byte(byteOrderMark)))
	parser := unstable.Parser{}
	parser.Reset(text[marked:])
	var parts []part
	var table []string
	for parser.NextExpression() {
		node := parser.Expression()
		names, first := tomlKey(node)
		start := first + marked
		var end int
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = names
			end, _ = lineEnd(text, start)
		case unstable.KeyValue:
			names = slices.Concat(table, names)
			end, _ = lineEnd(text, marked+int(node.Raw.Offset+node.Raw.Length)-1)
		default:
			continue
		}
		if len(names) < len(path) || !slices.Equal(names[:len(path)], path) {
			continue
		}
		start, _ = lineStart(text, start)
		if node.Kind != unstable.KeyValue {
			start = blankLineBefore(text, start)
		}
		parts = append(parts, part{start: start, end: end})
	}
	return parts
}

// tomlKey returns the names of a key or a header, and where the first one is.
func tomlKey(node *unstable.Node) (names []string, offset int) {
	for key := node.Key(); key.Next(); {
		if names == nil {
			offset = int(key.Node().Raw.Offset)
		}
		names = append(names, string(key.Node().Data))
	}
	return names, offset
}

// blankLineBefore returns where the blank line before a line begins, or the line
// itself.
func blankLineBefore(text []byte, start int) int {
	if start == 0 {
		return start
	}
	if before, blank := lineStart(text, start-1); blank && len(bytes.TrimSpace(text[before:start])) == 0 {
		return before
	}
	return start
}

// tomlTable writes a table: its own keys by name, then the tables below it.
func tomlTable(path []string, values map[string]any) string {
	var own, below strings.Builder
	fmt.Fprintf(&own, "[%s]\n", tomlPath(path))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		switch value := values[key].(type) {
		case map[string]any:
			below.WriteString("\n" + tomlTable(append(slices.Clone(path), key), value))
		case map[string]string:
			texts := make(map[string]any, len(value))
			for name, text := range value {
				texts[name] = text
			}
			below.WriteString("\n" + tomlTable(append(slices.Clone(path), key), texts))
		default:
			fmt.Fprintf(&own, "%s = %s\n", tomlName(key), tomlValue(value))
		}
	}
	return own.String() + below.String()
}

// tomlValue writes a value on one line.
func tomlValue(value any) string {
	switch value := value.(type) {
	case string:
		return tomlString(value)
	case []string:
		items := make([]string, len(value))
		for i, item := range value {
			items[i] = tomlString(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case []any:
		items := make([]string, len(value))
		for i, item := range value {
			items[i] = tomlValue(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		items := make([]string, 0, len(value))
		for _, key := range slices.Sorted(maps.Keys(value)) {
			items = append(items, tomlName(key)+" = "+tomlValue(value[key]))
		}
		return "{ " + strings.Join(items, ", ") + " }"
	}
	return fmt.Sprint(value) // a number or a boolean; anything else is found when the result is parsed
}

func tomlPath(path []string) string {
	names := make([]string, len(path))
	for i, name := range path {
		names[i] = tomlName(name)
	}
	return strings.Join(names, ".")
}

// tomlName writes a key: bare where TOML allows it, else quoted.
func tomlName(name string) string {
	bare := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !bare(r) }) < 0 {
		return name
	}
	return tomlString(name)
}

// tomlString writes a basic string.
func tomlString(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\t':
			out.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			out.WriteString(`\u00` + strconv.FormatInt(0x100+int64(r), 16)[1:])
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
