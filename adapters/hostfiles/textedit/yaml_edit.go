package textedit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain/rawjson"
)

// setYAML is the Set of YAML. The path has two names: the section, which is a member of the text, and the entry, which is a
// member of the section or, if that is a list, the element with that "name". An existing entry keeps its place. A new one
// becomes the last; a missing section becomes the last of the text, as a list if isList is set. Lines that cannot be added or
// replaced without changing others are refused: in a section in braces, on one line, with an anchor or an alias. A new entry
// whose lines would change the one before them, such as a block of text, becomes the first.
func setYAML(isList bool) func(text []byte, path []string, value json.RawMessage) ([]byte, error) {
	return func(text []byte, path []string, value json.RawMessage) ([]byte, error) {
		return editYAML(text, path, value, func(d *yamlDocument) ([][]byte, error) { return d.set(path, value, isList) })
	}
}

// deleteYAML is the Delete of YAML. Comments before an entry stay, and so do blank lines after it unless they would change
// the entry before it.
func deleteYAML(text []byte, path []string) ([]byte, error) {
	return editYAML(text, path, nil, func(d *yamlDocument) ([][]byte, error) { return d.remove(path) })
}

// editYAML edits a text without its byte order mark, and returns the first of the results in which only the entry differs.
func editYAML(text []byte, path []string, value json.RawMessage, edit func(*yamlDocument) ([][]byte, error)) ([]byte, error) {
	before, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	results, err := edit(before)
	if err != nil {
		return nil, err
	}
	others, _ := before.meaning(path)
	for _, edited := range results {
		after, err := parseYAML(edited)
		if err != nil {
			continue
		}
		kept, entry := after.meaning(path)
		if others != "" && others == kept && (entry == nil && value == nil || entry != nil && value != nil && isSameJSON(entry, value)) {
			if len(before.text) < len(text) {
				edited = append([]byte(byteOrderMark), edited...)
			}
			return edited, nil
		}
	}
	return nil, fmt.Errorf("%w: changing %q would change other parts, too", ErrNotEditable, at(path))
}

// meaning returns what a text says besides an entry, "" if that is too large, and the first value of the entry
// as JSON, nil for none.
func (d *yamlDocument) meaning(path []string) (others string, entry json.RawMessage) {
	left := maxYAMLValue
	var values []any
	for _, section := range d.root.members() {
		if section.name != path[0] {
			values = append(values, section.name, section.value.decoded(&left))
			continue
		}
		for _, member := range section.value.members() {
			if member.name != path[1] {
				values = append(values, member.name, member.value.decoded(&left))
			} else if entry == nil {
				entry, _ = member.value.json() // null if it is too large
			}
		}
	}
	if left <= 0 {
		return "", entry
	}
	return fmt.Sprintf("%#v", values), entry
}

// isSameJSON reports whether two texts have the same value.
func isSameJSON(a, b json.RawMessage) bool {
	var first, second any
	return json.Unmarshal(a, &first) == nil && json.Unmarshal(b, &second) == nil && reflect.DeepEqual(first, second)
}

// yamlSection is a member of a text whose entries are on lines of their own.
type yamlSection struct {
	key     *yamlNode
	isList  bool
	entries []yamlEntry
}

// yamlEntry is an entry of a section: its lines, without the blank lines after it and the comments after it that
// are not indented more, and the column of its key or dash.
type yamlEntry struct {
	part
	name   string
	indent int
}

// section returns the section of a path, nil if there is none.
func (d *yamlDocument) section(path []string) (*yamlSection, error) {
	members := d.root.members()
	i := slices.IndexFunc(members, func(m yamlMember) bool { return m.name == path[0] })
	switch {
	case i < 0 && d.root.isInline:
		return nil, fmt.Errorf("%w: it is in braces", ErrNotEditable)
	case i < 0:
		return nil, nil
	}
	in, end := members[i].value, d.end()
	if i+1 < len(members) {
		end, _ = lineStart(d.text, members[i+1].start)
	}
	section := &yamlSection{key: d.root.nodes[2*i], isList: in.kind == yamlList}
	mark := ""
	if section.isList {
		mark = "-"
	}
	refused := fmt.Errorf("%w: %q does not have each entry on lines of its own", ErrNotEditable, path[0])
	if in.isInline || in.kind == yamlScalar && !in.isNull() {
		return nil, refused
	}
	for _, member := range slices.Backward(in.members()) {
		start, _ := lineStart(d.text, member.start)
		before := string(d.text[start:member.start])
		if start >= end || strings.TrimSpace(before) != mark {
			return nil, refused
		}
		indent := len(before) - len(strings.TrimLeft(before, " "))
		section.entries = append(section.entries, yamlEntry{part{start, d.lastLine(start, end, indent)}, member.name, indent})
		end = start
	}
	slices.Reverse(section.entries)
	return section, nil
}

// lastLine returns the end of the lines of an entry, which end at an offset together with what follows the entry.
func (d *yamlDocument) lastLine(start, end, indent int) int {
	for end > start {
		line, _ := lineStart(d.text, end-1)
		text := strings.TrimRight(string(d.text[line:end]), "\r\n")
		trimmed := strings.TrimLeft(text, " ")
		if line == start || strings.TrimSpace(text) != "" && (!strings.HasPrefix(trimmed, "#") || len(text)-len(trimmed) > indent) {
			break
		}
		end = line
	}
	return end
}

// end returns where the document ends: before the line of three dots, if it has one.
func (d *yamlDocument) end() int {
	if mark := documentEnd.FindIndex(d.text); mark != nil {
		return mark[0]
	}
	return len(d.text)
}

var (
	documentEnd = regexp.MustCompile(`(?m)^\.\.\.\s`)
	// emptySection matches what follows the key of an empty section in its line.
	emptySection = regexp.MustCompile(`^\s*:\s*(?:\{\s*\}|\[\s*\]|null|~)?(\s+#.*)?\s*$`)
)

// set implements setYAML.
func (d *yamlDocument) set(path []string, value json.RawMessage, isList bool) ([][]byte, error) {
	section, err := d.section(path)
	if err != nil {
		return nil, err
	}
	indent := 2
	if section != nil && len(section.entries) > 0 {
		isList, indent = section.isList, section.entries[0].indent
	}
	lines, err := written(path[1], value, isList, indent)
	switch {
	case err != nil:
		return nil, err
	case section == nil:
		lines = path[0] + ":\n" + lines
		results := [][]byte{d.insert(d.end(), lines)}
		if members := d.root.members(); len(members) > 0 {
			first, _ := lineStart(d.text, members[0].start)
			results = append(results, d.insert(first, lines))
		}
		return results, nil
	case len(section.entries) > 0:
		if i := slices.IndexFunc(section.entries, func(e yamlEntry) bool { return e.name == path[1] }); i >= 0 {
			return [][]byte{splice(d.text, section.entries[i].start, section.entries[i].end, d.ends(lines))}, nil
		}
		return [][]byte{d.insert(section.entries[len(section.entries)-1].end, lines), d.insert(section.entries[0].start, lines)}, nil
	}
	end, _ := lineEnd(d.text, section.key.end)
	rest := emptySection.FindSubmatch(d.text[section.key.end:end])
	if rest == nil {
		return nil, fmt.Errorf("%w: %q spans lines", ErrNotEditable, path[0])
	}
	return [][]byte{splice(d.text, section.key.end, end, ":"+string(rest[1])+d.ends("\n"+lines))}, nil
}

// remove implements deleteYAML.
func (d *yamlDocument) remove(path []string) ([][]byte, error) {
	if _, entry := d.meaning(path); entry == nil {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, at(path))
	}
	section, err := d.section(path)
	if err != nil {
		return nil, err
	}
	out, closer, left := d.text, d.text, len(section.entries)
	for _, entry := range slices.Backward(section.entries) {
		if entry.name == path[1] {
			out = splice(out, entry.start, entry.end, "")
			blank := len(d.text[entry.end:]) - len(bytes.TrimLeft(d.text[entry.end:], "\r\n"))
			closer = splice(closer, entry.start, entry.end+blank, "")
			left--
		}
	}
	if left > 0 {
		return [][]byte{out, closer}, nil
	}
	empty := " {}"
	if section.isList {
		empty = " []"
	}
	colon := section.key.end + bytes.IndexByte(d.text[section.key.end:], ':')
	return [][]byte{splice(out, colon+1, colon+1, empty)}, nil
}

// insert adds lines at an offset.
func (d *yamlDocument) insert(offset int, lines string) []byte {
	if offset > 0 && d.text[offset-1] != '\n' {
		lines = "\n" + lines
	}
	return splice(d.text, offset, offset, d.ends(lines))
}

// ends gives lines the line ends of the text.
func (d *yamlDocument) ends(lines string) string {
	return strings.ReplaceAll(lines, "\n", d.layout.lineEnd)
}

// written writes an entry at an indentation.
func written(name string, value json.RawMessage, isList bool, indent int) (string, error) {
	object, problem := rawjson.ParseCommented(value)
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
