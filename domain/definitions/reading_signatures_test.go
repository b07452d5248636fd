package definitions_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/tests/fixtures/schemas"
)

// readMember is a member of a signature that was read.
type readMember struct {
	name     string
	optional bool
	accepts  accepts
}

// accepts says whether a JSON value is of a type.
type accepts func(value any) bool

// readParameters is a signature that was read.
type readParameters struct{ members []readMember }

func (r readParameters) required() []string {
	var names []string
	for _, m := range r.members {
		if !m.optional {
			names = append(names, m.name)
		}
	}
	return names
}

func (r readParameters) accepts(value any) bool { return acceptsObject(r.members)(value) }

// acceptsObject accepts objects with members, and with others. Names are compared as
// they are shown.
func acceptsObject(members []readMember) accepts {
	return func(value any) bool {
		o, ok := value.(schemas.Object)
		if !ok {
			return false
		}
		shown := schemas.Object{}
		for name, v := range o {
			shown[domain.ShownText(name)] = v
		}
		for _, m := range members {
			v, there := shown[m.name]
			if !there && !m.optional || there && !m.accepts(v) {
				return false
			}
		}
		return true
	}
}

// signatureReader reads the grammar of signatures; what does not fit it panics.
type signatureReader struct {
	text string
	at   int
}

// readSignature reads the parameters of a signature of the tool "t".
func readSignature(signature string) readParameters {
	r := signatureReader{text: signature}
	r.expect("t")
	r.take("~")
	r.expect("(")
	members := r.members(")")
	if rest := r.text[r.at:]; rest != "" && !strings.HasPrefix(rest, " — ") {
		panic(fmt.Sprintf("%q follows %q", rest, r.text[:r.at]))
	}
	return readParameters{members}
}

// take passes over a sign if it is there.
func (r *signatureReader) take(sign string) bool {
	if !strings.HasPrefix(r.text[r.at:], sign) {
		return false
	}
	r.at += len(sign)
	return true
}

func (r *signatureReader) expect(sign string) {
	if !r.take(sign) {
		panic(fmt.Sprintf("%q: no %q at %q", r.text, sign, r.text[r.at:]))
	}
}

func (r *signatureReader) members(end string) []readMember {
	var members []readMember
	for !r.take(end) {
		if len(members) > 0 && !r.take(", ") {
			r.expect(",")
		}
		members = append(members, r.member())
	}
	return members
}

func (r *signatureReader) member() readMember {
	anyValue := func(any) bool { return true }
	switch {
	case r.take("…"):
		return readMember{name: "…", optional: true, accepts: anyValue}
	case r.take("[key: string]: "):
		r.alternatives()
		return readMember{name: "[key: string]", optional: true, accepts: anyValue}
	}
	m := readMember{name: r.name(), accepts: anyValue}
	m.optional = r.take("?")
	if r.take(": ") {
		m.accepts = r.alternatives()
	}
	if r.take(" = ") && !r.take("…") {
		r.literal()
	}
	r.comment()
	return m
}

func (r *signatureReader) name() string {
	if r.text[r.at] == '"' {
		return r.literal().(string)
	}
	end := strings.IndexFunc(r.text[r.at:], func(c rune) bool { return strings.ContainsRune("?:,) =}", c) })
	name := r.text[r.at : r.at+end]
	r.at += end
	return name
}

// literal reads a JSON value.
func (r *signatureReader) literal() any {
	decoder := json.NewDecoder(strings.NewReader(r.text[r.at:]))
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(fmt.Sprintf("%q: %v at %q", r.text, err, r.text[r.at:]))
	}
	r.at += int(decoder.InputOffset())
	return value
}

func (r *signatureReader) comment() {
	for r.take(" /* ") {
		_, rest, found := strings.Cut(r.text[r.at:], " */")
		if !found {
			panic(r.text + ": a comment does not end")
		}
		r.at = len(r.text) - len(rest)
	}
}

func (r *signatureReader) alternatives() accepts {
	list := []accepts{r.parts()}
	for r.take(" | ") {
		list = append(list, r.parts())
	}
	return func(value any) bool {
		for _, accept := range list {
			if accept(value) {
				return true
			}
		}
		return false
	}
}

func (r *signatureReader) parts() accepts {
	list := []accepts{r.list()}
	for r.take(" & ") {
		list = append(list, r.list())
	}
	return func(value any) bool {
		for _, accept := range list {
			if !accept(value) {
				return false
			}
		}
		return true
	}
}

func (r *signatureReader) list() accepts {
	accept := r.single()
	r.comment()
	for r.take("[]") {
		element := accept
		accept = func(value any) bool {
			elements, ok := value.([]any)
			for _, v := range elements {
				ok = ok && element(v)
			}
			return ok
		}
		r.comment()
	}
	return accept
}

func (r *signatureReader) single() accepts {
	named := map[string]accepts{
		"any": func(any) bool { return true }, "…": func(any) bool { return true }, "{…}": acceptsObject(nil), "object": acceptsObject(nil),
		"string":  func(v any) bool { _, ok := v.(string); return ok },
		"number":  func(v any) bool { _, ok := v.(float64); return ok },
		"integer": func(v any) bool { f, ok := v.(float64); return ok && f == float64(int64(f)) },
		"boolean": func(v any) bool { _, ok := v.(bool); return ok },
	}
	for name, accept := range named {
		if r.take(name) {
			return accept
		}
	}
	switch r.text[r.at] {
	case '(':
		r.at++
		accept := r.alternatives()
		r.expect(")")
		return accept
	case '[':
		return r.tuple()
	case '{':
		r.at++
		return acceptsObject(r.members("}"))
	}
	literal := schemas.JSON(r.literal())
	return func(value any) bool { return schemas.JSON(value) == literal }
}

// tuple reads the types of the first elements of a list, which need not all be there.
func (r *signatureReader) tuple() accepts {
	r.expect("[")
	var list []accepts
	for !r.take("]") {
		if len(list) > 0 {
			r.expect(", ")
		}
		if r.take("...") {
			r.alternatives()
			continue
		}
		list = append(list, r.alternatives())
	}
	return func(value any) bool {
		elements, ok := value.([]any)
		for i := range min(len(elements), len(list)) {
			ok = ok && list[i](elements[i])
		}
		return ok
	}
}
