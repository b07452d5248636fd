package help

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A Topic is a help topic. Values are immutable.
type Topic struct {
	title, introduction string
	sections            []section
}

type section struct {
	name  string // without marks of code
	level int    // the number of "#" before it, from 2 on
	text  string // with its heading, without the sections below it
}

// Parse returns the topic with this Markdown text. Lines in code blocks are not headings.
func Parse(text string) Topic {
	title, rest, _ := strings.Cut(text, "\n")
	t := Topic{title: strings.TrimPrefix(title, "# ")}
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

// Text returns the whole topic with a table of its sections below the title. Command is the
// command that shows a section when its name is added, "mcp-workbench help configuration".
func (t Topic) Text(command string) string {
	const fewest = 3 // sections that a table helps to find
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n", t.title)
	if len(t.sections) >= fewest {
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

// Section returns the section with this name and the sections below it. Case does not matter, and words
// of the name are enough if no other section has them.
//
// Failures: an *UnknownSectionError.
func (t Topic) Section(name string) (string, error) {
	wanted := folded(name)
	at := slices.IndexFunc(t.sections, func(s section) bool { return folded(s.name) == wanted })
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

// matching returns the indexes of the sections with each of the words in a text of theirs.
func (t Topic) matching(text func(section) string, words string) []int {
	var found []int
	for i, s := range t.sections {
		isIn := func(word string) bool { return strings.Contains(folded(text(s)), word) }
		if !slices.ContainsFunc(strings.Fields(words), func(word string) bool { return !isIn(word) }) {
			found = append(found, i)
		}
	}
	return found
}

// Item returns the text indented below the item of a list in a section that begins with a name as
// code, in one line; "" if there is none.
func (t Topic) Item(section, name string) string {
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

// unknown returns the error for a name that no section has, or that several have.
func (t Topic) unknown(name string, several []int) error {
	e := &UnknownSectionError{Name: name, IsAmbiguous: len(several) > 0}
	for _, i := range t.matching(func(s section) string { return s.text }, folded(name)) {
		e.Mentioning = append(e.Mentioning, t.sections[i].name)
	}
	for i, s := range t.sections {
		if len(several) == 0 || slices.Contains(several, i) {
			e.Sections = append(e.Sections, s.name)
		}
	}
	return e
}

// An UnknownSectionError says that no section of a topic has a name, or that several have it.
type UnknownSectionError struct {
	Name        string
	IsAmbiguous bool
	Sections    []string // those that have the name, or all
	Mentioning  []string // those whose text has the name
}

func (e *UnknownSectionError) Error() string {
	switch {
	case e.IsAmbiguous:
		return fmt.Sprintf("several sections that match %q:%s", e.Name, list(e.Sections))
	case len(e.Sections) == 0:
		return fmt.Sprintf("no section %q, and no sections", e.Name)
	case len(e.Mentioning) > 0:
		return fmt.Sprintf("no section %q, but text about it in:%s\nsections:%s", e.Name, list(e.Mentioning), list(e.Sections))
	}
	return fmt.Sprintf("no section %q; sections:%s", e.Name, list(e.Sections))
}

// list returns names one below the other.
func list(names []string) string { return "\n  " + strings.Join(names, "\n  ") }

// SectionWords returns the names of the sections as single words, by which Section finds them:
// "keys-at-the-root". Names with signs that a shell may take for more than a word are left out.
func (t Topic) SectionWords() []string {
	var words []string
	for _, s := range t.sections {
		word := strings.ReplaceAll(folded(s.name), " ", "-")
		if !strings.ContainsFunc(word, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.@+/", r)
		}) {
			words = append(words, word)
		}
	}
	return words
}

// folded returns a name for comparing: in lower case, with one space or hyphen as good as the
// other.
func folded(name string) string {
	name = strings.ToLower(strings.ReplaceAll(name, "`", ""))
	return strings.Join(strings.FieldsFunc(name, func(c rune) bool { return c == ' ' || c == '-' }), " ")
}
