package sharing_test

import (
	"context"
	"encoding/json"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// lists returns the tools that the server lists to a host.
func (g guest) lists() domain.ToolList {
	GinkgoHelper()
	list, err := g.ListTools(context.Background())
	Expect(err).NotTo(HaveOccurred())
	return list
}

var _ = Describe("The tools of a shared server", func() {
	// listing begins a session with a server that lists a tool, and returns two of its hosts.
	listing := func(w *world, more domain.ToolList) (a, b guest) {
		a, b = w.joins(), w.joins()
		more.Tools = []domain.ToolInfo{{Name: "read", Definition: json.RawMessage(`{"name":"read"}`)}}
		w.session(0).tools = more
		return a, b
	}

	It("are listed once for all hosts while the server reports no change, and again after it", inWorld(func(w *world) {
		a, b := listing(w, domain.ToolList{})

		Expect(b.lists()).To(Equal(a.lists()))
		Expect(w.session(0).listings()).To(Equal(1))

		w.session(0).says(ports.ToolsChanged, "{}")
		a.lists()
		Expect(w.session(0).listings()).To(Equal(2))
	}))

	It("are listed again after a minute, since some servers report changes only in their handshake", inWorld(func(w *world) {
		a, b := listing(w, domain.ToolList{})
		a.lists()
		time.Sleep(time.Minute)
		b.lists()
		Expect(w.session(0).listings()).To(Equal(2))
	}))

	It("are listed again if they changed during the listing", inWorld(func(w *world) {
		a, b := listing(w, domain.ToolList{})
		time.AfterFunc(time.Millisecond, func() { w.session(0).says(ports.ToolsChanged, "{}") })
		a.lists()
		b.lists()
		Expect(w.session(0).listings()).To(Equal(2))
	}))

	DescribeTable("are listed for each host, but share the same bytes",
		func(declares bool, more domain.ToolList) {
			inWorld(func(w *world) {
				a, b := listing(w, more)
				w.session(0).reportsNothing = !declares
				one, other := a.lists(), b.lists()
				Expect(w.session(0).listings()).To(Equal(2))
				Expect(other).To(Equal(one))
				Expect(&other.Tools[0]).To(BeIdenticalTo(&one.Tools[0]))
			})()
		},
		Entry("if the server reports no changes", false, domain.ToolList{}),
		Entry("if the list says how long it is valid", true, domain.ToolList{Expires: true, FreshFor: time.Hour}),
		Entry("if something was left out of the list", true, domain.ToolList{Warnings: []domain.Warning{{Kind: domain.ListBroken}}}),
	)

	It("do not share bytes with the earlier list when one of them changed", inWorld(func(w *world) {
		a, b := listing(w, domain.ToolList{Expires: true})
		a.lists()
		w.session(0).tools = domain.ToolList{Tools: []domain.ToolInfo{{Name: "read", Definition: json.RawMessage(`{"name":"read","title":"x"}`)}}}
		Expect(b.lists().Tools[0].Definition).To(BeEquivalentTo(`{"name":"read","title":"x"}`))
	}))
})
