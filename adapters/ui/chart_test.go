package ui_test

import (
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/ui"
)

var _ = Describe("A chart", func() {
	// paths returns the paths of a drawing by their classes.
	paths := func(d ui.Drawing) map[string]string {
		found := map[string]string{}
		for _, path := range d.Paths {
			found[path.Class] = path.Path
		}
		return found
	}

	It("draws a bar for each interval, with the failed part at the bottom", func() {
		d := ui.BarChart([]int{4, 0, 2}, []int{1, 0, 2}, 4, []string{"a", "", "c"}, "three intervals")

		Expect(paths(d)).To(Equal(map[string]string{"ok": "M1 75V0h8V75z", "bad": "M1 100V75h8V100zM21 100V50h8V100z"}))
		Expect(d.Width).To(Equal(30))
		Expect(d.Hits).To(Equal([]ui.Hit{{Left: 0, Title: "a"}, {Left: 20, Title: "c"}}))
	})

	It("makes one failure among thousands visible", func() {
		d := ui.BarChart([]int{5000}, []int{1}, 5000, nil, "")

		Expect(paths(d)["bad"]).To(Equal("M1 100V98h8V100z"))
	})

	It("draws lines with gaps for missing values", func() {
		d := ui.LineChart([]ui.ChartLine{{Class: "p50", Values: []float64{1, 10, -1, 100, -1}}}, ui.NewLogScale(0.1, []float64{1, 100}), nil, "")

		Expect(paths(d)).To(Equal(map[string]string{"p50": "M5 100L15 50M32 0h6"}))
	})

	DescribeTable("ends an axis at a round number", func(value, end float64) {
		Expect(ui.AxisEnd(value)).To(BeNumerically("~", end, 1e-9))
	},
		Entry("zero", 0.0, 1.0), Entry("one", 1.0, 1.0), Entry("three", 3.0, 4.0), Entry("five", 5.0, 6.0), Entry("60", 60.0, 60.0),
		Entry("61", 61.0, 80.0), Entry("999", 999.0, 1000.0),
	)

	DescribeTable("has a scale of at least two powers of ten", func(values []float64, marks ...float64) {
		Expect(ui.NewLogScale(0.1, values).Marks()).To(HaveLen(len(marks)))
		for i, mark := range ui.NewLogScale(0.1, values).Marks() {
			Expect(math.Abs(mark-marks[i]) / marks[i]).To(BeNumerically("<", 1e-9))
		}
	},
		Entry("without values", []float64{-1, 0}, 100.0, 10.0, 1.0, 0.1),
		Entry("for one value", []float64{5}, 10.0, 1.0, 0.1),
		Entry("for values below its beginning", []float64{0.01, 0.02}, 10.0, 1.0, 0.1),
		Entry("for many values", []float64{0.5, 4000}, 10000.0, 1000.0, 100.0, 10.0, 1.0, 0.1),
	)
})
