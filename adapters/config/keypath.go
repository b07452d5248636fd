package config

import (
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/domain"
)

// keyPath is the way from the root to a value. It is a chain, since the text is
// needed only for the few values that a message names. The root is nil.
type keyPath struct {
	parent *keyPath
	key    string
	index  int // of the element; -1 for a member
}

// KeyPath returns the text for the way over these keys from the root, as messages about
// the configuration have it: `toolboxes["my.box"].mcpServers.fs`.
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

// steps returns the path from the root on.
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

// masked returns the path for a model: without keys that may be secrets in the wrong place, such
// as the value of a header in place of its name. A model reads the names of toolboxes and servers
// anyway.
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

// minToken is the length of the shortest tokens that services give out.
const minToken = 16

// mayBeSecret reports whether a key has that many letters and digits in a row, of both
// kinds. Names of settings, variables and headers have words instead.
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
