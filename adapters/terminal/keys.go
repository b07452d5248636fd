package terminal

import (
	"errors"
	"io"
	"unicode"
)

// key is a pressed key. Only a key of the kind keyCharacter has a character.
type key struct {
	kind      keyKind
	character rune
}

type keyKind int

const (
	keyOther keyKind = iota
	keyCharacter
	keyUp
	keyDown
	keyPageUp
	keyPageDown
	keyFirst
	keyLast
	keySpace
	keyTab
	keyBackspace
	keyClear
	keyEvery
	keyEnter
	keyEscape
	keyInterrupt
)

// controls are the keys that send one control character: Ctrl-A is 1, Ctrl-B 2 and so on. Some terminals
// send 8 for the backspace key, others 127.
var controls = map[rune]keyKind{
	1: keyEvery, 3: keyInterrupt, 4: keyInterrupt, 8: keyBackspace, 9: keyTab, '\n': keyEnter, '\r': keyEnter, 14: keyDown, 16: keyUp,
	21: keyClear, ' ': keySpace, 127: keyBackspace,
}

// key reads one key. An escape character without further bytes is the Escape key.
//
// Failures: ErrAborted at the end of the input; those of reading.
func (c *Console) key() (key, error) {
	character, _, err := c.keys.buffer().ReadRune()
	if errors.Is(err, io.EOF) {
		return key{}, ErrAborted
	}
	if err != nil {
		return key{}, err
	}
	kind, isControl := controls[character]
	switch {
	case isControl:
		return key{kind: kind}, nil
	case character == 0x1b:
		return c.escapeSequence()
	case unicode.IsPrint(character) && character != unicode.ReplacementChar:
		return key{keyCharacter, character}, nil
	}
	return key{}, nil
}

// escapeSequence reads the rest of a key that sends several bytes: CSI, parameters and a final byte (ECMA-48), or
// SS3 and a byte in application mode.
func (c *Console) escapeSequence() (key, error) {
	if c.keys.buffer().Buffered() == 0 {
		return key{kind: keyEscape}, nil
	}
	introducer, err := c.keys.buffer().ReadByte()
	if err != nil {
		return key{}, err
	}
	if introducer != '[' && introducer != 'O' { // a key typed after Escape
		return key{kind: keyEscape}, c.keys.buffer().UnreadByte()
	}
	parameters := ""
	for {
		b, err := c.keys.buffer().ReadByte()
		switch {
		case err != nil:
			return key{}, err
		case b >= '@' && b <= '~':
			return key{kind: sequence(parameters, b)}, nil
		}
		const maxParameters = 16
		if len(parameters) < maxParameters {
			parameters += string(rune(b))
		}
	}
}

// sequence returns the key that sends a control sequence.
func sequence(parameters string, final byte) keyKind {
	switch {
	case final == '~':
		return map[string]keyKind{"1": keyFirst, "7": keyFirst, "4": keyLast, "8": keyLast, "5": keyPageUp, "6": keyPageDown}[parameters]
	case parameters != "":
		return keyOther // with Shift, Ctrl or Alt
	}
	return map[byte]keyKind{'A': keyUp, 'B': keyDown, 'H': keyFirst, 'F': keyLast}[final]
}
