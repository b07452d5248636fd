package definitions

import (
	"slices"
	"strings"
)

// expression is a type as a signature writes it.
type expression struct {
	text string
	// union and intersection say what is outermost in the text; commented says that a
	// comment follows it.
	union, intersection, commented bool
}

var (
	anything = expression{text: "any"}
	leftOut  = expression{text: "…"}
)

// operand writes an expression as a part of another.
func (e expression) operand(inIntersection bool) string {
	if e.union && inIntersection {
		return "(" + e.text + ")"
	}
	return e.text
}

// array writes the type of a list of an expression.
func (e expression) array() expression {
	if e.union || e.intersection || e.commented {
		return expression{text: "(" + e.text + ")[]"}
	}
	return expression{text: e.text + "[]"}
}

// comment adds what a type cannot say to an expression; the text is fit for a comment.
func (e expression) comment(text string) expression {
	if text == "" {
		return e
	}
	if e.union || e.intersection || e.commented {
		e.text = "(" + e.text + ")"
	}
	return expression{text: e.text + " /* " + text + " */", commented: true}
}

// commentText makes text fit to stand in a comment.
func commentText(text string) string { return strings.ReplaceAll(text, "*/", "* /") }

// union joins alternatives, each once; one that is anything swallows the others.
func union(alternatives []expression) expression {
	return join(alternatives, " | ", false)
}

// intersection joins what has to hold together; what is anything adds nothing.
func intersection(parts []expression) expression {
	parts = slices.DeleteFunc(parts, func(e expression) bool { return e == anything })
	return join(parts, " & ", true)
}

func join(parts []expression, sign string, all bool) expression {
	var texts []string
	for _, part := range parts {
		if part == anything && !all {
			return anything
		}
		if text := part.operand(all); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	switch len(texts) {
	case 0:
		return anything
	case 1:
		return parts[0]
	}
	return expression{text: strings.Join(texts, sign), union: !all, intersection: all}
}
