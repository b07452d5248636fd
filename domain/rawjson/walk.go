package rawjson

import (
	"bytes"
	"fmt"
)

// walk goes through JSON text (RFC 8259) from value to value, checking every byte
// and decoding nothing. It accepts what is legal on the wire though discouraged:
// repeated names, strings that are not UTF-8, unpaired surrogates.
//
// Every byte of a message passes through it twice. It reads many bytes of a string at a
// time, which makes it five times as fast as a tokenizer that returns tokens, and a small
// message costs no more calls than it has values.
type walk struct {
	text []byte
	at   int
	// high is the bitwise OR of the bytes of strings. If it has none of highBits, the walked text is ASCII. It
	// may also include bytes after the walked text.
	high uint64
	// lineEnds is set after a line feed or carriage return between tokens.
	lineEnds bool
}

// unexpected returns an error about the current position.
func (w *walk) unexpected() error {
	if w.at >= len(w.text) {
		return &SyntaxError{At: w.at, why: "it ends too early"}
	}
	return &SyntaxError{At: w.at, why: fmt.Sprintf("unexpected %q at byte %d", w.text[w.at], w.at+1)}
}

// next skips white space and returns the byte after it, 0 at the end.
func (w *walk) next() byte {
	for w.at < len(w.text) {
		switch c := w.text[w.at]; c {
		case ' ', '\t':
			w.at++
		case '\n', '\r':
			w.lineEnds = true
			w.at++
		default:
			return c
		}
	}
	return 0
}

// pass skips white space and one sign, which must follow.
func (w *walk) pass(sign byte) error {
	if w.next() != sign {
		return w.unexpected()
	}
	w.at++
	return nil
}

// value skips a value that is depth objects and arrays deep, and returns it without the
// white space around it.
func (w *walk) value(depth int) ([]byte, error) {
	w.next()
	begin := w.at
	if err := w.skip(depth); err != nil {
		return nil, err
	}
	return w.text[begin:w.at:w.at], nil
}

// skip skips a value that is depth objects and arrays deep.
func (w *walk) skip(depth int) error {
	switch c := w.next(); c {
	case '"':
		return w.skipString()
	case '{':
		return w.skipObject(depth + 1)
	case '[':
		return w.skipArray(depth + 1)
	case 't':
		return w.skipWord("true")
	case 'f':
		return w.skipWord("false")
	case 'n':
		return w.skipWord("null")
	default:
		if c == '-' || isDigit(c) {
			return w.skipNumber()
		}
		return w.unexpected()
	}
}

func (w *walk) skipObject(depth int) error {
	if depth > maxDepth {
		return tooDeep()
	}
	w.at++
	if w.next() == '}' {
		w.at++
		return nil
	}
	for {
		if err := w.skipName(); err != nil {
			return err
		}
		if err := w.skip(depth); err != nil {
			return err
		}
		more, err := w.more('}')
		if !more || err != nil {
			return err
		}
	}
}

func (w *walk) skipArray(depth int) error {
	if depth > maxDepth {
		return tooDeep()
	}
	w.at++
	if w.next() == ']' {
		w.at++
		return nil
	}
	for {
		if err := w.skip(depth); err != nil {
			return err
		}
		more, err := w.more(']')
		if !more || err != nil {
			return err
		}
	}
}

// skipName skips the name of a member and the colon after it.
func (w *walk) skipName() error {
	if w.next() != '"' {
		return w.unexpected()
	}
	if err := w.skipString(); err != nil {
		return err
	}
	return w.pass(':')
}

// name skips the name of a member and the colon after it, and returns the name without
// quotes and escapes.
func (w *walk) name() ([]byte, error) {
	w.next()
	begin := w.at
	if err := w.skipName(); err != nil {
		return nil, err
	}
	quoted := w.text[begin:w.at]
	return unquoteName(quoted[:bytes.LastIndexByte(quoted, '"')+1]), nil
}

// end checks that only white space follows.
func (w *walk) end() error {
	if w.next() != 0 || w.at < len(w.text) {
		return w.unexpected()
	}
	return nil
}

// more skips the comma or end after a value in an object or array, and reports whether
// another value follows.
func (w *walk) more(end byte) (bool, error) {
	switch w.next() {
	case ',':
		w.at++
		return true, nil
	case end:
		w.at++
		return false, nil
	}
	return false, w.unexpected()
}

func (w *walk) skipWord(word string) error {
	for i := range len(word) {
		if w.at >= len(w.text) || w.text[w.at] != word[i] {
			return w.unexpected()
		}
		w.at++
	}
	return nil
}

// skipNumber skips a number.
func (w *walk) skipNumber() error {
	if w.text[w.at] == '-' {
		w.at++
	}
	if w.at < len(w.text) && w.text[w.at] == '0' {
		w.at++
	} else if err := w.skipDigits(); err != nil {
		return err
	}
	if w.at < len(w.text) && w.text[w.at] == '.' {
		w.at++
		if err := w.skipDigits(); err != nil {
			return err
		}
	}
	if w.at < len(w.text) && (w.text[w.at] == 'e' || w.text[w.at] == 'E') {
		w.at++
		if w.at < len(w.text) && (w.text[w.at] == '+' || w.text[w.at] == '-') {
			w.at++
		}
		return w.skipDigits()
	}
	return nil
}

// skipDigits skips one or more digits.
func (w *walk) skipDigits() error {
	begin := w.at
	for w.at < len(w.text) && isDigit(w.text[w.at]) {
		w.at++
	}
	if w.at == begin {
		return w.unexpected()
	}
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
