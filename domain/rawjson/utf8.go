package rawjson

import (
	"encoding/binary"
	"unicode/utf8"
)

// ValidUTF8 is utf8.Valid, in a third of the time for long texts with letters beyond ASCII.
//
// Decision: it is an automaton with one table. The table has 64 bits for each byte, which contain the next
// state for each state. The number of a state is how far to shift them to find its successor, so a byte costs
// a load and a shift, and no branch that could be mispredicted. Algorithms without a table, which decode
// several letters at a time, were slower on random words.
func ValidUTF8(text []byte) bool {
	text = afterASCII(text)
	if len(text) < 32 {
		return utf8.Valid(text)
	}
	var state uint64
	table := utf8States
	for len(text) >= 32 {
		block := text[:32:32]
		text = text[32:]
		high := binary.LittleEndian.Uint64(block) | binary.LittleEndian.Uint64(block[8:]) |
			binary.LittleEndian.Uint64(block[16:]) | binary.LittleEndian.Uint64(block[24:])
		if high&highBits|state&stateMask == 0 {
			continue
		}
		for i := 0; i < len(block); i += 8 {
			eight := block[i : i+8 : i+8]
			state = table[eight[0]] >> (state & stateMask)
			state = table[eight[1]] >> (state & stateMask)
			state = table[eight[2]] >> (state & stateMask)
			state = table[eight[3]] >> (state & stateMask)
			state = table[eight[4]] >> (state & stateMask)
			state = table[eight[5]] >> (state & stateMask)
			state = table[eight[6]] >> (state & stateMask)
			state = table[eight[7]] >> (state & stateMask)
		}
	}
	for _, c := range text {
		state = table[c] >> (state & stateMask)
	}
	return state&stateMask == between
}

// afterASCII returns the rest of text after an ASCII beginning, or after most of it.
func afterASCII(text []byte) []byte {
	for len(text) >= 64 {
		block := text[:64:64]
		high := binary.LittleEndian.Uint64(block) | binary.LittleEndian.Uint64(block[8:]) |
			binary.LittleEndian.Uint64(block[16:]) | binary.LittleEndian.Uint64(block[24:]) |
			binary.LittleEndian.Uint64(block[32:]) | binary.LittleEndian.Uint64(block[40:]) |
			binary.LittleEndian.Uint64(block[48:]) | binary.LittleEndian.Uint64(block[56:])
		if high&highBits != 0 {
			break
		}
		text = text[64:]
	}
	return text
}

// The states of the automaton: how far to shift to find the next one.
const (
	between     = 6 * iota // no letter is incomplete
	wrongByte              // a byte was wrong; this state is final
	oneLeft                // one more byte of a letter must follow
	twoLeft                // two more bytes
	threeLeft              // three more bytes
	afterE0                // two more bytes, the first of which is at least 0xA0
	afterED                // two more bytes, the first of which is below 0xA0
	afterF0                // three more bytes, the first of which is at least 0x90
	afterF4                // three more bytes, the first of which is below 0x90
	endOfStates            // 54, so that all fit into 64 bits

	stateMask = 63
)

// utf8States are the transitions.
var utf8States = newUTF8States()

func newUTF8States() *[256]uint64 {
	var table [256]uint64
	for c := range table {
		for state := range uint64(endOfStates / 6) {
			table[c] |= nextState(6*state, byte(c)) << (6 * state)
		}
	}
	return &table
}

// nextState is the table of RFC 3629 section 4.
func nextState(state uint64, c byte) uint64 {
	within := func(low, high byte, next uint64) uint64 {
		if low <= c && c <= high {
			return next
		}
		return wrongByte
	}
	switch state {
	case between:
		return firstState(c)
	case oneLeft:
		return within(0x80, 0xBF, between)
	case twoLeft:
		return within(0x80, 0xBF, oneLeft)
	case threeLeft:
		return within(0x80, 0xBF, twoLeft)
	case afterE0:
		return within(0xA0, 0xBF, oneLeft)
	case afterED:
		return within(0x80, 0x9F, oneLeft)
	case afterF0:
		return within(0x90, 0xBF, twoLeft)
	case afterF4:
		return within(0x80, 0x8F, twoLeft)
	}
	return wrongByte
}

// firstState returns the state after the first byte of a letter.
func firstState(c byte) uint64 {
	switch {
	case c < 0x80:
		return between
	case c < 0xC2, c > 0xF4:
		return wrongByte
	case c < 0xE0:
		return oneLeft
	case c == 0xE0:
		return afterE0
	case c == 0xED:
		return afterED
	case c < 0xF0:
		return twoLeft
	case c == 0xF0:
		return afterF0
	case c == 0xF4:
		return afterF4
	}
	return threeLeft
}
