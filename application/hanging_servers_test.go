package application_test

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
	timesOut := func(_ ports.ToolCall, reply ports.Reply) {
		time.AfterFunc(2*time.Minute, func() { reply(ports.Answer{}, &domain.TimedOutError{}) })
	}
	// callsInRow makes calls one after the other and waits for each.
	callsInRow := func(w *workbench, count int) {
		for range count {
			w.use("db", "read")
			time.Sleep(3 * time.Minute)
			synctest.Wait()
		}
	}
	pings := func(server *fakeServer) int {
		count := 0
		for _, request := range server.session().seen().requests {
			if request.Method == "ping" {
				count++
			}
		}
		return count
	}

	It("is asked whether it answers at all after the third in a row, and stays if it does", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "db"))
		w.server("db").calls = timesOut
		w.opens("dev")

		callsInRow(w, 2)
		Expect(pings(w.server("db"))).To(BeZero())
		callsInRow(w, 1)
		Expect(pings(w.server("db"))).To(Equal(1))
		callsInRow(w, 3)

		Expect(pings(w.server("db"))).To(Equal(2))
		Expect(starts(w.server("db"))).To(Equal(1))
	}))

	It("stays when the answer is a refusal: not every version knows pings", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "db"))
		w.server("db").calls = timesOut
		w.server("db").requests = func(_ ports.Request, reply ports.Reply) {
			reply(ports.Answer{Error: json.RawMessage(`{"code":-32601,"message":"no"}`)}, nil)
		}
		w.opens("dev")

		callsInRow(w, 4)

		Expect(starts(w.server("db"))).To(Equal(1))
	}))

	It("is ended when it does not, and started again by the next use", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "db"))
		w.server("db").calls = timesOut
		w.server("db").requests = func(request ports.Request, reply ports.Reply) {
			Expect(request.Limit).To(Equal(5 * time.Second))
			reply(ports.Answer{}, &domain.TimedOutError{})
		}
		w.opens("dev")

		callsInRow(w, 3)
		Expect(live(w.server("db"))).To(BeZero())
		Expect(starts(w.server("db"))).To(Equal(1))

		w.server("db").calls = nil
		Expect(w.uses("db")).To(Succeed())
		Expect(w.opens("dev").Servers[0].Warnings).To(Equal([]domain.Warning{{
			Kind: domain.ServerRestarted, Reason: &domain.HungError{Calls: 3},
		}}))
	}))

	It("is not suspected when calls are answered in between", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "db"))
		w.opens("dev")
		for range 5 {
			w.server("db").calls = timesOut
			callsInRow(w, 2)
			w.server("db").calls = nil
			callsInRow(w, 1)
		}

		Expect(pings(w.server("db"))).To(BeZero())
	}))
})
