package wire

import "bytes"

// Lines of an ordinary tool result as they look inside a JSON string: mostly
// plain letters, a line end in each, now and then a quote and a letter beyond
// ASCII. Texts without any of these flatter a program that reads them.
var lines = []string{
	`The report lists every order of the last quarter, grouped by region.\n`,
	`Orders above the limit were held back and are shown at the end of it.\n`,
	`Two customers wrote \"late, but complete\" and asked for no refund.\n`,
	`Nothing was shipped to the café in Lyon, which closed over the summer.\n`,
}

// Text returns size bytes that may stand between the quotes of a JSON string.
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
