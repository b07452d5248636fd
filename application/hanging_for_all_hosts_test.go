package application_test

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/sharing"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// twoSharing starts the workbenches of two hosts that share the server db, and open its toolbox.
func twoSharing(t *testing.T) (a, b *workbench, server *fakeServer) {
	dev := toolbox("dev", "db")
	dev.Servers[0].Shared = true
	a, b = prepare(t, dev), prepare(t, dev)
	b.servers = a.servers
	connector := sharing.NewConnector(a.servers, slog.New(slog.DiscardHandler))
	for _, w := range []*workbench{a, b} {
		w.connector = connector
		w.wire(nil, nil)
		w.opens("dev")
	}
	return a, b, a.server("db")
}

var _ = Describe("A shared server that hangs", Label("M10"), func() {
	const (
		ofFinder = "the server did not answer 3 calls in a row, nor a ping"
		ofOthers = "the server did not answer the calls of another host, nor a ping"
	)
	hangs := func(server *fakeServer) {
		server.calls = func(call ports.ToolCall, reply ports.Reply) {
			time.AfterFunc(call.SilenceLimit, func() { reply(ports.Answer{}, &domain.TimedOutError{}) })
		}
		server.requests = func(request ports.Request, reply ports.Reply) {
			time.AfterFunc(request.Limit, func() { reply(ports.Answer{}, &domain.TimedOutError{}) })
		}
	}
	// goesOn expects that both hosts share one server again, and that each is told why it was
	// restarted.
	goesOn := func(a, b *workbench, server *fakeServer, ofA, ofB string) {
		GinkgoHelper()
		Expect(live(server)).To(BeZero())
		Expect(starts(server)).To(Equal(1))
		server.calls, server.requests = nil, nil
		for _, w := range []*workbench{a, b} {
			Expect(w.uses("db")).To(Succeed())
		}
		Expect(starts(server)).To(Equal(2))
		Expect(live(server)).To(Equal(1))
		for w, why := range map[*workbench]string{a: ofA, b: ofB} {
			Expect(w.opens("dev").Servers[0].Warnings).To(HaveExactElements(And(
				HaveField("Kind", domain.ServerRestarted), HaveField("Reason", MatchError(HaveSuffix(why))),
			)))
		}
	}

	It("is restarted once for all hosts when one of them finds out", spec.InBubble(func(t *testing.T) {
		a, b, server := twoSharing(t)
		hangs(server)
		for range 3 {
			a.use("db", "read")
		}
		time.Sleep(domain.DefaultLimits().Call)
		waiting := b.use("db", "read")
		time.Sleep(time.Minute)
		synctest.Wait()

		times, _, err := waiting.received()
		Expect(times).To(Equal(1))
		Expect(err).To(MatchError(ContainSubstring(ofOthers)))
		goesOn(a, b, server, ofFinder, ofOthers)
	}))

	It("is restarted once for all hosts when all find out at the same time", spec.InBubble(func(t *testing.T) {
		a, b, server := twoSharing(t)
		hangs(server)
		for range 3 {
			a.use("db", "read")
			b.use("db", "read")
		}
		time.Sleep(domain.DefaultLimits().Call + time.Minute)
		synctest.Wait()
		Expect(live(server)).To(BeZero())
		server.calls, server.requests = nil, nil

		for _, w := range []*workbench{a, b} {
			Expect(w.uses("db")).To(Succeed())
		}
		Expect(starts(server)).To(Equal(2))
		Expect(live(server)).To(Equal(1))
	}))
})
