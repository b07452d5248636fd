package terminal

import (
	"crypto/rand"
	"fmt"
	"os"
	"slices"
	"strings"
)

// ColourModes returns the modes of colour: only on terminals, always, never.
func ColourModes() []string { return []string{"auto", "always", "never"} }

// CheckColourMode returns an error if a value of the flag --color is not a mode.
func CheckColourMode(mode string) error {
	if !slices.Contains(ColourModes(), mode) {
		return fmt.Errorf("--color %q: use %s", mode, strings.Join(ColourModes(), ", "))
	}
	return nil
}

// Colour is a colour or weight of text (ECMA-48, SGR).
type Colour string

// The colours.
const (
	Plain  Colour = ""
	Bold   Colour = "1"
	Red    Colour = "31"
	Green  Colour = "32"
	Yellow Colour = "33"
	Cyan   Colour = "36"
)

// Paint returns text in a colour, or unchanged if there are no colours. Only an Output can show the
// result.
type Paint func(colour Colour, text string) string

// NewPaint returns the Paint of an output. With the mode "auto" there are colours if the file is a
// terminal, TERM is not "dumb", and NO_COLOR (https://no-color.org) is not set.
func NewPaint(out *Output, mode string) Paint {
	isPainted := mode == "always"
	if mode == "auto" {
		isPainted = out.isTerminal() && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && showsColour(out.to)
	}
	return func(colour Colour, text string) string {
		if !isPainted || colour == Plain || text == "" {
			return text
		}
		return colourMark + string(colour) + "m" + text + colourMark + "0m"
	}
}

// colourMark precedes the parameters of the workbench's own colours until an Output writes them. It is
// random, so that no other text can contain it to set colours.
var colourMark = "\x1b" + rand.Text() + "["
