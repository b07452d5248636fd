package terminal

import (
	"crypto/rand"
	"os"
	"sync"
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

// Paint returns a text in a colour, or as it is where there are no colours. Only an Output
// can show it.
type Paint func(colour Colour, text string) string

// NewPaint returns what paints text for an output. With the mode "auto" there are colours
// when the file is a terminal, its TERM is not "dumb", and NO_COLOR
// (https://no-color.org) is not set.
func NewPaint(out *Output, mode string) Paint {
	isPainted := mode == "always"
	if mode == "auto" {
		isPainted = out.isTerminal() && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && showsColour(out.to)
	}
	return func(colour Colour, text string) string {
		if !isPainted || colour == Plainly || text == "" {
			return text
		}
		return painting() + string(colour) + "m" + text + painting() + "0m"
	}
}

// painting stands in front of the parameters of the workbench's own colours until an
// Output writes them. Nothing that others write can begin like it, so their colours are
// told from ours.
var painting = sync.OnceValue(func() string { return "\x1b" + rand.Text() + "[" })
