package terminal

import (
	"errors"
	"io"
)

type key int

const (
	keyOther key = iota
	keyUp
	keyDown
	keySpace
	keyEnter
	keyAbort
)

// key reads one key. Arrow keys come as three bytes (ECMA-48: CSI A, or SS3 A in
// application mode); an Escape that nothing follows is one of its own.
func (t *Terminal) key() (key, error) {
	b, err := t.keys.ReadByte()
	if errors.Is(err, io.EOF) {
		return keyAbort, nil
	}
	if err != nil {
		return keyOther, err
	}
	switch b {
	case 'k':
		return keyUp, nil
	case 'j':
		return keyDown, nil
	case ' ':
		return keySpace, nil
	case '\r', '\n':
		return keyEnter, nil
	case 3, 4, 'q':
		return keyAbort, nil
	case 0x1b:
		return t.escaped()
	}
	return keyOther, nil
}

func (t *Terminal) escaped() (key, error) {
	if t.keys.Buffered() == 0 {
		return keyAbort, nil
	}
	introducer, err := t.keys.ReadByte()
	if err != nil || introducer != '[' && introducer != 'O' {
		return keyOther, err
	}
	for {
		b, err := t.keys.ReadByte()
		switch {
		case err != nil:
			return keyOther, err
		case b == 'A':
			return keyUp, nil
		case b == 'B':
			return keyDown, nil
		case b >= '@' && b <= '~': // the end of another sequence
			return keyOther, nil
		}
	}
}
