package hostfiles

import (
	"encoding/json"
	"strconv"
)

// member returns the raw JSON of a member, or nil if the member is missing or null.
func (s *source) member(key string) json.RawMessage {
	s.known[key] = true
	if raw := s.members[key]; string(raw) != "null" {
		return raw
	}
	return nil
}

// wrong notes a member that cannot be read. The server is not whole without it.
func (s *source) wrong(key string) { s.wrongFor(key, "has the wrong type and is left out") }

// wrongFor is wrong for a reason.
func (s *source) wrongFor(key, why string) {
	s.note("%q %s", key, why)
	s.lose(key, string(s.members[key]))
	s.isBroken = true
}

// text reads a text.
func (s *source) text(key string) string {
	raw := s.member(key)
	if raw == nil {
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		s.wrong(key)
	}
	return text
}

// list reads a list of texts, nil for none.
func (s *source) list(key string) []string {
	if list := s.optionalList(key); list != nil {
		return *list
	}
	return nil
}

// optionalList reads a list of texts that means something else if it is empty than if it is missing.
func (s *source) optionalList(key string) *[]string {
	raw := s.member(key)
	if raw == nil {
		return nil
	}
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil {
		s.wrong(key)
		return nil
	}
	list := []string{}
	for _, element := range elements {
		text, ok := scalar(element)
		if !ok {
			s.wrong(key)
			return nil
		}
		list = append(list, text)
	}
	return &list
}

// values reads an object of texts, without those that are null.
func (s *source) values(key string) map[string]string {
	values := map[string]string{}
	raw := s.member(key)
	if raw == nil {
		return values
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		s.wrong(key)
		return values
	}
	for name, value := range members {
		if string(value) == "null" {
			continue
		}
		text, ok := scalar(value)
		if !ok {
			s.wrong(key)
			return map[string]string{}
		}
		values[name] = text
	}
	return values
}

// is reports whether a member is the wanted boolean, which hosts also write as a text.
func (s *source) is(key string, wanted bool) bool {
	raw := s.member(key)
	if raw == nil {
		return false
	}
	text, _ := scalar(raw)
	value, err := strconv.ParseBool(text)
	if err != nil {
		s.wrong(key)
	}
	return err == nil && value == wanted
}

// isOff reports whether the host does not start the server. Each host has one of the members, and files are
// copied between hosts.
func (s *source) isOff() bool {
	isOff := false
	for _, key := range []string{"disabled", "isDisabled"} {
		isOff = s.is(key, true) || isOff
	}
	for _, key := range []string{"enabled", "isEnabled", "isActive"} {
		isOff = s.is(key, false) || isOff
	}
	return isOff
}

// line reads a program and its arguments. The program can also be a list with its arguments.
func (s *source) line(key string) (command string, args []string) {
	if raw := s.member(key); len(raw) > 0 && raw[0] == '[' {
		if line := s.list(key); len(line) > 0 {
			return line[0], append(line[1:], s.list("args")...)
		}
		return "", s.list("args")
	}
	return s.text(key), s.list("args")
}

// scalar returns a text, or a number or boolean as text, as hosts pass it on.
func scalar(raw json.RawMessage) (text string, ok bool) {
	if len(raw) == 0 {
		return "", false
	}
	switch raw[0] {
	case '"':
		err := json.Unmarshal(raw, &text)
		return text, err == nil
	case '{', '[', 'n':
		return "", false
	}
	return string(raw), true
}
