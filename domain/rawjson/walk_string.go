package rawjson

import (
	"encoding/binary"
	"math/bits"
)

// longString is after how many bytes a string is passed over in blocks.
const longString = 64

// skipString passes over a string.
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
			long = len(text) + 1 // what is left is not for blocks
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

// skipBlocks passes over the string that text is inside of at the byte at, 32 bytes
// at a time. It returns the byte behind the closing quote and true, or false and the
// byte from which on it is for skipString to go on: little is left, or it is wrong.
//
// The bytes that matter in a block are bits of a mask, so a block costs one branch
// that is hard to foresee, however many there are, and not one for each: a quarter
// less time than eight bytes at a time for text with line ends and quotes and for
// JSON as text, a third less for letters only.
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

// endOfEscape returns where the escape ends whose backslash is before the byte at;
// false, and the byte that is wrong, if it is none.
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

// simpleEscapes are the bytes that are an escape together with a backslash. A table
// costs no branch that is hard to foresee.
var simpleEscapes = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// Eight bytes at a time, each with the same value.
const (
	each     = 0x0101010101010101
	highBits = 0x80 * each
	slashes  = '\\' * each
	// A quote is the sign after the blank but one: with that bit turned, quotes and
	// controls are all that is below the sign after the blank.
	turned = ('"' ^ ' ') * each
	bounds = (' ' + 1) * each
)

// specials sets the high bit of each of the first eight bytes that is a quote, a
// backslash or a control; of those behind the first one it may be set without reason.
func specials(text []byte) uint64 {
	eight := binary.LittleEndian.Uint64(text)
	turned, slash := eight^turned, eight^slashes
	return ((turned-bounds)&^turned | (slash-each)&^slash) & highBits
}

// gathered puts the high bits of eight bytes side by side.
func gathered(high uint64) uint32 { return uint32(high >> 7 * 0x0102040810204080 >> 56) }
