package definitions

import (
	"slices"
	"strings"
)

// expression is a type as a signature writes it.
type expression struct {
	text string
	// union and intersection tell the outermost operator of the text; commented is set when a
	// comment follows it.
	union, intersection, commented bool
}

var (
	anything = expression{text: "any"}
	leftOut  = expression{text: "…"}
)

// operand returns an expression as a part of another.
func (e expression) operand(inIntersection bool) string {
	if e.union && inIntersection {
		return "(" + e.text + ")"
	}
	return e.text
}

// array returns the type of an array whose elements have the type of the expression.
func (e expression) array() expression {
	if e.union || e.intersection || e.commented {
		return expression{text: "(" + e.text + ")[]"}
	}
	return expression{text: e.text + "[]"}
}

// comment adds a comment to an expression. The text must be fit for a comment.
func (e expression) comment(text string) expression {
	if text == "" {
		return e
	}
	if e.union || e.intersection || e.commented {
		e.text = "(" + e.text + ")"
	}
	return expression{text: e.text + " /* " + text + " */", commented: true}
}

// commentText makes text fit for a comment.
func commentText(text string) string { return strings.ReplaceAll(text, "*/", "* /") }

// union joins alternatives, each once. If one of them is anything, the union is too.
func union(alternatives []expression) expression {
	return join(alternatives, " | ", false)
}

// intersection joins types that apply together, without those that are anything.
func intersection(parts []expression) expression {
	parts = slices.DeleteFunc(parts, func(e expression) bool { return e == anything })
	return join(parts, " & ", true)
}

func join(parts []expression, sign string, together bool) expression {
	var texts []string
	for _, part := range parts {
		if part == anything && !together {
			return anything
		}
		if text := part.operand(together); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	switch len(texts) {
	case 0:
		return anything
	case 1:
		return parts[0]
	}
	return expression{text: strings.Join(texts, sign), union: !together, intersection: together}
}
