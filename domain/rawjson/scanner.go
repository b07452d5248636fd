package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrSyntax means that the text is not JSON.
var ErrSyntax = errors.New("not valid JSON")

// SyntaxError says where a text is not JSON. It matches ErrSyntax.
type SyntaxError struct {
	// At is the index of the first wrong byte, the length of a text that ends too early.
	At  int
	why string
}

func (e *SyntaxError) Error() string { return ErrSyntax.Error() + ": " + e.why }

// Is reports whether target is ErrSyntax.
func (e *SyntaxError) Is(target error) bool { return target == ErrSyntax }

// maxDepth is how deep objects and arrays can be nested, as in encoding/json.
const maxDepth = 10_000

func tooDeep() error {
	return fmt.Errorf("%w: objects and arrays nested more than %d deep", ErrSyntax, maxDepth)
}

// Scanner splits JSON text into its parts without decoding them. It can be reused for any
// number of texts, by one goroutine at a time.
type Scanner struct {
	walk  walk
	nodes []node // of the last tree
}

// NewScanner returns a scanner that accepts whatever is legal on the wire, repeated names and
// text that is not UTF-8 included.
func NewScanner() *Scanner { return &Scanner{} }

// EachMember calls visit for each member of a JSON object, in order. The name is unquoted;
// name and value are slices of text where possible, and valid as long as text is. An error of
// visit ends the walk and is returned. Other errors wrap ErrSyntax when text is not JSON, and
// ErrNotObject when it is another kind of value.
func (s *Scanner) EachMember(text []byte, visit func(name, value []byte) error) error {
	return s.EachMemberAnd(text, "", nil, visit)
}

// EachMemberAnd is EachMember, but if the member inner is an object, it also calls within for each member
// of that, in the same walk and before it calls visit for inner. Within can be nil.
func (s *Scanner) EachMemberAnd(text []byte, inner string, within func(name, value []byte), visit func(name, value []byte) error) error {
	w := &s.walk
	*w = walk{text: text}
	if w.next() != '{' {
		return s.other(ErrNotObject)
	}
	w.at++
	for more := w.next() != '}'; more; {
		name, err := w.name()
		if err != nil {
			return err
		}
		var value []byte
		if within != nil && w.next() == '{' && string(name) == inner {
			value, err = w.members(2, within)
		} else {
			value, err = w.value(1)
		}
		if err != nil {
			return err
		}
		if err := visit(name, value); err != nil {
			return err
		}
		if more, err = w.more('}'); err != nil {
			return err
		} else if !more {
			return w.end()
		}
	}
	w.at++
	return w.end()
}

// members skips an object and calls visit for each of its members, whose values are depth objects and
// arrays deep. It returns the object.
func (w *walk) members(depth int, visit func(name, value []byte)) ([]byte, error) {
	begin := w.at
	w.at++
	for more := w.next() != '}'; more; {
		name, err := w.name()
		if err != nil {
			return nil, err
		}
		value, err := w.value(depth)
		if err != nil {
			return nil, err
		}
		visit(name, value)
		if more, err = w.more('}'); err != nil {
			return nil, err
		} else if !more {
			return w.text[begin:w.at:w.at], nil
		}
	}
	w.at++
	return w.text[begin:w.at:w.at], nil
}

// Clean reports whether the text that was scanned last is UTF-8 and has no line ends. It is valid only after
// a scan without an error.
func (s *Scanner) Clean() bool {
	return !s.walk.lineEnds && (s.walk.high&highBits == 0 || ValidUTF8(s.walk.text))
}

// ErrNotObject means that the text is JSON, but not an object.
var ErrNotObject = errors.New("not a JSON object")

// other returns kind, the error for JSON of another kind than expected, if the text is JSON.
func (s *Scanner) other(kind error) error {
	if err := s.walk.skip(0); err != nil {
		return err
	}
	if err := s.walk.end(); err != nil {
		return err
	}
	return kind
}

// EachElement calls visit for each element of a JSON array, in order. The rules are those of
// EachMember, with ErrNotArray.
func (s *Scanner) EachElement(text []byte, visit func(value []byte) error) error {
	w := &s.walk
	*w = walk{text: text}
	if w.next() != '[' {
		return s.other(ErrNotArray)
	}
	w.at++
	for more := w.next() != ']'; more; {
		value, err := w.value(1)
		if err != nil {
			return err
		}
		if err := visit(value); err != nil {
			return err
		}
		if more, err = w.more(']'); err != nil {
			return err
		} else if !more {
			return w.end()
		}
	}
	w.at++
	return w.end()
}

// ErrNotArray means that the text is JSON, but not an array.
var ErrNotArray = errors.New("not a JSON array")

func unquoteName(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	return []byte(Text(quoted))
}

// Text returns the text of a JSON string, "" for any other value. Bytes that are
// not UTF-8 and unpaired surrogates become U+FFFD.
func Text(value []byte) string {
	if len(value) < 2 || value[0] != '"' {
		return ""
	}
	if inner := value[1 : len(value)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	// AppendUnquote reports the replaced bytes as an error and still returns the text.
	text, _ := jsontext.AppendUnquote(nil, value)
	return string(text)
}

// Quote returns text as a JSON string.
func Quote(text string) []byte { return AppendQuote(nil, text) }

// AppendQuote appends text as a JSON string.
func AppendQuote(to []byte, text string) []byte {
	// AppendQuote reports bytes that are not UTF-8 as an error and still returns the text.
	quoted, _ := jsontext.AppendQuote(to, text)
	return quoted
}

// Kind returns the first byte of a JSON value, which tells its kind: '{', '[', '"', 't', 'f',
// 'n', '0' for any number, 0 for no value.
func Kind(value []byte) byte {
	for _, c := range value {
		switch {
		case c == ' ', c == '\t', c == '\r', c == '\n':
			continue
		case c == '-', isDigit(c):
			return '0'
		}
		return c
	}
	return 0
}

// KindName names the kind of a JSON value as a message shows it; true and false
// are shown as they are.
func KindName(value []byte) string {
	switch Kind(value) {
	case 0:
		return "nothing"
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return string(bytes.TrimSpace(value))
	case 'n':
		return "null"
	}
	return "a number"
}

// IsNull reports whether value is absent or the JSON null.
func IsNull(value json.RawMessage) bool {
	kind := Kind(value)
	return kind == 0 || kind == 'n'
}

// pool is for callers that scan occasionally.
var pool = sync.Pool{New: func() any { return NewScanner() }}

// EachMember is Scanner.EachMember with a scanner from a pool.
func EachMember(text []byte, visit func(name, value []byte) error) error {
	scanner := pool.Get().(*Scanner)
	defer pool.Put(scanner)
	return scanner.EachMember(text, visit)
}
