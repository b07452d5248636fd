package rawjson

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Object writes a JSON object, member by member in the order of the calls:
//
//	rawjson.Object{}.Text("uri", uri).Raw("_meta", meta).JSON()
//
// The zero value is an object without members. Each method returns the object with one
// more member and may reuse the bytes of its receiver, as append does: from then on, use only
// what it returns. Values given as JSON keep their bytes.
type Object struct{ text []byte }

// NewObject returns an object that is appended to buffer, using its spare capacity. The
// contents of buffer stay in front of the object.
func NewObject(buffer []byte) Object { return Object{text: append(buffer, '{')} }

// Raw adds a member whose value is JSON, in its own bytes.
func (o Object) Raw(name string, value []byte) Object {
	o = o.member(name)
	o.text = append(o.text, value...)
	return o
}

// Text adds a member whose value is a string. Bytes that are not UTF-8 become U+FFFD.
func (o Object) Text(name, value string) Object {
	o = o.member(name)
	o.text = AppendQuote(o.text, value)
	return o
}

// Uint adds a member whose value is a number.
func (o Object) Uint(name string, value uint64) Object {
	o = o.member(name)
	o.text = strconv.AppendUint(o.text, value, 10)
	return o
}

// Int adds a member whose value is a number.
func (o Object) Int(name string, value int64) Object {
	o = o.member(name)
	o.text = strconv.AppendInt(o.text, value, 10)
	return o
}

// Bool adds a member whose value is true or false.
func (o Object) Bool(name string, value bool) Object {
	o = o.member(name)
	o.text = strconv.AppendBool(o.text, value)
	return o
}

// Texts adds a member whose value is an array of strings.
func (o Object) Texts(name string, values []string) Object {
	o = o.member(name)
	o.text = append(o.text, '[')
	for i, value := range values {
		if i > 0 {
			o.text = append(o.text, ',')
		}
		o.text = AppendQuote(o.text, value)
	}
	o.text = append(o.text, ']')
	return o
}

// Members adds members that are already written: text is the inside of an object, without
// its braces, and may be empty.
func (o Object) Members(text []byte) Object {
	if len(text) == 0 {
		return o
	}
	o = o.separate()
	o.text = append(o.text, text...)
	return o
}

// IsEmpty reports whether the object has no members.
func (o Object) IsEmpty() bool { return len(o.text) <= len("{") }

// Inside returns the members for Members, without the braces; nil if there are none.
func (o Object) Inside() []byte {
	if o.IsEmpty() {
		return nil
	}
	return o.text[1:]
}

// JSON returns the whole object.
func (o Object) JSON() json.RawMessage {
	if o.text == nil {
		return json.RawMessage("{}")
	}
	return append(o.text, '}')
}

func (o Object) member(name string) Object {
	o = o.separate()
	o.text = append(AppendQuote(o.text, name), ':')
	return o
}

// separate appends the brace or comma before a member.
func (o Object) separate() Object {
	switch {
	case o.text == nil:
		o.text = []byte{'{'}
	case o.text[len(o.text)-1] != '{':
		o.text = append(o.text, ',')
	}
	return o
}

// MustMarshal returns a value of the program as JSON whose texts are written as Quote writes them. It panics if the
// value has no JSON, which is a mistake in the program.
func MustMarshal(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("marshal %T: %v", value, err))
	}
	// Package json escapes characters for HTML and JavaScript.
	if err := (*jsontext.Value)(&text).Format(); err != nil {
		panic(fmt.Sprintf("marshal %T: %v", value, err))
	}
	return text
}
