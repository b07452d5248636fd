package tree

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/domain"
)

// Path is the path from the root to a value, as a linked list, since its text is needed only
// for the few values that messages name. The root is nil.
type Path struct {
	Parent *Path
	Key    string
	Index  int // of the element; -1 for a member
}

// KeyPath returns the text of the path along these keys from the root, as messages about the
// configuration show it: `toolboxes["my.box"].mcpServers.fs`.
func KeyPath(keys ...string) string {
	var path *Path
	for _, key := range keys {
		path = path.Member(key)
	}
	return path.String()
}

// Member returns the path of a member of the value.
func (p *Path) Member(key string) *Path {
	return &Path{Parent: p, Key: key, Index: -1}
}

// Element returns the path of an element of the value, counted from 0.
func (p *Path) Element(index int) *Path {
	return &Path{Parent: p, Index: index}
}

// plainKey matches keys that need no quotes.
var plainKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// Steps returns the steps of the path, beginning at the root.
func (p *Path) Steps() []*Path {
	var steps []*Path
	for step := p; step != nil; step = step.Parent {
		steps = append(steps, step)
	}
	slices.Reverse(steps)
	return steps
}

// String returns the path in an unambiguous form: keys with characters other
// than letters, digits, "_" and "-" are quoted in brackets.
func (p *Path) String() string {
	var text strings.Builder
	for _, step := range p.Steps() {
		switch {
		case step.Index >= 0:
			text.WriteString("[" + strconv.Itoa(step.Index) + "]")
		case !plainKey.MatchString(step.Key):
			text.WriteString("[" + domain.ReviewText(strconv.Quote(step.Key)) + "]")
		case text.Len() > 0:
			text.WriteString("." + step.Key)
		default:
			text.WriteString(step.Key)
		}
	}
	return text.String()
}
