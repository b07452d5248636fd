package textedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// setTOML is the Set of TOML. Objects in the value become tables below that at the path. An existing table is deleted
// first; the new one comes at the end of the text.
func setTOML(text []byte, path []string, value json.RawMessage) ([]byte, error) {
	var values map[string]any
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber() // an integer stays one
	if err := decoder.Decode(&values); err != nil {
		return nil, fmt.Errorf("%w: %q is not set to an object", ErrNotEditable, at(path))
	}
	if _, err := parseTOML(text); err != nil {
		return nil, err
	}
	edited, err := deleteTOML(text, path)
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
	// A table of a list takes new tables into its last element.
	if after, err := parseTOML(edited); err != nil || !hasTable(after, path) {
		return nil, fmt.Errorf("%w: adding %q would break it", ErrNotEditable, at(path))
	}
	return edited, nil
}

// deleteTOML is the Delete of TOML, which deletes the tables below the one at the path, too.
func deleteTOML(text []byte, path []string) ([]byte, error) {
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

// readTOML is the Read of TOML.
func readTOML(text []byte, path []string) ([]Member, error) {
	in, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	for depth, name := range path {
		value, there := in[name]
		if !there {
			return nil, nil
		}
		next, ok := value.(map[string]any)
		if tables, isList := value.([]any); isList && depth == len(path)-1 {
			return tomlElements(tables, at(path))
		}
		if !ok {
			return nil, fmt.Errorf("%w: %q is not a table", ErrNotEditable, at(path[:depth+1]))
		}
		in = next
	}
	var read []Member
	for _, name := range tomlOrder(text, path, slices.Sorted(maps.Keys(in))) {
		value, err := json.Marshal(in[name])
		if err != nil {
			return nil, fmt.Errorf("%w: %q has a value that JSON does not have", ErrNotEditable, at(append(slices.Clone(path), name)))
		}
		read = append(read, Member{Name: name, Value: value})
	}
	return read, nil
}

// tomlElements returns the elements of a list of tables.
func tomlElements(tables []any, name string) ([]Member, error) {
	list := make([]json.RawMessage, len(tables))
	for i, table := range tables {
		var err error
		if list[i], err = json.Marshal(table); err != nil {
			return nil, fmt.Errorf("%w: %q has a value that JSON does not have", ErrNotEditable, name)
		}
	}
	return elements(list), nil
}

// tomlOrder sorts names of a table by their first appearance.
func tomlOrder(text []byte, path, names []string) []string {
	first := map[string]int{}
	for expression := range tomlExpressions(text) {
		in := expression.path
		if len(in) > len(path) && slices.Equal(in[:len(path)], path) {
			if _, seen := first[in[len(path)]]; !seen {
				first[in[len(path)]] = expression.start
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return first[a] - first[b] })
	return names
}

// parseTOML decodes a text. Its failures do not show the text.
func parseTOML(text []byte) (map[string]any, error) {
	if err := checkEncoding(text); err != nil {
		return nil, err
	}
	var decoded map[string]any
	if err := toml.Unmarshal(bytes.TrimPrefix(text, []byte(byteOrderMark)), &decoded); err != nil {
		return nil, fmt.Errorf("%w: it is not TOML%s", ErrSyntax, placeInTOML(err))
	}
	return decoded, nil
}

// placeInTOML returns where a text stops being TOML. The decoder's own message may show a value.
func placeInTOML(err error) string {
	wrong, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return ""
	}
	line, column := wrong.Position()
	return fmt.Sprintf(" at line %d, column %d%s", line, column, twice(err))
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

// tomlParts returns the lines of a table and of what is below it, in order: the headers, and
// the keys under them or elsewhere.
func tomlParts(text []byte, path []string) []part {
	var parts []part
	for expression := range tomlExpressions(text) {
		if len(expression.path) < len(path) || !slices.Equal(expression.path[:len(path)], path) {
			continue
		}
		start, _ := lineStart(text, expression.start)
		last := expression.end - 1
		if !expression.isKey {
			last = expression.start
			start = blankLineBefore(text, start)
		}
		end, _ := lineEnd(text, last)
		parts = append(parts, part{start: start, end: end})
	}
	return parts
}

// tomlExpression is the header of a table, or a key with its value.
type tomlExpression struct {
	// path is the table or the key, with the tables that it is in.
	path  []string
	isKey bool
	// start is where its first name begins, and end where the value of a key ends.
	start, end int
	// value is that of a key, until the next expression.
	value *unstable.Node
}

// tomlExpressions returns the headers and keys of a text that was parsed, in order.
func tomlExpressions(text []byte) iter.Seq[tomlExpression] {
	return func(yield func(tomlExpression) bool) {
		body := bytes.TrimPrefix(text, []byte(byteOrderMark))
		offset := len(text) - len(body)
		parser := unstable.Parser{}
		parser.Reset(body)
		var table []string
		for parser.NextExpression() {
			node := parser.Expression()
			e := tomlExpression{isKey: node.Kind == unstable.KeyValue, start: -1, end: offset + int(node.Raw.Offset+node.Raw.Length)}
			for key := node.Key(); key.Next(); {
				name := key.Node()
				if e.start < 0 {
					e.start = offset + int(name.Raw.Offset)
				}
				e.path = append(e.path, string(name.Data))
			}
			if e.isKey {
				e.path, e.value = slices.Concat(table, e.path), node.Value()
			} else {
				table = e.path
			}
			if !yield(e) {
				return
			}
		}
	}
}

// blankLineBefore returns the start of the blank line before a line, or that of the line.
func blankLineBefore(text []byte, start int) int {
	if start == 0 {
		return start
	}
	if before, _ := lineStart(text, start-1); len(bytes.TrimSpace(text[before:start])) == 0 {
		return before
	}
	return start
}

// tomlTable writes a table: its own keys by name, then the tables below it.
func tomlTable(path []string, values map[string]any) string {
	var own, below strings.Builder
	fmt.Fprintf(&own, "[%s]\n", tomlPath(path))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if table, ok := values[key].(map[string]any); ok {
			below.WriteString("\n" + tomlTable(append(slices.Clone(path), key), table))
		} else {
			fmt.Fprintf(&own, "%s = %s\n", tomlName(key), tomlValue(values[key]))
		}
	}
	return own.String() + below.String()
}

// tomlValue writes a value of JSON on one line.
func tomlValue(value any) string {
	switch value := value.(type) {
	case string:
		return quote(value)
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
	return fmt.Sprint(value) // a number or a boolean; the result is parsed, which refuses null
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
	const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	if name != "" && strings.Trim(name, bare) == "" {
		return name
	}
	return quote(name)
}

// maskTOML is the Mask of TOML.
func maskTOML(text []byte, show func(Value) string) []byte {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if _, err := parseTOML(text); err != nil {
		return nil
	}
	var values []located
	for expression := range tomlExpressions(text) {
		if expression.isKey {
			collectTOML(expression.value, Value{Path: expression.path}, &values)
		}
	}
	return masked(text, values, show)
}

// collectTOML appends the values in a value.
func collectTOML(node *unstable.Node, at Value, found *[]located) {
	index := 0
	switch node.Kind {
	case unstable.InlineTable:
		for children := node.Children(); children.Next(); {
			path := slices.Clip(at.Path)
			for key := children.Node().Key(); key.Next(); {
				path = append(path, string(key.Node().Data))
			}
			collectTOML(children.Node().Value(), Value{Path: path}, found)
		}
	case unstable.Array:
		for children := node.Children(); children.Next(); index++ {
			collectTOML(children.Node(), Value{Path: append(slices.Clip(at.Path), strconv.Itoa(index))}, found)
		}
	default:
		at.Text = string(node.Data)
		*found = append(*found, located{at, part{int(node.Raw.Offset), int(node.Raw.Offset + node.Raw.Length)}})
	}
}
