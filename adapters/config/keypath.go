package config

import (
	"strconv"
	"strings"
)

// keyPath is the way from the root to a value. It is a chain, since the text is
// needed only for the few values that a message names. The root is nil.
type keyPath struct {
	parent *keyPath
	key    string
	index  int // of the element; -1 for a member
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

// String returns the path so that it can be read one way only: keys with other
// than letters, digits, "_" and "-" are quoted in brackets.
func (p *keyPath) String() string {
	var chain []*keyPath
	for step := p; step != nil; step = step.parent {
		chain = append(chain, step)
	}
	var text strings.Builder
	for i := len(chain) - 1; i >= 0; i-- {
		switch step := chain[i]; {
		case step.index >= 0:
			text.WriteString("[" + strconv.Itoa(step.index) + "]")
		case !isPlain(step.key):
			text.WriteString("[" + strconv.Quote(step.key) + "]")
		case text.Len() > 0:
			text.WriteString("." + step.key)
		default:
			text.WriteString(step.key)
		}
	}
	return text.String()
}
