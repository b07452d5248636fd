package definitions

import (
	"encoding/json"
)

// kind tells the kinds of JSON values apart by the byte that each begins with.
type kind byte

const (
	kindNull   kind = 'n'
	kindTrue   kind = 't'
	kindFalse  kind = 'f'
	kindNumber kind = '0'
	kindString kind = '"'
	kindArray  kind = '['
	kindObject kind = '{'
	// kindDeep is an object or array that is nested too deep to be looked into.
	kindDeep kind = '.'
)

// maxDepth is how many objects and arrays deep values are looked into. The deepest
// published definition known has 14.
const maxDepth = 64

// value is a JSON value in its own bytes, with its members or elements in order.
// The zero value is no value at all.
type value struct {
	kind    kind
	raw     []byte
	members []member
}

// member is a member of an object, or an element of an array, which has no name.
type member struct {
	name string
	value
}

// parse reads JSON text, and reports whether it is JSON.
func parse(text []byte) (value, bool) {
	if !json.Valid(text) {
		return value{}, false
	}
	p := parser{text: text}
	return p.value(0), true
}

// parser takes apart text that is known to be JSON.
type parser struct {
	text []byte
	at   int
}

// next passes over white space and returns the byte behind it.
func (p *parser) next() byte {
	for {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
			p.at++
		default:
			return c
		}
	}
}

func (p *parser) value(depth int) value {
	first := p.next()
	begin := p.at
	v := value{kind: kind(first)}
	switch first {
	case '"':
		p.passString()
	case '{', '[':
		v.members = p.members(depth + 1)
		if depth >= maxDepth {
			v.kind = kindDeep
		}
	case 't', 'n':
		p.at += len("true")
	case 'f':
		p.at += len("false")
	default:
		v.kind = kindNumber
		p.passNumber()
	}
	v.raw = p.text[begin:p.at:p.at]
	return v
}

// members reads what is in an object or array that is depth deep, and keeps it
// unless that is too deep.
func (p *parser) members(depth int) []member {
	named := p.text[p.at] == '{'
	p.at++
	var members []member
	for {
		if c := p.next(); c == '}' || c == ']' {
			p.at++
			return members
		}
		var m member
		if named {
			begin := p.at
			p.passString()
			m.name = unquote(p.text[begin:p.at])
		}
		m.value = p.value(depth)
		if depth <= maxDepth {
			members = append(members, m)
		}
	}
}

func (p *parser) passString() {
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
}

func (p *parser) passNumber() {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c >= '0' && c <= '9', c == '-', c == '+', c == '.', c == 'e', c == 'E':
			p.at++
		default:
			return
		}
	}
}

// text returns the string that a value is, "" for any other.
func (v value) text() string {
	if v.kind != kindString {
		return ""
	}
	return unquote(v.raw)
}

// member returns the member of an object of a name; of several the last, as most
// parsers have it. It is no value when there is none.
func (v value) member(name string) value {
	if v.kind != kindObject {
		return value{}
	}
	for i := len(v.members) - 1; i >= 0; i-- {
		if v.members[i].name == name {
			return v.members[i].value
		}
	}
	return value{}
}

// exists reports whether there is a value.
func (v value) exists() bool { return v.kind != 0 }

// elements returns what is in an array, nothing for any other value.
func (v value) elements() []member {
	if v.kind != kindArray {
		return nil
	}
	return v.members
}

// texts returns the strings of an array, or the one string that a value is.
func (v value) texts() []string {
	if v.kind == kindString {
		return []string{v.text()}
	}
	var texts []string
	for _, element := range v.elements() {
		if element.kind == kindString {
			texts = append(texts, element.text())
		}
	}
	return texts
}

// repeats reports whether an object has a name twice.
func (v value) repeats() bool {
	if v.kind != kindObject || len(v.members) < 2 {
		return false
	}
	// Most objects are small: comparing costs less than a map.
	if len(v.members) <= 16 {
		for i, m := range v.members {
			for _, other := range v.members[:i] {
				if other.name == m.name {
					return true
				}
			}
		}
		return false
	}
	seen := make(map[string]bool, len(v.members))
	for _, m := range v.members {
		if seen[m.name] {
			return true
		}
		seen[m.name] = true
	}
	return false
}
