package ownprogram

import (
	"bytes"
	"io"
	"os"
	"slices"
)

// magics begin the programs of Linux, of Windows, and of macOS for one and for several processors.
var magics = [][]byte{
	{0x7f, 'E', 'L', 'F'},
	{'M', 'Z'},
	{0xcf, 0xfa, 0xed, 0xfe},
	{0xca, 0xfe, 0xba, 0xbe},
}

// examine reports whether a file is a program for a processor, and whether it is a build of this program.
//
// Decision: Go writes the path of the main package into each program, and it is searched for as text.
// The package debug/buildinfo would find it without reading the file, and add half a megabyte to this
// program for the formats of all systems.
func examine(path string) (isBinary, isBuild bool) {
	file, err := os.Open(path)
	if err != nil {
		return false, false
	}
	defer func() { _ = file.Close() }()
	wanted := mark()
	buffer := make([]byte, 1<<20)
	kept := 0 // the end of the last part, in which the text may begin
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

// mark returns what each build of the program contains, whatever its name and version. It is put together
// here, since it would otherwise be in every program that contains this package.
func mark() []byte {
	return bytes.Join([][]byte{[]byte("path"), []byte("mcp-workbench/cmd/mcp-workbench\nmod")}, []byte{'\t'})
}
