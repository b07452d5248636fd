package rawjson

import "encoding/json"

// EditMembers returns the object with other values for its members: edit returns the new value of each
// member, or nil to leave it out. Everything else in the object keeps its bytes. Text that is not an
// object is returned unchanged.
func EditMembers(text []byte, edit func(name string, value []byte) []byte) json.RawMessage {
	s := NewScanner()
	e := editor{text: text}
	err := s.EachMember(text, func(name, value []byte) error {
		e.part(s.walk.at, value, edit(string(name), value))
		return nil
	})
	return e.result(err, '{')
}

// EditElements is EditMembers for the elements of an array.
func EditElements(text []byte, edit func(value []byte) []byte) json.RawMessage {
	s := NewScanner()
	e := editor{text: text}
	err := s.EachElement(text, func(value []byte) error {
		e.part(s.walk.at, value, edit(value))
		return nil
	})
	return e.result(err, '[')
}

// editor copies the parts of an object or array.
type editor struct {
	text    []byte
	changed []byte
	begin   int // of the next part, after the brace or comma; 0 before the first
	edited  bool
	kept    bool // whether a part was kept
}

// part copies the next part, whose value old ends there, with another value. Nil leaves the part out.
func (e *editor) part(end int, old, value []byte) {
	if e.begin == 0 {
		e.begin = e.skipSpace(0) + 1
		e.changed = append(e.changed, e.text[:e.begin]...)
	}
	next := e.skipSpace(end)
	e.edited = e.edited || value == nil || string(value) != string(old)
	if value != nil {
		if e.kept {
			e.changed = append(e.changed, ',')
		}
		e.kept = true
		e.changed = append(e.changed, e.text[e.begin:end-len(old)]...)
		e.changed = append(e.changed, value...)
		e.changed = append(e.changed, e.text[end:next]...)
	}
	e.begin = next + 1
}

// result returns the edited text, or the text as it was if it cannot or need not be edited.
func (e *editor) result(err error, open byte) json.RawMessage {
	if err != nil || !e.edited {
		return e.text
	}
	return append(append(e.changed, open+2), e.text[e.begin:]...) // '}' and ']' come two after '{' and '['
}

func (e *editor) skipSpace(at int) int {
	for at < len(e.text) && (e.text[at] == ' ' || e.text[at] == '\t' || e.text[at] == '\n' || e.text[at] == '\r') {
		at++
	}
	return at
}
