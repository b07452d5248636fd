package textedit

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain/jsonsyntax"
)

// SetYAML returns the text with an entry of a section set to a JSON object. The path has two names: the
// section, which is a member of the text, and the entry, which is a member of the section or, if that is a
// list, the element with that "name". An existing entry keeps its place. A new one becomes the last; a
// missing section becomes the last of the text, as a list if isList is set.
//
// Failures: ErrSyntax; ErrNotEditable if lines cannot be added or replaced without changing others: for
// a section in braces, on one line, with an anchor or an alias.
func SetYAML(text []byte, path []string, value json.RawMessage, isList bool) ([]byte, error) {
	return editYAML(text, path, value, func(d *yamlDocument) ([]byte, error) { return d.set(path, value, isList) })
}

// DeleteYAML returns the text without an entry of a section. If a list has several of that name, all are
// deleted. Comments before an entry stay. DeleteYAML undoes SetYAML of a new entry, except for a section
// that was created for it and a missing line end.
//
// Failures: ErrSyntax; ErrNotFound; ErrNotEditable as for SetYAML.
func DeleteYAML(text []byte, path []string) ([]byte, error) {
	return editYAML(text, path, nil, func(d *yamlDocument) ([]byte, error) { return d.remove(path) })
}

// editYAML edits a text without its byte order mark, and checks that only the entry differs in the result.
func editYAML(text []byte, path []string, value json.RawMessage, edit func(*yamlDocument) ([]byte, error)) ([]byte, error) {
	before, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	edited, err := edit(before)
	if err != nil {
		return nil, err
	}
	after, err := parseYAML(edited)
	if err != nil || !slices.Equal(before.others(path), after.others(path)) || !after.has(path, value) {
		return nil, fmt.Errorf("%w: changing %q would change other parts, too", ErrNotEditable, at(path))
	}
	if len(before.text) < len(text) {
		edited = append([]byte(byteOrderMark), edited...)
	}
	return edited, nil
}

// section returns the section of a path if its entries are on lines of their own, nil if there is none.
func (d *yamlDocument) section(path []string) (*yamlNode, error) {
	for i := 0; i+1 < len(d.root.nodes); i += 2 {
		key, in := d.root.nodes[i], d.root.nodes[i+1]
		if key.text != path[0] {
			continue
		}
		isCollection := in.kind == yamlMapping || in.kind == yamlList
		switch {
		case in.anchor != "" || !isCollection && !in.isNull(),
			isCollection && len(in.nodes) > 0 && in.isFlow,
			slices.ContainsFunc(d.entries(in), func(e yamlEntry) bool { return e.indent < 0 }):
			return nil, fmt.Errorf("%w: %q does not have each entry on lines of its own", ErrNotEditable, path[0])
		}
		return in, nil
	}
	if d.root.isFlow {
		return nil, fmt.Errorf("%w: it is in braces", ErrNotEditable)
	}
	return nil, nil
}

// set implements SetYAML.
func (d *yamlDocument) set(path []string, value json.RawMessage, isList bool) ([]byte, error) {
	in, err := d.section(path)
	if err != nil {
		return nil, err
	}
	if in == nil {
		lines, err := d.written(path[1], value, isList, 2)
		return d.insert(len(d.starts)-1, path[0]+":\n"+lines), err
	}
	entries := d.entries(in)
	if len(entries) == 0 {
		return d.setFirst(path, value, isList)
	}
	lines, err := d.written(path[1], value, in.kind == yamlList, entries[0].indent)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(entries, func(e yamlEntry) bool { return e.name == path[1] }); i >= 0 {
		cut := d.cut(entries[i])
		return splice(d.text, cut.start, cut.end, d.ends(lines)), nil
	}
	end := d.cut(entries[len(entries)-1]).end
	line, _ := slices.BinarySearch(d.starts, end)
	return d.insert(line, lines), nil
}

// setFirst adds an entry to a section that has none: nothing, null, {} or [].
func (d *yamlDocument) setFirst(path []string, value json.RawMessage, isList bool) ([]byte, error) {
	lines, err := d.written(path[1], value, isList, 2)
	if err != nil {
		return nil, err
	}
	key := slices.IndexFunc(d.root.nodes, func(n *yamlNode) bool { return n.text == path[0] })
	line := d.root.nodes[key].line
	head, _, found := strings.Cut(d.line(line), ":")
	if rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(d.line(line), head), ":")); !found ||
		!slices.Contains([]string{"", "{}", "[]", "null", "~"}, rest) {
		return nil, fmt.Errorf("%w: %q has a comment or spans lines", ErrNotEditable, path[0])
	}
	return splice(d.text, d.starts[line], d.starts[line+1], d.ends(head+":\n"+lines)), nil
}

// remove implements DeleteYAML.
func (d *yamlDocument) remove(path []string) ([]byte, error) {
	in, err := d.section(path)
	if err != nil {
		return nil, err
	}
	var entries []yamlEntry
	if in != nil {
		entries = d.entries(in)
	}
	out, left := d.text, len(entries)
	for _, entry := range slices.Backward(entries) {
		if entry.name == path[1] {
			cut := d.cut(entry)
			out = splice(out, cut.start, cut.end, "")
			left--
		}
	}
	if left == len(entries) {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, at(path))
	}
	if left > 0 {
		return out, nil
	}
	empty := " {}"
	if in.kind == yamlList {
		empty = " []"
	}
	key := slices.IndexFunc(d.root.nodes, func(n *yamlNode) bool { return n.text == path[0] })
	line := d.line(d.root.nodes[key].line)
	colon := strings.Index(line, ":")
	if colon < 0 || strings.TrimSpace(line[colon+1:]) != "" && !strings.HasPrefix(strings.TrimSpace(line[colon+1:]), "#") {
		return nil, fmt.Errorf("%w: %q is not on a line of its own", ErrNotEditable, path[0])
	}
	behind := d.starts[d.root.nodes[key].line] + colon + 1
	return splice(out, behind, behind, empty), nil
}

// cut returns the lines of an entry, without the blank lines after it and the comments after it that are
// not indented more.
func (d *yamlDocument) cut(entry yamlEntry) part {
	end := max(d.endOf(entry.value), entry.line+1)
	for end > entry.line+1 {
		line := d.line(end - 1)
		trimmed := strings.TrimLeft(line, " ")
		if strings.TrimSpace(line) != "" && (!strings.HasPrefix(trimmed, "#") || len(line)-len(trimmed) > entry.indent) {
			break
		}
		end--
	}
	return part{start: d.starts[entry.line], end: d.starts[end]}
}

// insert adds lines before a line.
func (d *yamlDocument) insert(line int, lines string) []byte {
	offset := d.starts[line]
	if offset > 0 && d.text[offset-1] != '\n' {
		lines = "\n" + lines
	}
	return splice(d.text, offset, offset, d.ends(lines))
}

// ends gives lines the line ends of the text.
func (d *yamlDocument) ends(lines string) string {
	return strings.ReplaceAll(lines, "\n", d.layout.lineEnd)
}

// others are the entries of the section, and of the text beside it, that an edit of a path must not change,
// as names and values.
func (d *yamlDocument) others(path []string) []string {
	var others []string
	for i := 0; i+1 < len(d.root.nodes); i += 2 {
		key, in := d.root.nodes[i], d.root.nodes[i+1]
		if key.text != path[0] {
			others = append(others, dumped(key)+dumped(in))
			continue
		}
		for _, entry := range d.entries(in) {
			if entry.name != path[1] {
				others = append(others, entry.name+dumped(entry.value))
			}
		}
	}
	return others
}

// dumped writes a node and those in it, with what distinguishes them.
func dumped(node *yamlNode) string {
	var text strings.Builder
	node.walk(func(n *yamlNode) {
		fmt.Fprintf(&text, "%d %q %q %q %T %d,", n.kind, n.tag, n.anchor, n.text, n.scalar, len(n.nodes))
	})
	return text.String()
}

// has reports whether the entry at a path has a JSON value or, if want is nil, whether there is no entry.
func (d *yamlDocument) has(path []string, want json.RawMessage) bool {
	in := d.root.value(path[0])
	if in == nil {
		return want == nil
	}
	for _, entry := range d.entries(in) {
		if entry.name != path[1] {
			continue
		}
		got, err := entry.value.json()
		var first, other any
		return err == nil && want != nil && json.Unmarshal(got, &first) == nil && json.Unmarshal(want, &other) == nil &&
			fmt.Sprintf("%#v", first) == fmt.Sprintf("%#v", other)
	}
	return want == nil
}

// written writes an entry at an indentation.
func (d *yamlDocument) written(name string, value json.RawMessage, isList bool, indent int) (string, error) {
	object, problem := jsonsyntax.Parse(value)
	if problem != nil || object.Value.Kind() != '{' {
		return "", fmt.Errorf("%w: %q is not set to an object", ErrNotEditable, name)
	}
	space := strings.Repeat(" ", indent)
	lines := yamlLines(object, indent+2)
	if !isList {
		return space + yamlText(name) + ":\n" + lines, nil
	}
	return space + "- " + strings.TrimLeft(lines, " "), nil
}

// yamlLines writes the members of an object, each on lines of its own.
func yamlLines(object hujson.Value, indent int) string {
	var lines strings.Builder
	space := strings.Repeat(" ", indent)
	for _, member := range members(object) {
		name, _ := member.Name.Value.(hujson.Literal)
		lines.WriteString(space + yamlText(name.String()) + ":")
		list, isList := member.Value.Value.(*hujson.Array)
		switch {
		case member.Value.Value.Kind() == '{' && len(members(member.Value)) > 0:
			lines.WriteString("\n" + yamlLines(member.Value, indent+2))
		case isList && len(list.Elements) > 0:
			lines.WriteString("\n")
			for _, element := range list.Elements {
				lines.WriteString(space + "  - " + yamlValue(element) + "\n")
			}
		default:
			lines.WriteString(" " + yamlValue(member.Value) + "\n")
		}
	}
	return lines.String()
}

// yamlValue writes a value on one line.
func yamlValue(value hujson.Value) string {
	if literal, ok := value.Value.(hujson.Literal); ok && literal.Kind() == '"' {
		return yamlText(literal.String())
	}
	value = value.Clone()
	value.Minimize()
	return escapeControls(string(value.Pack()))
}

// yamlText writes a string, without quotes if no reader can take it for something else.
func yamlText(text string) string {
	isPlain := regexp.MustCompile(`^[A-Za-z_/][A-Za-z0-9_./-]*$`).MatchString(text)
	isWord := slices.Contains([]string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}, strings.ToLower(text))
	if isPlain && !isWord {
		return text
	}
	return quote(text)
}
