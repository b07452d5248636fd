package web_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/web"
)

var _ = Describe("The order of messages", func() {
	ended, end := context.WithCancel(context.Background())
	end()
	// isFree reports whether a place waits for nothing: an ended context is the other
	// way out.
	isFree := func(place web.Place) bool { return place.Wait(ended) }

	It("holds nobody up without need", func() {
		var order web.Order

		Expect(isFree(order.Next())).To(BeTrue())
		Expect(isFree(order.Next())).To(BeTrue())
		Expect(isFree(order.First())).To(BeTrue())
	})

	It("keeps what is sent after a message that shapes the session behind it", func() {
		var order web.Order
		before := order.Next()
		first := order.First()
		after, alsoAfter := order.Next(), order.Next()
		Expect(isFree(after)).To(BeFalse())

		first.Arrived()

		Expect(after.Wait(context.Background())).To(BeTrue())
		Expect(alsoAfter.Wait(context.Background())).To(BeTrue())
		before.Arrived() // nobody waits for it
	})

	It("keeps several of them one behind the other", func() {
		var order web.Order
		first, second := order.First(), order.First()

		first.Arrived()

		Expect(second.Wait(context.Background())).To(BeTrue())
		second.Arrived()
		Expect(order.Next().Wait(context.Background())).To(BeTrue())
	})

	It("is given up with the context", func() {
		var order web.Order
		order.First()

		Expect(order.Next().Wait(ended)).To(BeFalse())
	})
})
