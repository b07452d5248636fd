package commandline

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// TopicText is the text of a help topic: a title, an introduction and nested sections (## and deeper). Values are immutable.
type TopicText struct {
	title, introduction string
	sections            []section
}

type section struct {
	name  string // without backquotes
	level int    // the number of "#" before it, at least 2
	text  string // with its heading, without the sections below it
}

// ParseTopic returns the parts of a topic, which is written in Markdown. Lines in code blocks are not headings.
func ParseTopic(text string) TopicText {
	title, rest, _ := strings.Cut(text, "\n")
	t := TopicText{title: strings.TrimPrefix(title, "# ")}
	isCode := false
	for line := range strings.Lines(rest) {
		if strings.HasPrefix(line, "```") {
			isCode = !isCode
		}
		marks, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !isCode && len(marks) > 1 && strings.Trim(marks, "#") == "" && name != "" {
			t.sections = append(t.sections, section{name: strings.ReplaceAll(name, "`", ""), level: len(marks)})
		}
		if last := len(t.sections) - 1; last >= 0 {
			t.sections[last].text += line
		} else {
			t.introduction += line
		}
	}
	return t
}

// Text returns the whole topic, with a table of its sections below the title if it has several. The
// argument command is the command line that shows the topic, such as "mcp-workbench help configuration".
func (t TopicText) Text(command string) string {
	const minSections = 3 // from which a table is useful
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n", t.title)
	if len(t.sections) >= minSections {
		fmt.Fprintf(&text, "\nSections, for '%s SECTION':\n\n", command)
		for _, s := range t.sections {
			fmt.Fprintf(&text, "%s- %s\n", strings.Repeat("  ", s.level-2), s.name)
		}
	}
	text.WriteString(t.introduction)
	for _, s := range t.sections {
		text.WriteString(s.text)
	}
	return text.String()
}

// Section returns the section with a name and the sections below it. Case does not matter, and words of the
// name are enough if no other section has them.
//
// Failures: that no section or several sections have the name.
func (t TopicText) Section(name string) (string, error) {
	wanted := foldedName(name)
	at := slices.IndexFunc(t.sections, func(s section) bool { return foldedName(s.name) == wanted })
	if at < 0 {
		found := t.matching(func(s section) string { return s.name }, wanted)
		if len(found) != 1 {
			return "", t.unknown(name, found)
		}
		at = found[0]
	}
	text := t.sections[at].text
	for _, s := range t.sections[at+1:] {
		if s.level <= t.sections[at].level {
			break
		}
		text += s.text
	}
	return text, nil
}

// matching returns the indexes of the sections for which text returns a string that contains each of the words.
func (t TopicText) matching(text func(section) string, words string) []int {
	var found []int
	for i, s := range t.sections {
		isIn := func(word string) bool { return strings.Contains(foldedName(text(s)), word) }
		if !slices.ContainsFunc(strings.Fields(words), func(word string) bool { return !isIn(word) }) {
			found = append(found, i)
		}
	}
	return found
}

// Item finds the list item in a section that begins with a name in backquotes, and returns the text that
// is indented below it as one line. It returns "" if there is none.
func (t TopicText) Item(section, name string) string {
	text, err := t.Section(section)
	_, item, found := strings.Cut(text, "\n- `"+name+"`")
	if err != nil || !found {
		return ""
	}
	_, item, _ = strings.Cut(item, "\n")
	var words []string
	for line := range strings.Lines(item) {
		if !strings.HasPrefix(line, "  ") {
			break
		}
		words = append(words, strings.TrimSpace(line))
	}
	return strings.Join(words, " ")
}

// unknown returns the error for a name that no section or several sections have.
func (t TopicText) unknown(name string, several []int) error {
	if len(several) > 0 {
		return fmt.Errorf("several sections that match %q:%s", name, t.list(several))
	}
	if len(t.sections) == 0 {
		return fmt.Errorf("no section %q, and no sections", name)
	}
	all := t.list(t.matching(func(s section) string { return s.name }, ""))
	if mentioning := t.matching(func(s section) string { return s.text }, foldedName(name)); len(mentioning) > 0 {
		return fmt.Errorf("no section %q, but these sections mention it:%s\nall sections:%s", name, t.list(mentioning), all)
	}
	return fmt.Errorf("no section %q; sections:%s", name, all)
}

// list returns the names of sections on separate lines.
func (t TopicText) list(indexes []int) string {
	var names strings.Builder
	for _, i := range indexes {
		names.WriteString("\n  " + t.sections[i].name)
	}
	return names.String()
}

// SectionWords returns the names of the sections as single words that Section accepts, such as
// "keys-at-the-root". Names with characters that may be special in a shell are left out.
func (t TopicText) SectionWords() []string {
	var words []string
	for _, s := range t.sections {
		word := strings.ReplaceAll(foldedName(s.name), " ", "-")
		if !strings.ContainsFunc(word, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.@+/", r)
		}) {
			words = append(words, word)
		}
	}
	return words
}

// foldedName returns a name for comparisons: in lower case, without backquotes, and with single spaces instead
// of hyphens.
func foldedName(name string) string {
	name = strings.ToLower(strings.ReplaceAll(name, "`", ""))
	return strings.Join(strings.FieldsFunc(name, func(c rune) bool { return c == ' ' || c == '-' }), " ")
}
