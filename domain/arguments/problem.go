package arguments

import (
	"strconv"
	"strings"

	"mcp-workbench/domain/definitions"
)

// Refusal is a kind of problem for which arguments are refused.
type Refusal int

// The kinds of problems. All other keywords of a schema are left to the server.
const (
	// Missing is a required member that is missing.
	Missing Refusal = iota + 1
	// Unknown is a member that the schema neither describes nor allows.
	Unknown
	// WrongType is a value of a type that is not allowed.
	WrongType
	// NotInEnum is a value other than the allowed ones.
	NotInEnum
)

// Problem says what is wrong with arguments.
type Problem struct {
	Refusal Refusal
	// Path is the place of the problem, such as "edits[0].oldText"; "" means the arguments themselves.
	Path string
	// Text is a clause for a model that says what is wrong and where.
	Text string
}

// path leads from the arguments to a value in them. Nil is the arguments themselves.
type path struct {
	above *path
	name  string
	index int // of an element of a list, which has no name; -1 otherwise
}

// text returns a path as code writes it.
func (p *path) text() string {
	if p == nil {
		return ""
	}
	above := p.above.text()
	if p.index >= 0 {
		return above + "[" + strconv.Itoa(p.index) + "]"
	}
	name := definitions.ParameterName(p.name)
	switch {
	case name[0] == '"':
		return above + "[" + name + "]"
	case above == "":
		return name
	}
	return above + "." + name
}

// subject names a value in a sentence.
func (p *path) subject() string {
	if p == nil {
		return "the arguments"
	}
	return "'" + p.text() + "'"
}

// problem describes what is wrong at a path.
func (p *path) problem(refusal Refusal, rest string) *Problem {
	return &Problem{Refusal: refusal, Path: p.text(), Text: p.subject() + " " + rest}
}

// enumeration joins words for a sentence, with a conjunction before the last one.
func enumeration(words []string, conjunction string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + conjunction + " " + words[len(words)-1]
}
