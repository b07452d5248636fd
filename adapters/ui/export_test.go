package ui

// The charts of pages.
type (
	Drawing   = drawing
	Hit       = hit
	ChartLine = chartLine
)

var (
	BarChart, LineChart  = barChart, lineChart
	AxisEnd, NewLogScale = axisEnd, newLogScale
)

// Marks returns the powers of ten of the scale, the largest first.
func (s logScale) Marks() []float64 { return s.marks() }
