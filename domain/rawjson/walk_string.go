package rawjson

import (
	"encoding/binary"
	"math/bits"
)

// longString is after how many bytes the rest of a string is skipped in blocks.
const longString = 64

// skipString skips a string.
func (w *walk) skipString() error {
	text, at := w.text, w.at+1
	long := at + longString
	for {
		if at >= long {
			var closed bool
			if at, closed = skipBlocks(text, at); closed {
				w.at = at
				return nil
			}
			long = len(text) + 1 // the rest is not skipped in blocks
		}
		for at < long && at+8 <= len(text) {
			if special := specials(text[at:]); special != 0 {
				at += bits.TrailingZeros64(special) / 8
				break
			}
			at += 8
		}
		if at >= len(text) {
			w.at = at
			return w.unexpected()
		}
		switch c := text[at]; {
		case c == '"':
			w.at = at + 1
			return nil
		case c == '\\':
			end, ok := endOfEscape(text, at+1)
			if !ok {
				w.at = end
				return w.unexpected()
			}
			at = end
		case c < ' ':
			w.at = at
			return w.unexpected()
		default:
			at++
		}
	}
}

// skipBlocks skips the rest of a string, from the byte at, 32 bytes at a time. It returns the
// index after the closing quote and true, or false and the index where skipString must
// continue, because little is left or a byte is wrong.
//
// The special bytes of a block are bits of a mask, so a block costs one unpredictable branch,
// however many special bytes it has: a quarter less time than eight bytes at a time for text
// with line ends and quotes and for JSON as text, a third less for letters only.
func skipBlocks(text []byte, at int) (next int, closed bool) {
blocks:
	for at+32 <= len(text) {
		block := text[at : at+32 : at+32]
		mask := gathered(specials(block)) | gathered(specials(block[8:]))<<8 |
			gathered(specials(block[16:]))<<16 | gathered(specials(block[24:]))<<24
		for mask != 0 {
			i := bits.TrailingZeros32(mask)
			switch c := block[i]; {
			case c == '"':
				return at + i + 1, true
			case c == '\\':
				end, ok := endOfEscape(text, at+i+1)
				if !ok {
					return at + i, false
				}
				if end >= at+32 {
					at = end
					continue blocks
				}
				mask &= ^uint32(0) << (end - at)
			case c < ' ':
				return at + i, false
			default:
				mask &= mask - 1
			}
		}
		at += 32
	}
	return at, false
}

// endOfEscape returns the end of the escape whose backslash is before the byte at, or false
// and the index of the wrong byte.
func endOfEscape(text []byte, at int) (end int, ok bool) {
	if at >= len(text) {
		return at, false
	}
	if simpleEscapes[text[at]] {
		return at + 1, true
	}
	if text[at] != 'u' {
		return at, false
	}
	for end = at + 1; end < at+5; end++ {
		if end >= len(text) || !isHex(text[end]) {
			return end, false
		}
	}
	return end, true
}

// simpleEscapes are the bytes that follow a backslash in an escape of two. A table costs no
// unpredictable branch.
var simpleEscapes = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// Eight bytes at a time, each with the same value.
const (
	each     = 0x0101010101010101
	highBits = 0x80 * each
	slashes  = '\\' * each
	// A quote is two above the blank: with that bit turned, only quotes and controls are
	// at or below the blank.
	turned = ('"' ^ ' ') * each
	bounds = (' ' + 1) * each
)

// specials sets the high bit of each of the first eight bytes that is a quote, a backslash or
// a control. After the first such byte, bits may be set wrongly.
func specials(text []byte) uint64 {
	eight := binary.LittleEndian.Uint64(text)
	turned, slash := eight^turned, eight^slashes
	return ((turned-bounds)&^turned | (slash-each)&^slash) & highBits
}

// gathered returns the high bits of eight bytes side by side.
func gathered(high uint64) uint32 { return uint32(high >> 7 * 0x0102040810204080 >> 56) }
