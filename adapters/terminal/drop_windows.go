package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// drop takes out of a console what was typed and not read yet. What is no console keeps
// it.
func drop(in *os.File) { _ = windows.FlushConsoleInputBuffer(windows.Handle(in.Fd())) }
