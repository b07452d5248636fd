package jsonrpc_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
)

// holder records its flushes, in order with those of others.
type holder struct {
	name  string
	order *[]string
}

func (h *holder) Flush() { *h.order = append(*h.order, h.name) }

var _ = Describe("Coalescing writes", func() {
	var (
		flushed  []string
		one, two *holder
		group    *jsonrpc.FlushGroup
	)
	BeforeEach(func() {
		flushed = nil
		one, two = &holder{"one", &flushed}, &holder{"two", &flushed}
		group = &jsonrpc.FlushGroup{}
	})

	It("flushes every writer with pending frames, once and in order", func() {
		for _, h := range []*holder{two, one, two, two} {
			group.Add(h)
		}

		group.Flush()

		Expect(flushed).To(Equal([]string{"two", "one"}))
	})

	It("flushes no writer twice", func() {
		group.Add(one)
		group.Flush()
		group.Flush()

		Expect(flushed).To(Equal([]string{"one"}))
	})

	It("can be used again", func() {
		group.Add(one)
		group.Flush()
		group.Add(one)
		group.Flush()

		Expect(flushed).To(Equal([]string{"one", "one"}))
	})

	It("lets the last message wait only for earlier ones", func() {
		Expect(group.Waiting()).To(BeFalse())

		group.Add(one)
		Expect(group.Waiting()).To(BeTrue())

		group.Flush()
		Expect(group.Waiting()).To(BeFalse())
	})
})
