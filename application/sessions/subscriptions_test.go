package sessions_test

import (
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/sessions"
	"mcp-workbench/application/shares"
	"mcp-workbench/domain"
)

var _ = Describe("The subscriptions of a host", Label("TG04"), func() {
	files := domain.ServerID{Toolbox: "dev", Server: "files"}
	kept := func() { Fail("nothing is given up") }
	// subscribe subscribes, and reports whether that was allowed.
	subscribe := func(host *sessions.Ownership, uri string, giveUp func()) bool {
		if !host.BeginSubscribing(uri, giveUp) {
			return false
		}
		host.Subscribe(uri, files)
		host.EndSubscribing(uri)
		return true
	}

	DescribeTable("are bounded", func(size, most int) {
		host := sessions.NewOwnership(sessions.Share{})
		uri := func(i int) string { return strconv.Itoa(i) + strings.Repeat("a", size-len(strconv.Itoa(i))) }
		for i := range most {
			Expect(subscribe(host, uri(i), kept)).To(BeTrue(), uri(i))
		}

		Expect(subscribe(host, uri(most), kept)).To(BeFalse())
		Expect(subscribe(host, uri(0), kept)).To(BeTrue(), "it has this one")
		host.Unsubscribe(uri(1))
		Expect(subscribe(host, uri(most), kept)).To(BeTrue())
	},
		Entry("in number", 10, 1000),
		Entry("in bytes", 8<<10, 128),
	)

	It("make room if the server refused them, or is gone", func() {
		host := sessions.NewOwnership(sessions.Share{})
		for i := range 2000 {
			Expect(host.BeginSubscribing(strconv.Itoa(i), kept)).To(BeTrue())
			host.EndSubscribing(strconv.Itoa(i))
		}
		for round := range 2 {
			for i := range 1000 {
				Expect(subscribe(host, strconv.Itoa(i), kept)).To(BeTrue(), "round %d", round)
			}
			host.RemoveServer(files)
		}
	})

	It("make room for those of others if their caller has most of all", func() {
		budget := shares.NewBudget(4*600, shares.Newest)
		greedy, modest := sessions.NewOwnership(sessions.Share{Budget: budget, Caller: "a"}), sessions.NewOwnership(sessions.Share{Budget: budget, Caller: "b"})
		var ended []string
		for _, uri := range []string{"1", "2", "3", "4"} {
			Expect(subscribe(greedy, uri, func() { ended = append(ended, uri) })).To(BeTrue())
		}
		Expect(subscribe(greedy, "5", kept)).To(BeFalse())

		Expect(subscribe(modest, "1", kept)).To(BeTrue())
		Expect(ended).To(Equal([]string{"4"}))
	})

	It("are no longer counted once the host is gone", func() {
		budget := shares.NewBudget(600, shares.Newest)
		for range 3 {
			host := sessions.NewOwnership(sessions.Share{Budget: budget, Caller: "a"})
			Expect(subscribe(host, "1", kept)).To(BeTrue())
			host.Close()
			Expect(subscribe(host, "2", kept)).To(BeFalse())
		}
	})
})
