package sessions_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A server that lets calls time out", func() {
	timesOut := func(reply ports.Reply) {
		time.AfterFunc(2*time.Minute, func() { reply(ports.Answer{}, &domain.TimedOutError{}) })
	}
	// callsInRow makes calls one after the other and waits for each.
	callsInRow := func(w *fixture, count int) {
		for range count {
			w.use("db", func(error) {})
			time.Sleep(3 * time.Minute)
			synctest.Wait()
		}
	}
	pings := func(server *fakeServer) int { return server.newest.requested("ping") }

	It("gets a ping after the third timeout in a row, and stays if it answers", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		w.servers["db"].calls = timesOut

		callsInRow(w, 2)
		Expect(pings(w.servers["db"])).To(BeZero())
		callsInRow(w, 1)
		Expect(pings(w.servers["db"])).To(Equal(1))
		callsInRow(w, 3)

		Expect(pings(w.servers["db"])).To(Equal(2))
		Expect(countStarts(w.servers["db"])).To(Equal(1))
	}))

	It("stays when it answers the ping with an error, since not every version has pings", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		w.servers["db"].calls = timesOut
		w.servers["db"].requests = func(_ ports.Request, reply ports.Reply) {
			reply(ports.Answer{Error: json.RawMessage(`{"code":-32601,"message":"no"}`)}, nil)
		}

		callsInRow(w, 4)

		Expect(countStarts(w.servers["db"])).To(Equal(1))
	}))

	It("is ended when it does not answer, and started again by the next use", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		w.servers["db"].calls = timesOut
		w.servers["db"].requests = func(request ports.Request, reply ports.Reply) {
			Expect(request.Limit).To(Equal(5 * time.Second))
			reply(ports.Answer{}, &domain.TimedOutError{})
		}

		callsInRow(w, 3)
		Expect(countLive(w.servers["db"])).To(BeZero())
		Expect(countStarts(w.servers["db"])).To(Equal(1))

		w.servers["db"].calls = nil
		Expect(w.uses("db")).To(Succeed())
		Expect(w.sessions.TakeNews(server("db").ID, true)).To(HaveExactElements(HaveField("Reason", &domain.HungError{Calls: 3})))
	}))

	It("gets no ping when calls are answered in between", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		for range 5 {
			w.servers["db"].calls = timesOut
			callsInRow(w, 2)
			w.servers["db"].calls = nil
			callsInRow(w, 1)
		}

		Expect(pings(w.servers["db"])).To(BeZero())
	}))
})
