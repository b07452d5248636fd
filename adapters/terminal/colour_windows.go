package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// showsColour switches the reading of control sequences on, which old consoles have
// off, and reports whether that worked.
func showsColour(out *os.File) bool {
	var mode uint32
	console := windows.Handle(out.Fd())
	if windows.GetConsoleMode(console, &mode) != nil {
		return true // the terminal of another system, which has them
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
