package terminal

import (
	"os"

	"golang.org/x/term"
)

// ColourModes are what colour may be: in a terminal, at all times, never.
func ColourModes() []string { return []string{"auto", "always", "never"} }

// Colour is how text stands out (ECMA-48, SGR).
type Colour string

// The colours.
const (
	Plainly Colour = ""
	Bold    Colour = "1"
	Red     Colour = "31"
	Green   Colour = "32"
	Yellow  Colour = "33"
	Cyan    Colour = "36"
)

// Paint returns a text in a colour, or as it is where there are no colours. The text
// must not hold control characters of others (domain.TerminalText).
type Paint func(colour Colour, text string) string

// NewPaint returns what paints text for a file. With the mode "auto" there are colours
// when the file is a terminal, its TERM is not "dumb", and NO_COLOR
// (https://no-color.org) is not set.
func NewPaint(out *os.File, mode string) Paint {
	isPainted := mode == "always"
	if mode == "auto" {
		isPainted = term.IsTerminal(int(out.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && showsColour(out)
	}
	return func(colour Colour, text string) string {
		if !isPainted || colour == Plainly || text == "" {
			return text
		}
		return "\x1b[" + string(colour) + "m" + text + "\x1b[0m"
	}
}
