//go:build !windows

package terminal

import "io"

// showsColour reports whether a terminal reads colours.
func showsColour(io.Writer) bool { return true }
