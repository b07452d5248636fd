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
	isFree := func(ticket web.Ticket) bool { return ticket.Wait(ended) }

	It("delays no message without need", func() {
		var sequencer web.Sequencer

		Expect(isFree(sequencer.Ticket())).To(BeTrue())
		Expect(isFree(sequencer.Ticket())).To(BeTrue())
		Expect(isFree(sequencer.Barrier())).To(BeTrue())
	})

	It("keeps later messages behind one that shapes the session", func() {
		var sequencer web.Sequencer
		before := sequencer.Ticket()
		first := sequencer.Barrier()
		after, alsoAfter := sequencer.Ticket(), sequencer.Ticket()
		Expect(isFree(after)).To(BeFalse())

		first.Done()

		Expect(after.Wait(context.Background())).To(BeTrue())
		Expect(alsoAfter.Wait(context.Background())).To(BeTrue())
		before.Done() // no other message waits for it
	})

	It("keeps several of them one behind the other", func() {
		var sequencer web.Sequencer
		first, second := sequencer.Barrier(), sequencer.Barrier()

		first.Done()

		Expect(second.Wait(context.Background())).To(BeTrue())
		second.Done()
		Expect(sequencer.Ticket().Wait(context.Background())).To(BeTrue())
	})

	It("ends with the context", func() {
		var sequencer web.Sequencer
		sequencer.Barrier()

		Expect(sequencer.Ticket().Wait(ended)).To(BeFalse())
	})
})
