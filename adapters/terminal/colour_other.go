//go:build !windows

package terminal

import "io"

// showsColour reports whether a terminal supports colours.
func showsColour(io.Writer) bool { return true }
