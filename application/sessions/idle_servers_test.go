package sessions_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("An unused server", func() {
	// up starts sessions with an idle limit for "db", which is up.
	up := func(t *testing.T) *fixture {
		w := start(t, idleServer("db"), server("files"))
		Expect(w.uses("db")).To(Succeed())
		Expect(w.uses("files")).To(Succeed())
		return w
	}

	It("is stopped after its limit, if it has one", spec.InBubble(func(t *testing.T) {
		w := up(t)

		time.Sleep(10*time.Minute - time.Millisecond)
		Expect(countLive(w.servers["db"])).To(Equal(1))

		time.Sleep(24 * time.Hour)
		Expect(countLive(w.servers["db"])).To(BeZero())
		Expect(countLive(w.servers["files"])).To(Equal(1))
	}))

	It("is started again by the next use, which the host does not notice", spec.InBubble(func(t *testing.T) {
		w := up(t)
		for range 10 {
			time.Sleep(time.Hour)

			Expect(w.uses("db")).To(Succeed())
		}

		Expect(countStarts(w.servers["db"])).To(Equal(11))
		Expect(w.host.recorded()).To(BeEmpty())
		Expect(w.sessions.TakeNews(server("db").ID, true)).To(BeEmpty())
	}))

	It("keeps its known tools, without a start", spec.InBubble(func(t *testing.T) {
		w := up(t)
		time.Sleep(time.Hour)

		names, known := w.known.Names(server("db").ID)

		Expect(known).To(BeTrue())
		Expect(names).To(Equal([]string{"read"}))
		Expect(countStarts(w.servers["db"])).To(Equal(1))
	}))

	It("is started once it has ended, not before", spec.InBubble(func(t *testing.T) {
		w := start(t, idleServer("db"))
		w.servers["db"].closing = 3 * time.Second
		Expect(w.uses("db")).To(Succeed())
		time.Sleep(10*time.Minute + time.Second)
		begun := time.Now()

		Expect(w.uses("db")).To(Succeed())

		Expect(w.servers["db"].maxLive).To(Equal(1))
		Expect(time.Since(begun)).To(Equal(2 * time.Second))
	}))

	It("is waited for at the end, but no longer than servers are given", spec.InBubble(func(t *testing.T) {
		w := start(t, idleServer("db"))
		w.servers["db"].closing = 3 * time.Second
		Expect(w.uses("db")).To(Succeed())
		time.Sleep(10*time.Minute + time.Second)
		go w.use("db", func(error) {}) // waits for the session that is being closed
		synctest.Wait()
		begun := time.Now()

		w.close(time.Second)

		Expect(time.Since(begun)).To(Equal(time.Second))
		Expect(countLive(w.servers["db"])).To(BeZero())
	}))
})

var _ = Describe("A server is not idle", func() {
	// stays checks that the server outlives its limit until end, and not for long after it.
	stays := func(w *fixture, end func()) {
		GinkgoHelper()
		time.Sleep(time.Hour)
		Expect(countLive(w.servers["db"])).To(Equal(1))

		end()
		time.Sleep(time.Hour)
		Expect(countLive(w.servers["db"])).To(BeZero())
	}

	It("while a call is under way", spec.InBubble(func(t *testing.T) {
		w := start(t, idleServer("db"))
		var answer ports.Reply
		w.servers["db"].calls = func(reply ports.Reply) { answer = reply }
		w.use("db", func(error) {})

		stays(w, func() { answer(ports.Answer{}, nil) })
	}))

	It("while it waits for an answer from the host", spec.InBubble(func(t *testing.T) {
		w := start(t, idleServer("db"))
		Expect(w.uses("db")).To(Succeed())
		var answer ports.Reply
		w.host.asked = func(reply ports.Reply) { answer = reply }
		w.servers["db"].host.Request(context.Background(), server("db").ID, ports.Message{Method: "roots/list"}, func(ports.Answer, error) {})

		stays(w, func() { answer(ports.Answer{}, nil) })
	}))

	It("while there is a hold on it", spec.InBubble(func(t *testing.T) {
		w := start(t, idleServer("db"))
		connection, err := w.connect("db")
		Expect(err).NotTo(HaveOccurred())
		connection.HoldTask("1")
		connection.HoldSubscription("memo://1")
		connection.ReleaseTask("1")

		stays(w, func() { connection.ReleaseSubscription("memo://1") })
	}))
})
