package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Recent names", func() {
	It("keep their last value", func() {
		var recent domain.Recent[string, int]
		recent.Put("a", 1, 4)
		recent.Put("a", 2, 4)

		value, known := recent.Get("a")
		Expect(value).To(Equal(2))
		Expect(known).To(BeTrue())
	})

	It("are at least half of the most, and at most all of it", func() {
		var recent domain.Recent[int, int]
		const most = 10
		for i := range 100 {
			recent.Put(i, i, most)
			count := 0
			for j := range i + 1 {
				if _, known := recent.Get(j); known {
					count++
					Expect(j).To(BeNumerically(">", i-most))
				} else {
					Expect(j).To(BeNumerically("<=", i-most/2))
				}
			}
			Expect(count).To(BeNumerically("<=", most))
		}
	})

	It("are unknown at first", func() {
		var recent domain.Recent[string, int]

		_, known := recent.Get("a")
		Expect(known).To(BeFalse())
	})
})
