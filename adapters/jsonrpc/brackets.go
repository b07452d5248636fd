package jsonrpc

// Brackets counts the open objects and arrays of JSON text that arrives in parts. It does not check the text.
type Brackets struct {
	Open     int
	InString bool // whether the text so far ends within a string
	escaped  bool
	first    byte // the first one that is not blank, 0 until it comes
}

// AreObjects reports whether the text so far begins an object and leaves none open.
func (b *Brackets) AreObjects() bool { return b.first == '{' && b.Open == 0 && !b.InString }

// Add counts the brackets of the next part.
func (b *Brackets) Add(part []byte) {
	for _, c := range part {
		if b.first == 0 && c > ' ' {
			b.first = c
		}
		switch {
		case b.escaped:
			b.escaped = false
		case b.InString:
			b.escaped, b.InString = c == '\\', c != '"'
		case c == '"':
			b.InString = true
		case c == '{' || c == '[':
			b.Open++
		case c == '}' || c == ']':
			b.Open--
		}
	}
}
