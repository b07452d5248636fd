// Package pictures makes the pictures in README.md from the running program: text of a terminal as SVG, light and dark.
// "make pictures" writes them into .github, and make check-all compares them.
package pictures

import (
	"encoding/xml"
	"fmt"
	"strings"
)

const (
	fontSize, lineHeight, cellWidth, margin = 14, 20, 8.43, 16
	// boldOn and boldOff are what the program writes around bold text.
	boldOn, boldOff = "\x1b[1m", "\x1b[0m"
)

// Palette has the colours of a picture.
type Palette struct{ Name, Ground, Text, Faint, Line string }

// Palettes are those of light and dark pages.
var Palettes = []Palette{
	{"light", "#ffffff", "#1f2328", "#59636e", "#d1d9e0"},
	{"dark", "#0d1117", "#f0f6fc", "#9198a1", "#3d444d"},
}

// Panel is a window of a terminal with a title above its lines. Bold text in lines is between the sequences of a terminal.
type Panel struct {
	Title string
	Lines []string
}

// SVG returns panels beside each other.
func SVG(palette Palette, panels ...Panel) string {
	var body strings.Builder
	left, rows := 0.0, 0
	for _, panel := range panels {
		rows = max(rows, len(panel.Lines))
	}
	height := 2*margin + lineHeight*(rows+1)
	for _, panel := range panels {
		columns := len([]rune(panel.Title))
		for _, line := range panel.Lines {
			columns = max(columns, len([]rune(plain(line))))
		}
		width := float64(columns)*cellWidth + 2*margin
		fmt.Fprintf(&body, `<rect x="%.1f" y="0.5" width="%.1f" height="%d" rx="8" fill="%s" stroke="%s"/>`+"\n", left+0.5, width, height, palette.Ground, palette.Line)
		writeLine(&body, left+margin, 0, palette.Faint, panel.Title)
		for i, line := range panel.Lines {
			writeLine(&body, left+margin, i+1, palette.Text, line)
		}
		left += width + margin
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="%d">
%s</svg>
`, left-margin+1, height+1, fontSize, body.String())
}

func writeLine(body *strings.Builder, left float64, row int, colour, line string) {
	weight := ""
	if strings.Contains(line, boldOn) {
		weight = ` font-weight="bold"`
	}
	var text strings.Builder
	_ = xml.EscapeText(&text, []byte(plain(line))) // a builder does not fail
	fmt.Fprintf(body, `<text x="%.1f" y="%d" fill="%s"%s xml:space="preserve">%s</text>`+"\n", left, margin+lineHeight*row+fontSize, colour, weight, text.String())
}

func plain(line string) string { return strings.NewReplacer(boldOn, "", boldOff, "").Replace(line) }
