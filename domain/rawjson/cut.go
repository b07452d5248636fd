package rawjson

import (
	"bytes"
	"encoding/json"
)

// Cut slices an object around the value of a member: text is the concatenation of before,
// value and after. Of repeated members the last counts. Found is false when there is no such
// member, or text is not an object.
func (s *Scanner) Cut(text []byte, member string) (before, value, after []byte, found bool) {
	end := 0
	err := s.EachMember(text, func(name, got []byte) error {
		if string(name) == member {
			value, end, found = got, s.walk.at, true
		}
		return nil
	})
	if err != nil || !found {
		return nil, nil, nil, false
	}
	return text[:end-len(value)], value, text[end:], true
}

// Cut is Scanner.Cut with a scanner from a pool.
func Cut(text []byte, member string) (before, value, after []byte, found bool) {
	scanner := pool.Get().(*Scanner)
	defer pool.Put(scanner)
	return scanner.Cut(text, member)
}

// With returns the object with that value for the member. A member that the object does not
// have yet comes first. Text that is not an object becomes one.
func With(text []byte, member string, value []byte) json.RawMessage {
	if before, old, after, found := Cut(text, member); found {
		changed := make([]byte, 0, len(text)-len(old)+len(value))
		changed = append(append(changed, before...), value...)
		return append(changed, after...)
	}
	members := 0
	err := EachMember(text, func(_, _ []byte) error { members++; return nil })
	changed := append(make([]byte, 0, len(text)+len(member)+len(value)+5), '{')
	changed = append(append(AppendQuote(changed, member), ':'), value...)
	if err != nil || members == 0 {
		return append(changed, '}')
	}
	begin := 0
	for text[begin] != '{' {
		begin++
	}
	return append(append(changed, ','), text[begin+1:]...)
}

// WithLast returns the object with another member at its end. The object must not have the member yet.
func WithLast(object []byte, member string, value []byte) json.RawMessage {
	end := bytes.LastIndexByte(object, '}')
	changed := append(make([]byte, 0, len(object)+len(member)+len(value)+4), object[:end]...)
	if len(bytes.TrimSpace(object[:end])) > len("{") {
		changed = append(changed, ',')
	}
	changed = append(AppendQuote(changed, member), ':')
	return append(append(changed, value...), object[end:]...)
}

// Without returns the object without that member. The other values keep their bytes. Text
// without such a member is returned unchanged.
func Without(text []byte, member string) json.RawMessage {
	if Member(text, member) == nil {
		return text
	}
	changed := append(make([]byte, 0, len(text)), '{')
	_ = EachMember(text, func(name, value []byte) error { // it has a member, so it is an object
		if string(name) == member {
			return nil
		}
		if len(changed) > 1 {
			changed = append(changed, ',')
		}
		changed = append(AppendQuote(changed, string(name)), ':')
		changed = append(changed, value...)
		return nil
	})
	return append(changed, '}')
}

// Member returns the raw value of a member of an object, nil if there is none.
func Member(text []byte, member string) json.RawMessage {
	_, value, _, _ := Cut(text, member)
	return value
}

// HasMember reports whether an object has a member, named by its path, that is not null. It
// is for declared capabilities, where presence counts.
func HasMember(text []byte, path ...string) bool {
	for _, member := range path {
		text = Member(text, member)
	}
	return !IsNull(text)
}
