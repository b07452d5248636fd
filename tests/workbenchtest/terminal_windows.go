package workbenchtest

import (
	"os"
	"os/exec"
)

func inOwnSession(*exec.Cmd) {}

// closable returns the terminal: there are no pseudo-terminals there.
func closable(terminal *os.File) (*os.File, error) { return terminal, nil }
