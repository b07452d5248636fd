package workbenchtest

import "os"

// closable returns the terminal: there are no pseudo-terminals there.
func closable(terminal *os.File) (*os.File, error) { return terminal, nil }
