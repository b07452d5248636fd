package sharing_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

const (
	subscribe   = "subscribe"
	unsubscribe = "unsubscribe"
	ping        = "ping"
	updated     = "resource updated"
	ofA         = `{"uri":"file:///a"}`
)

// last answers the newest request with a method.
func (s *fakeSession) last(method, result string) {
	requests := s.requestsFor(method)
	requests[len(requests)-1].answers(result)
}

var _ = Describe("Subscribing to a resource of a shared server", func() {
	It("asks the server once, for all hosts", inWorld(func(w *world) {
		a, b, c := w.joins(), w.joins(), w.joins()
		a.asks(subscribe, `{"uri":"file:///a","_meta":{"x":1.0}}`)
		b.asks(subscribe, ofA)
		Expect(append(a.hears(), b.hears()...)).To(BeEmpty(), "the server has not said yes")
		Expect(w.session(0).requestsFor(subscribe)).To(HaveLen(1))
		Expect(w.session(0).requestsFor(subscribe)[0].params).To(Equal(`{"uri":"file:///a","_meta":{"x":1.0}}`))

		w.session(0).last(subscribe, `{}`)
		c.asks(subscribe, ofA)

		for _, g := range []guest{a, b, c} {
			Expect(g.hears()).To(Equal([]string{"got {}"}))
		}
		Expect(w.session(0).requestsFor(subscribe)).To(HaveLen(1))
	}))

	It("brings updates of the resource and of its parts to the members that subscribed", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.asks(subscribe, ofA)
		w.session(0).last(subscribe, "{}")
		b.asks(subscribe, `{"uri":"file:///b/"}`)
		w.session(0).last(subscribe, "{}")
		a.hears()
		b.hears()
		for _, uri := range []string{"file:///a", "file:///ab", "file:///b", "file:///b/c", "file:///a/x/y", "file:///"} {
			w.session(0).says(ports.ResourceUpdated, `{"uri":"`+uri+`"}`)
		}
		Expect(a.hears()[1:]).To(Equal([]string{updated + ` {"uri":"file:///a"}`, updated + ` {"uri":"file:///a/x/y"}`}))
		Expect(b.hears()[1:]).To(Equal([]string{updated + ` {"uri":"file:///b/c"}`}))
	}))

	It("ends at the server when the last host unsubscribes", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.asks(subscribe, ofA)
		w.session(0).last(subscribe, "{}")
		b.asks(subscribe, ofA)

		a.asks(unsubscribe, ofA)
		Expect(a.hears()).To(Equal([]string{"got {}", "got {}"}))
		Expect(w.session(0).requestsFor(unsubscribe)).To(BeEmpty())
		w.session(0).says(ports.ResourceUpdated, ofA)
		Expect(a.hears()).To(HaveLen(2))
		Expect(b.hears()).To(HaveLen(2))
		a.asks(unsubscribe, ofA)
		Expect(a.hears()).To(HaveLen(3))
		Expect(w.session(0).requestsFor(unsubscribe)).To(BeEmpty(), "it has none")

		b.asks(unsubscribe, ofA)
		Expect(b.hears()).To(HaveLen(2), "the server has not answered")
		w.session(0).last(unsubscribe, `{"x":1}`)
		Expect(b.hears()).To(HaveLen(3))
		a.asks(subscribe, ofA)
		Expect(w.session(0).requestsFor(subscribe)).To(HaveLen(2))
	}))

	It("ends with an answer while another host subscribes", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		w.session(0).answersAtOnce = true
		isAnswered := func(ask func(context.Context, ports.Request, ports.Reply)) bool {
			answered := make(chan struct{})
			ask(w.t.Context(), ports.Request{Message: ports.Message{Params: json.RawMessage(ofA)}}, func(ports.Answer, error) { close(answered) })
			select {
			case <-answered:
				return true
			case <-time.After(time.Minute):
				return false
			}
		}
		for range 2000 {
			Expect(isAnswered(a.Subscribe)).To(BeTrue())
			var crossing sync.WaitGroup
			crossing.Go(func() {
				defer GinkgoRecover()
				Expect(isAnswered(b.Subscribe)).To(BeTrue())
			})
			Expect(isAnswered(a.Unsubscribe)).To(BeTrue())
			crossing.Wait()
			Expect(isAnswered(b.Unsubscribe)).To(BeTrue())
		}
	}))

	It("ends for a host that leaves, and for no other", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.asks(subscribe, ofA)
		a.asks(subscribe, `{"uri":"file:///own"}`)
		for _, r := range w.session(0).requestsFor(subscribe) {
			r.answers("{}")
		}
		b.asks(subscribe, ofA)
		synctest.Wait()

		a.leaves(w.t)

		Expect(w.session(0).requestsFor(unsubscribe)).To(HaveLen(1))
		Expect(w.session(0).requestsFor(unsubscribe)[0].params).To(Equal(`{"uri":"file:///own"}`))
		w.session(0).says(ports.ResourceUpdated, ofA)
		Expect(b.hears()).To(Equal([]string{"got {}", updated + " " + ofA}))
	}))

	It("fails for all members that waited for it, and is tried again for the next one", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.asks(subscribe, ofA)
		b.asks(subscribe, ofA)
		w.session(0).requestsFor(subscribe)[0].reply(ports.Answer{Error: json.RawMessage(`{"code":-32002}`)}, nil)
		Expect(a.hears()).To(Equal([]string{`error {"code":-32002}`}))
		Expect(b.hears()).To(Equal([]string{`error {"code":-32002}`}))
		w.session(0).says(ports.ResourceUpdated, ofA)
		b.asks(subscribe, ofA)
		Expect(w.session(0).requestsFor(subscribe)).To(HaveLen(2))
		w.session(0).last(subscribe, "{}")
		Expect(b.hears()).To(HaveLen(2))
	}))

	It("continues for another host when the first one gives up", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		ctx, cancel := context.WithCancel(w.t.Context())
		a.asksUntil(ctx, subscribe, ofA)
		b.asks(subscribe, ofA)
		cancel()
		Expect(a.hears()).To(Equal([]string{"failed: context canceled"}))
		w.session(0).last(subscribe, "{}")
		Expect(b.hears()).To(Equal([]string{"got {}"}))
		w.session(0).says(ports.ResourceUpdated, ofA)
		Expect(a.hears()).To(HaveLen(1))
	}))

	It("is withdrawn if no member wants it any more when the server answers", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		ctx, cancel := context.WithCancel(w.t.Context())
		a.asksUntil(ctx, subscribe, ofA)
		b.asks(subscribe, ofA)
		b.asks(unsubscribe, ofA)
		cancel()
		Expect(b.hears()).To(Equal([]string{"got {}", "got {}"}))
		Expect(w.session(0).requestsFor(unsubscribe)).To(BeEmpty(), "one request at a time")
		w.session(0).last(subscribe, "{}")
		Expect(w.session(0).requestsFor(unsubscribe)).To(HaveLen(1))
		b.asks(subscribe, ofA)
		Expect(w.session(0).requestsFor(subscribe)).To(HaveLen(1), "one request at a time")
		w.session(0).last(unsubscribe, "{}")
		Expect(w.session(0).requestsFor(subscribe)).To(HaveLen(2))
	}))
})

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
