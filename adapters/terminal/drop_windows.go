package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// drop discards the unread input of a console. It does nothing to other files.
func drop(in *os.File) { _ = windows.FlushConsoleInputBuffer(windows.Handle(in.Fd())) }
