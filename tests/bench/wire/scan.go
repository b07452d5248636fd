package wire

import "bytes"

// Object walks the object that begins at b[i] and returns the index behind it,
// or -1 if it has no end. It tells member each key, without quotes and as it was
// written, and where its value begins; member returns the index behind the value:
// [Value] steps over it, another call of Object goes inside. A walk that goes
// inside what it looks for reads every byte once.
func Object(b []byte, i int, member func(key []byte, at int) int) int {
	i = skipSpace(b, i)
	if i >= len(b) || b[i] != '{' {
		return -1
	}
	for i++; ; {
		i = skipSpace(b, i)
		switch {
		case i >= len(b):
			return -1
		case b[i] == '}':
			return i + 1
		case b[i] == ',':
			i++
			continue
		case b[i] != '"':
			return -1
		}
		end := stringEnd(b, i)
		if end < 0 {
			return -1
		}
		key := b[i+1 : end-1]
		i = skipSpace(b, end)
		if i >= len(b) || b[i] != ':' {
			return -1
		}
		before := i
		i = member(key, skipSpace(b, i+1))
		if i <= before {
			return -1
		}
	}
}

// Value returns the index behind the value that begins at b[i], or -1 if there
// is none.
func Value(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
		return nestedEnd(b, i)
	default:
		return scalarEnd(b, i)
	}
}

// stringEnd jumps from quote to quote: that is as fast as memory for the long
// texts that matter.
func stringEnd(b []byte, i int) int {
	for from := i + 1; ; {
		at := bytes.IndexByte(b[from:], '"')
		if at < 0 {
			return -1
		}
		quote := from + at
		slashes := 0
		for b[quote-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return quote + 1
		}
		from = quote + 1
	}
}

func nestedEnd(b []byte, i int) int {
	for depth := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			end := stringEnd(b, i)
			if end < 0 {
				return -1
			}
			i = end - 1
		}
	}
	return -1
}

func scalarEnd(b []byte, i int) int {
	start := i
	for i < len(b) && b[i] > ' ' && b[i] != ',' && b[i] != '}' && b[i] != ']' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' {
		i++
	}
	return i
}
