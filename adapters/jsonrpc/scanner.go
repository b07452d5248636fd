package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrSyntax means that the text is no JSON.
var ErrSyntax = errors.New("not valid JSON")

// Scanner walks JSON text once, without decoding values. It is reused from text
// to text and is for one goroutine.
type Scanner struct {
	decoder *jsontext.Decoder
	text    bytes.Buffer
	nodes   []node // of the last tree
}

// NewScanner returns a scanner that refuses nothing which is legal on the wire:
// it accepts repeated names and text that is not UTF-8.
func NewScanner() *Scanner {
	return &Scanner{decoder: jsontext.NewDecoder(&bytes.Buffer{}, scanOptions...)}
}

// scanOptions are shared by every reset so that none allocates them.
var scanOptions = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

func (s *Scanner) reset(text []byte) {
	s.text = *bytes.NewBuffer(text)
	s.decoder.Reset(&s.text, scanOptions...)
}

// Object calls visit for each member of the JSON object that text holds, in
// order. The name is unquoted; name and value are parts of text where they can
// be and valid as long as text is. What visit returns ends the walk. The error
// wraps ErrSyntax when text is no JSON, and is ErrNotObject when it is another
// kind of value.
func (s *Scanner) Object(text []byte, visit func(name, value []byte) error) error {
	s.reset(text)
	if s.decoder.PeekKind() != '{' {
		return s.notObject()
	}
	if _, err := s.decoder.ReadToken(); err != nil {
		return syntaxError(err)
	}
	for s.decoder.PeekKind() != '}' {
		quoted, err := s.decoder.ReadValue()
		if err != nil {
			return syntaxError(err)
		}
		name := unquoteName(quoted)
		value, err := s.decoder.ReadValue()
		if err != nil {
			return syntaxError(err)
		}
		if err := visit(name, value); err != nil {
			return err
		}
	}
	if _, err := s.decoder.ReadToken(); err != nil {
		return syntaxError(err)
	}
	return s.atEnd()
}

// ErrNotObject means that the text is JSON, but no object.
var ErrNotObject = errors.New("not a JSON object")

func (s *Scanner) notObject() error {
	if err := s.decoder.SkipValue(); err != nil {
		return syntaxError(err)
	}
	if err := s.atEnd(); err != nil {
		return err
	}
	return ErrNotObject
}

// atEnd checks that nothing but white space follows.
func (s *Scanner) atEnd() error {
	if _, err := s.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: text after the value", ErrSyntax)
	}
	return nil
}

func syntaxError(err error) error { return fmt.Errorf("%w: %w", ErrSyntax, err) }

// Array calls visit for each element of the JSON array that text holds, in
// order. The rules are those of Object, with ErrNotArray.
func (s *Scanner) Array(text []byte, visit func(value []byte) error) error {
	s.reset(text)
	if s.decoder.PeekKind() != '[' {
		if err := s.notObject(); !errors.Is(err, ErrNotObject) {
			return err
		}
		return ErrNotArray
	}
	if _, err := s.decoder.ReadToken(); err != nil {
		return syntaxError(err)
	}
	for s.decoder.PeekKind() != ']' {
		value, err := s.decoder.ReadValue()
		if err != nil {
			return syntaxError(err)
		}
		if err := visit(value); err != nil {
			return err
		}
	}
	if _, err := s.decoder.ReadToken(); err != nil {
		return syntaxError(err)
	}
	return s.atEnd()
}

// ErrNotArray means that the text is JSON, but no array.
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
	// Unquoting reports the replaced bytes as an error and still returns the text.
	text, _ := jsontext.AppendUnquote(nil, value)
	return string(text)
}

// Quote returns text as a JSON string.
func Quote(text string) []byte {
	// Quoting reports bytes that are not UTF-8 as an error and still returns the text.
	quoted, _ := jsontext.AppendQuote(nil, text)
	return quoted
}

// Kind returns the first byte that tells what kind of value the JSON text
// holds: '{', '[', '"', 't', 'f', 'n', '0' for any number, 0 for nothing.
func Kind(value []byte) byte {
	value = bytes.TrimLeft(value, " \t\r\n")
	if len(value) == 0 {
		return 0
	}
	if c := value[0]; c == '-' || c >= '0' && c <= '9' {
		return '0'
	}
	return value[0]
}

// IsNull reports whether value is absent or the JSON null.
func IsNull(value json.RawMessage) bool {
	kind := Kind(value)
	return kind == 0 || kind == 'n'
}

// pool holds scanners for those who scan now and then.
var pool = sync.Pool{New: func() any { return NewScanner() }}

// Object is Scanner.Object with a scanner of the package's.
func Object(text []byte, visit func(name, value []byte) error) error {
	scanner := pool.Get().(*Scanner)
	defer pool.Put(scanner)
	return scanner.Object(text, visit)
}
