package ui

import (
	"math"
	"strconv"
	"strings"
)

const (
	// step is the width of an interval, height the height of a drawing. Browsers stretch drawings to the
	// available space.
	step   = 10
	height = 100
)

// drawing is a drawing for a page. Without a label, it is hidden from screen readers.
type drawing struct {
	Width int
	Label string
	Paths []outline
	Hits  []hit
}

// outline is a path of SVG with its class.
type outline struct{ Class, Path string }

// hit is an interval that shows its title to pointers. Screen readers read the label instead.
type hit struct {
	Left  int
	Title string
}

// barChart draws a bar for each interval, whose part at the bottom has another colour. The maximum is the height of
// the drawing. The titles are shown when a pointer is on an interval, nil for none. The label is for screen readers.
func barChart(heights, parts []int, maximum int, titles []string, label string) drawing {
	var whole, part strings.Builder
	for i, h := range heights {
		bar(&whole, i, float64(parts[i]), float64(h), maximum)
		bar(&part, i, 0, float64(parts[i]), maximum)
	}
	d := newDrawing(len(heights), titles, label)
	d.add("ok", whole.String())
	d.add("bad", part.String())
	return d
}

func newDrawing(intervals int, titles []string, label string) drawing {
	d := drawing{Width: max(intervals, 1) * step, Label: label}
	for i, title := range titles {
		if title != "" {
			d.Hits = append(d.Hits, hit{i * step, title})
		}
	}
	return d
}

func (d *drawing) add(class, path string) {
	if path != "" {
		d.Paths = append(d.Paths, outline{class, path})
	}
}

// bar adds a bar between two values. Even the smallest bar is visible.
func bar(path *strings.Builder, at int, from, to float64, maximum int) {
	if to <= from {
		return
	}
	const minHeight = 2
	scale := height / float64(max(maximum, 1))
	bottom, top := height-from*scale, height-to*scale
	if bottom-top < minHeight {
		top = max(bottom-minHeight, 0)
	}
	path.WriteString("M" + coordinate(float64(at*step+1)) + " " + coordinate(bottom) + "V" + coordinate(top) + "h8V" + coordinate(bottom) + "z")
}

// chartLine is one line of a drawing. A value below 0 is a gap.
type chartLine struct {
	Class  string
	Values []float64
}

// lineChart draws lines on a logarithmic scale.
func lineChart(lines []chartLine, scale logScale, titles []string, label string) drawing {
	d := newDrawing(len(lines[0].Values), titles, label)
	for _, line := range lines {
		d.add(line.Class, linePath(line.Values, scale))
	}
	return d
}

// linePath returns the path of a line with gaps. A value between two gaps becomes a short line.
func linePath(values []float64, scale logScale) string {
	var path strings.Builder
	gap := true
	for i, value := range values {
		if value < 0 {
			gap = true
			continue
		}
		y := coordinate(height - scale.part(value)*height)
		switch isLast := i+1 == len(values) || values[i+1] < 0; {
		case gap && isLast:
			path.WriteString("M" + coordinate(float64(i*step+2)) + " " + y + "h6")
		case gap:
			path.WriteString("M" + coordinate(float64(i*step+step/2)) + " " + y)
		default:
			path.WriteString("L" + coordinate(float64(i*step+step/2)) + " " + y)
		}
		gap = false
	}
	return path.String()
}

// axisEnd returns the smallest round number that is not below a value, for the end of an axis. Its half is also
// round if the value is above 1.
func axisEnd(value float64) float64 {
	if value <= 0 {
		return 1
	}
	magnitude := math.Pow(10, math.Floor(math.Log10(value)))
	for _, factor := range []float64{1, 2, 4, 6, 8} {
		if value <= factor*magnitude*(1+1e-9) {
			return factor * magnitude
		}
	}
	return 10 * magnitude
}

// logScale is a logarithmic scale between two powers of ten.
type logScale struct{ lowest, highest float64 }

// newLogScale returns a scale for the values of lines. It spans at least two powers of ten, and does not begin below
// floor, which must be a power of ten.
func newLogScale(floor float64, lines ...[]float64) logScale {
	lowest, highest := math.Inf(1), 0.0
	for _, values := range lines {
		for _, value := range values {
			if value > 0 {
				lowest, highest = min(lowest, max(value, floor)), max(highest, value)
			}
		}
	}
	if highest == 0 {
		return logScale{floor, 1000 * floor}
	}
	scale := logScale{math.Pow(10, math.Floor(math.Log10(lowest))), math.Pow(10, math.Ceil(math.Log10(highest)))}
	if scale.highest < scale.lowest*99 {
		scale.lowest = max(scale.highest/100, floor)
		scale.highest = scale.lowest * 100
	}
	return scale
}

// marks returns the powers of ten of the scale, the largest first.
func (s logScale) marks() []float64 {
	var powers []float64
	for mark := s.highest; mark >= s.lowest*0.99; mark /= 10 {
		powers = append(powers, mark)
	}
	return powers
}

// part returns the position of a value on the scale, from 0 to 1.
func (s logScale) part(value float64) float64 {
	if value <= s.lowest {
		return 0
	}
	return min(math.Log(value/s.lowest)/math.Log(s.highest/s.lowest), 1)
}

func coordinate(f float64) string {
	return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64)
}
