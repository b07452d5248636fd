package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Readers of JSON disagree about an object that has a member twice, and some accept a name in
// any case. All of them must see the same.

// HasVariant reports whether an object has a member of that name, in any case.
func HasVariant(object []byte, name string) (found bool) {
	_ = EachMember(object, func(member, _ []byte) error { // other values have no members
		found = found || bytes.EqualFold(member, []byte(name))
		return nil
	})
	return found
}

// Distinct returns an object that has each of the named members at most once, the last if there
// are several, and no member whose name differs from theirs only in case. An object for which that
// is already true is returned unchanged.
func Distinct(object []byte, names ...string) json.RawMessage {
	// nameOf returns the name that a member has but for its case, "" for none.
	nameOf := func(member []byte) string {
		for _, name := range names {
			if bytes.EqualFold(member, []byte(name)) {
				return name
			}
		}
		return ""
	}
	last, isDistinct := map[string]int{}, true // the place of the last member of each name
	place := 0
	_ = EachMember(object, func(member, _ []byte) error { // other values have no members
		if name := nameOf(member); name != "" {
			_, isTwice := last[name]
			isExact := string(member) == name
			isDistinct = isDistinct && isExact && !isTwice
			if isExact {
				last[name] = place
			}
		}
		place++
		return nil
	})
	if isDistinct {
		return object
	}
	var kept Object
	place = 0
	_ = EachMember(object, func(member, value []byte) error {
		name := nameOf(member)
		if at, isExact := last[name]; name == "" || isExact && at == place {
			kept = kept.Raw(string(member), value)
		}
		place++
		return nil
	})
	return kept.JSON()
}

// CheckNames returns an error if names of an object in a text are the same but for their case, or the same: programs that read it
// may then read different values.
//
// Failures: an *AmbiguousError; those of Parse.
func CheckNames(text []byte) error {
	parsed, err := Parse(text)
	if err != nil {
		return err
	}
	return ambiguity(parsed)
}

// AmbiguousError names what a text has twice.
type AmbiguousError struct{ Name string }

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("it has the name %q twice, or in two spellings", e.Name)
}

func ambiguity(value Value) error {
	if value.Kind == TooDeep {
		return errors.New("it is nested too deep")
	}
	seen := map[string]bool{}
	for _, part := range value.Parts {
		name := strings.ToLower(part.Name)
		if value.Kind == '{' && seen[name] {
			return &AmbiguousError{part.Name}
		}
		seen[name] = true
		if err := ambiguity(part.Value); err != nil {
			return err
		}
	}
	return nil
}
