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

// key reads one key. Arrow keys are three bytes (ECMA-48: CSI A, or SS3 A in application mode); an Escape
// without more bytes is the Escape key.
func (c *Console) key() (key, error) {
	b, err := c.keys.buffer().ReadByte()
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
		return c.escaped()
	}
	return keyOther, nil
}

func (c *Console) escaped() (key, error) {
	if c.keys.buffer().Buffered() == 0 {
		return keyAbort, nil
	}
	introducer, err := c.keys.buffer().ReadByte()
	if err != nil || introducer != '[' && introducer != 'O' {
		return keyOther, err
	}
	for {
		b, err := c.keys.buffer().ReadByte()
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
