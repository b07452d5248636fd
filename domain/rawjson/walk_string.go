package rawjson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

const (
	// longString is the number of bytes after which the rest of a string is skipped in blocks.
	longString = 64
	// veryLong is the number of bytes in blocks after which the rest of a string is skipped in chunks.
	veryLong = 256
)

// skipString skips a string.
func (w *walk) skipString() error {
	text, at := w.text, w.at+1
	long := at + longString
	var high uint64
	for {
		if at >= long {
			next, more, closed := skipBlocks(text[:min(at+veryLong, len(text))], at)
			if !closed && len(text)-next > veryLong && next > at+veryLong-32 {
				w.high |= more
				next, more, closed = w.skipChunks(next)
			}
			high |= more
			if at = next; closed {
				w.at = at
				w.high |= high
				return nil
			}
			long = len(text) + 1 // the rest is not skipped in blocks
		}
		for at < long && at+8 <= len(text) {
			eight := binary.LittleEndian.Uint64(text[at:])
			high |= eight
			if special := specials(eight); special != 0 {
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
			w.high |= high
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
			high |= uint64(c)
			at++
		}
	}
}

const (
	// chunkSize is the number of bytes of a string that are scanned together, once for each kind of byte: they
	// stay in the nearest cache meanwhile.
	chunkSize = 4 << 10
	// sparse is how far apart backslashes must be, in bytes, for chunks to be faster than blocks.
	sparse = chunkSize / 4
	// denseSize is the number of bytes that are skipped in blocks when backslashes are closer than that.
	denseSize = 4 * chunkSize
)

// skipChunks skips the rest of a string, from the byte at: in chunks where it has few
// backslashes, and in blocks where it has many. The results are those of skipBlocks.
func (w *walk) skipChunks(at int) (next int, high uint64, closed bool) {
	text := w.text
	for at+32 <= len(text) {
		chunk := text[at:min(at+chunkSize, len(text))]
		quote := bytes.IndexByte(chunk, '"')
		if quote >= 0 {
			chunk = chunk[:quote]
		}
		slash := bytes.IndexByte(chunk, '\\')
		if slash >= 0 && slash < sparse {
			before := at
			var more uint64
			at, more, closed = skipBlocks(text[:min(at+denseSize, len(text))], at)
			high |= more
			if closed || at <= before+denseSize-32 {
				return at, high, closed
			}
			continue
		}
		if slash >= 0 {
			chunk = chunk[:slash]
		}
		more, controls := collected(chunk)
		high |= more
		switch {
		case controls:
			return at, high, false
		case slash >= 0:
			end, ok := endOfEscape(text, at+slash+1)
			if !ok {
				return at + slash, high, false
			}
			at = end
		case quote >= 0:
			return at + quote + 1, high, true
		default:
			at += len(chunk)
		}
	}
	return at, high, false
}

// collected returns the bitwise OR of the bytes of a chunk, each in any of the eight places, and whether
// one of them is a control character. The chunk must have no quotes and no backslashes.
func collected(chunk []byte) (high uint64, controls bool) {
	const blanks = ' ' * each
	var below uint64
	for len(chunk) >= 32 {
		block := chunk[:32:32]
		a, b := binary.LittleEndian.Uint64(block), binary.LittleEndian.Uint64(block[8:])
		c, d := binary.LittleEndian.Uint64(block[16:]), binary.LittleEndian.Uint64(block[24:])
		high |= a | b | c | d
		below |= (a-blanks)&^a | (b-blanks)&^b | (c-blanks)&^c | (d-blanks)&^d
		chunk = chunk[32:]
	}
	for ; len(chunk) >= 8; chunk = chunk[8:] {
		a := binary.LittleEndian.Uint64(chunk)
		high |= a
		below |= (a - blanks) &^ a
	}
	for _, c := range chunk {
		high |= uint64(c)
		if c < ' ' {
			controls = true
		}
	}
	return high, controls || below&highBits != 0
}

// skipBlocks skips a string, from the byte at, 32 bytes at a time. It returns the
// index after the closing quote and true, or false and the index where skipString must
// continue, because little is left or a byte is wrong.
//
// The special bytes of a block are bits of a mask, so a block costs one unpredictable branch,
// however many special bytes it has: a quarter less time than eight bytes at a time for text
// with line ends and quotes and for JSON as text, a third less for letters only.
func skipBlocks(text []byte, at int) (next int, high uint64, closed bool) {
blocks:
	for at+32 <= len(text) {
		block := text[at : at+32 : at+32]
		a, b := binary.LittleEndian.Uint64(block), binary.LittleEndian.Uint64(block[8:])
		c, d := binary.LittleEndian.Uint64(block[16:]), binary.LittleEndian.Uint64(block[24:])
		high |= a | b | c | d
		mask := highBitsOf(specials(a)) | highBitsOf(specials(b))<<8 | highBitsOf(specials(c))<<16 | highBitsOf(specials(d))<<24
		for mask != 0 {
			i := bits.TrailingZeros32(mask)
			switch c := block[i]; {
			case c == '"':
				return at + i + 1, high, true
			case c == '\\':
				end, ok := endOfEscape(text, at+i+1)
				if !ok {
					return at + i, high, false
				}
				if end >= at+32 {
					at = end
					continue blocks
				}
				mask &= ^uint32(0) << (end - at)
			case c < ' ':
				return at + i, high, false
			default:
				mask &= mask - 1
			}
		}
		at += 32
	}
	return at, high, false
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

// specials sets the high bit of each of eight bytes that is a quote, a backslash or a control.
// After the first such byte, bits may be set wrongly.
func specials(eight uint64) uint64 {
	turned, slash := eight^turned, eight^slashes
	return ((turned-bounds)&^turned | (slash-each)&^slash) & highBits
}

// highBitsOf returns the high bits of eight bytes side by side.
func highBitsOf(high uint64) uint32 { return uint32(high >> 7 * 0x0102040810204080 >> 56) }
