package programs

import (
	"bytes"
	"io"
	"os"
	"slices"
)

// magics are the first bytes of programs for Linux, for Windows, and for macOS on one and on several processors.
var magics = [][]byte{
	{0x7f, 'E', 'L', 'F'},
	{'M', 'Z'},
	{0xcf, 0xfa, 0xed, 0xfe},
	{0xca, 0xfe, 0xba, 0xbe},
}

// examine reports whether a file is a binary program, and whether it is a build of this program.
//
// Decision: it searches the file for the path of the main package, which Go writes into each program. The
// package debug/buildinfo would find the path without reading the whole file, but would add half a
// megabyte to this program for the formats of all systems.
func examine(path string) (isBinary, isBuild bool) {
	file, err := os.Open(path)
	if err != nil {
		return false, false
	}
	defer func() { _ = file.Close() }()
	wanted := mark()
	buffer := make([]byte, 1<<20)
	kept := 0 // the number of bytes from the end of the last part, in which the mark may begin
	for first := true; ; first = false {
		n, err := io.ReadFull(file, buffer[kept:])
		part := buffer[:kept+n]
		if first && !slices.ContainsFunc(magics, func(magic []byte) bool { return bytes.HasPrefix(part, magic) }) {
			return false, false
		}
		if bytes.Contains(part, wanted) {
			return true, true
		}
		if err != nil {
			return true, false
		}
		kept = copy(buffer, part[len(part)-len(wanted):])
	}
}

// mark returns a text that each build of the program contains, whatever its name and version. The text is
// composed here, since every program with this package would contain it otherwise.
func mark() []byte {
	return bytes.Join([][]byte{[]byte("path"), []byte("mcp-workbench/cmd/mcp-workbench\nmod")}, []byte{'\t'})
}
