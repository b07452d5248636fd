package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

// holder counts how often it is flushed, and in which order with others.
type holder struct {
	name  string
	order *[]string
}

func (h *holder) Flush() { *h.order = append(*h.order, h.name) }

var _ = Describe("Gathering writes", func() {
	var (
		flushed  []string
		one, two *holder
		batch    *domain.Batch
	)
	BeforeEach(func() {
		flushed = nil
		one, two = &holder{"one", &flushed}, &holder{"two", &flushed}
		batch = &domain.Batch{}
	})

	It("flushes everyone who held something back, once and in order", func() {
		for _, h := range []*holder{two, one, two, two} {
			Expect(batch.Add(h)).To(BeTrue())
		}

		batch.Flush()

		Expect(flushed).To(Equal([]string{"two", "one"}))
	})

	It("flushes nobody twice", func() {
		batch.Add(one)
		batch.Flush()
		batch.Flush()

		Expect(flushed).To(Equal([]string{"one"}))
	})

	It("can be used again", func() {
		batch.Add(one)
		batch.Flush()
		batch.Add(one)
		batch.Flush()

		Expect(flushed).To(Equal([]string{"one", "one"}))
	})

	It("lets the last message wait only for what waits already", func() {
		Expect(batch.Last()).To(BeNil())

		batch.Add(one)
		Expect(batch.Last()).To(BeIdenticalTo(batch))

		batch.Flush()
		Expect(batch.Last()).To(BeNil())
	})

	It("that is not there gathers nothing", func() {
		var none *domain.Batch

		Expect(none.Add(one)).To(BeFalse())
	})
})
