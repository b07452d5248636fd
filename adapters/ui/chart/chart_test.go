package chart_test

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/ui/chart"
	"mcp-workbench/adapters/ui/html"
)

var _ = Describe("A chart", func() {
	// paths returns the paths of a chart by their classes, and checks that the text is also valid XML.
	paths := func(text string) map[string]string {
		found := map[string]string{}
		decoder := xml.NewDecoder(strings.NewReader(text))
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				return found
			}
			Expect(err).NotTo(HaveOccurred(), text)
			if start, isStart := token.(xml.StartElement); isStart && start.Name.Local == "path" {
				attributes := map[string]string{}
				for _, attribute := range start.Attr {
					attributes[attribute.Name.Local] = attribute.Value
				}
				found[attributes["class"]] = attributes["d"]
			}
		}
	}

	It("draws a bar for each interval, with the failed part at the bottom", func() {
		var w html.Writer

		chart.Bars(&w, []int{4, 0, 2}, []int{1, 0, 2}, 4, []string{"a", "", "c"}, "three intervals")

		Expect(paths(w.String())).To(Equal(map[string]string{"ok": "M1 75V0h8V75z", "bad": "M1 100V75h8V100zM21 100V50h8V100z"}))
		Expect(w.String()).To(ContainSubstring(`role="img" aria-label="three intervals"`))
		Expect(strings.Count(w.String(), "<title>")).To(Equal(2))
	})

	It("makes one failure among thousands visible", func() {
		var w html.Writer

		chart.Bars(&w, []int{5000}, []int{1}, 5000, nil, "")

		Expect(paths(w.String())["bad"]).To(Equal("M1 100V98h8V100z"))
		Expect(w.String()).To(ContainSubstring(`aria-hidden="true"`))
	})

	It("draws lines with gaps for missing values", func() {
		var w html.Writer

		chart.Lines(&w, []chart.Line{{Class: "p50", Values: []float64{1, 10, -1, 100, -1}}}, chart.ScaleFor(0.1, []float64{1, 100}), nil, "")

		Expect(paths(w.String())).To(Equal(map[string]string{"p50": "M5 100L15 50M32 0h6"}))
	})

	It("escapes titles", func() {
		var w html.Writer

		chart.Bars(&w, []int{1}, []int{0}, 1, []string{"<script>"}, `"><script>`)

		Expect(w.String()).NotTo(ContainSubstring("<script"))
	})

	DescribeTable("ends an axis at a round number", func(value, end float64) {
		Expect(chart.Ceiling(value)).To(BeNumerically("~", end, 1e-9))
	},
		Entry("zero", 0.0, 1.0), Entry("one", 1.0, 1.0), Entry("three", 3.0, 4.0), Entry("five", 5.0, 6.0), Entry("60", 60.0, 60.0),
		Entry("61", 61.0, 80.0), Entry("999", 999.0, 1000.0),
	)

	DescribeTable("has a scale of at least two powers of ten", func(values []float64, marks ...float64) {
		Expect(chart.ScaleFor(0.1, values).Marks()).To(HaveLen(len(marks)))
		for i, mark := range chart.ScaleFor(0.1, values).Marks() {
			Expect(math.Abs(mark-marks[i]) / marks[i]).To(BeNumerically("<", 1e-9))
		}
	},
		Entry("without values", []float64{-1, 0}, 100.0, 10.0, 1.0, 0.1),
		Entry("for one value", []float64{5}, 10.0, 1.0, 0.1),
		Entry("for values below its beginning", []float64{0.01, 0.02}, 10.0, 1.0, 0.1),
		Entry("for many values", []float64{0.5, 4000}, 10000.0, 1000.0, 100.0, 10.0, 1.0, 0.1),
	)
})
