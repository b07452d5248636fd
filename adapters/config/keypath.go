package config

import (
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/domain"
)

// keyPath is the path from the root to a value, as a linked list, since its text is needed only
// for the few values that messages name. The root is nil.
type keyPath struct {
	parent *keyPath
	key    string
	index  int // of the element; -1 for a member
}

// KeyPath returns the text of the path along these keys from the root, as messages about the
// configuration show it: `toolboxes["my.box"].mcpServers.fs`.
func KeyPath(keys ...string) string {
	var path *keyPath
	for _, key := range keys {
		path = path.member(key)
	}
	return path.String()
}

func (p *keyPath) member(key string) *keyPath {
	return &keyPath{parent: p, key: key, index: -1}
}

func (p *keyPath) element(index int) *keyPath {
	return &keyPath{parent: p, index: index}
}

// isPlain reports whether a key needs no quotes.
func isPlain(key string) bool {
	for _, c := range []byte(key) {
		if c != '_' && c != '-' && !isLetter(c) && !isDigit(c) {
			return false
		}
	}
	return key != ""
}

// steps returns the steps of the path, beginning at the root.
func (p *keyPath) steps() []*keyPath {
	var steps []*keyPath
	for step := p; step != nil; step = step.parent {
		steps = append(steps, step)
	}
	slices.Reverse(steps)
	return steps
}

// String returns the path in an unambiguous form: keys with characters other
// than letters, digits, "_" and "-" are quoted in brackets.
func (p *keyPath) String() string {
	var text strings.Builder
	for _, step := range p.steps() {
		switch {
		case step.index >= 0:
			text.WriteString("[" + strconv.Itoa(step.index) + "]")
		case !isPlain(step.key):
			text.WriteString("[" + domain.ReviewText(strconv.Quote(step.key)) + "]")
		case text.Len() > 0:
			text.WriteString("." + step.key)
		default:
			text.WriteString(step.key)
		}
	}
	return text.String()
}

// masked returns the path as models may see it: it hides keys that may be misplaced secrets, such
// as the value of a header in place of its name. Names of toolboxes and servers stay, since
// models see those anyway.
func (p *keyPath) masked() *keyPath {
	if p == nil {
		return nil
	}
	step := *p
	step.parent = p.parent.masked()
	isName := p.parent != nil && (p.parent.key == toolboxesKey || p.parent.key == mcpServersKey)
	if !isName && mayBeSecret(p.key) {
		step.key = "•••"
	}
	return &step
}

// minToken is the length of the shortest tokens that services issue.
const minToken = 16

// mayBeSecret reports whether a key has minToken or more letters and digits in a row, with at
// least one of each. Names of settings, variables and headers consist of words instead.
func mayBeSecret(key string) bool {
	letters, digits := 0, 0
	for _, c := range []byte(key) {
		switch {
		case isLetter(c):
			letters++
		case isDigit(c):
			digits++
		default:
			letters, digits = 0, 0
		}
		if letters > 0 && digits > 0 && letters+digits >= minToken {
			return true
		}
	}
	return false
}
