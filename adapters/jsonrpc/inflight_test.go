package jsonrpc_test

import (
	"errors"
	"maps"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The table of requests in flight", func() {
	var table jsonrpc.InFlight[string, int]
	errGone := errors.New("the connection is gone")

	BeforeEach(func() { table = jsonrpc.NewInFlight[string, int]() })

	It("gives every outgoing request its own id, beginning with 1", func() {
		first := spec.Must(table.Begin("a"))
		_, waited := table.Complete(first)
		Expect(waited).To(BeTrue())

		second := spec.Must(table.Begin("b"))
		Expect([]uint64{first, second}).To(Equal([]uint64{1, 2}))
		Expect(maps.Collect(table.AllOutgoing())).To(Equal(map[uint64]string{2: "b"}))
		Expect(table.OutgoingCount()).To(Equal(1))
	})

	It("completes an outgoing request once", func() {
		id, _ := table.Begin("a")
		found, waits := table.Outgoing(id)
		Expect([]any{found, waits}).To(Equal([]any{"a", true}))

		request, waited := table.Complete(id)
		Expect([]any{request, waited}).To(Equal([]any{"a", true}))

		_, waited = table.Complete(id)
		Expect(waited).To(BeFalse())
		_, waits = table.Outgoing(id)
		Expect(waits).To(BeFalse())
	})

	It("accepts an id of the other side once at a time", func() {
		Expect(table.Accept(`"a"`, 1, 9)).To(Succeed())
		Expect(table.Accept(`"a"`, 2, 9)).To(MatchError(jsonrpc.ErrIDTaken))

		request, open := table.Incoming(`"a"`)
		Expect([]any{request, open}).To(Equal([]any{1, true}))
		request, open = table.Settle(`"a"`)
		Expect([]any{request, open}).To(Equal([]any{1, true}))
		_, open = table.Settle(`"a"`)
		Expect(open).To(BeFalse())

		Expect(table.Accept(`"a"`, 3, 9)).To(Succeed())
	})

	It("accepts no more than the limit, and keeps the directions apart", func() {
		_, _ = table.Begin("out")
		Expect(table.Accept("1", 1, 2)).To(Succeed())
		Expect(table.Accept("2", 2, 2)).To(Succeed())
		Expect(table.Accept("3", 3, 2)).To(MatchError(jsonrpc.ErrTooMany))
		Expect(table.Accept("2", 2, 2)).To(MatchError(jsonrpc.ErrIDTaken))

		Expect(table.IncomingCount()).To(Equal(2))
		Expect(maps.Collect(table.AllIncoming())).To(Equal(map[string]int{"1": 1, "2": 2}))
	})

	It("returns all requests in flight when it fails, and refuses later ones", func() {
		id, _ := table.Begin("a")
		Expect(table.Accept("7", 7, 9)).To(Succeed())
		Expect(table.Failure()).To(Succeed())

		outgoing, incoming, first := table.Fail(errGone)

		Expect(outgoing).To(Equal(map[uint64]string{id: "a"}))
		Expect(incoming).To(Equal(map[string]int{"7": 7}))
		Expect(first).To(BeTrue())
		Expect(table.Failure()).To(MatchError(errGone))
		_, err := table.Begin("b")
		Expect(err).To(MatchError(errGone))
		Expect(table.Accept("8", 8, 9)).To(MatchError(errGone))
		_, waited := table.Complete(id)
		Expect(waited).To(BeFalse())
		_, _, first = table.Fail(errors.New("later"))
		Expect(first).To(BeFalse())
		Expect(table.Failure()).To(MatchError(errGone))
	})
})
