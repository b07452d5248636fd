package wire

import "bytes"

// Lines of an ordinary tool result inside a JSON string: mostly
// plain letters, a line end in each, and some quotes and letters beyond
// ASCII. Without these, programs that read the texts would look too fast.
var lines = []string{
	`The report lists every order of the last quarter, grouped by region.\n`,
	`Orders above the limit were held back and are shown at the end of it.\n`,
	`Two customers wrote \"late, but complete\" and asked for no refund.\n`,
	`Nothing was shipped to the café in Lyon, which closed over the summer.\n`,
}

// Text returns size bytes that are valid between the quotes of a JSON string.
func Text(size int) []byte {
	text := make([]byte, 0, size)
	for i := 0; ; i++ {
		line := lines[i%len(lines)]
		if len(text)+len(line) > size {
			return append(text, bytes.Repeat([]byte("x"), size-len(text))...)
		}
		text = append(text, line...)
	}
}
