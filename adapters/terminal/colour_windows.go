package terminal

import (
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// showsColour enables control sequences, which are disabled in old consoles, and reports whether that
// worked.
func showsColour(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return true
	}
	var mode uint32
	console := windows.Handle(file.Fd())
	if windows.GetConsoleMode(console, &mode) != nil {
		return true // not a console of Windows, so control sequences work
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
