package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// drop removes what was typed and not read yet from a console. A file that is not one keeps
// it.
func drop(in *os.File) { _ = windows.FlushConsoleInputBuffer(windows.Handle(in.Fd())) }
