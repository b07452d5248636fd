package sessions_test

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A server that the user restarts", func() {
	db := domain.ServerID{Toolbox: "dev", Server: "db"}

	It("ends and starts again at once, and the host is told", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		Expect(w.uses("db")).To(Succeed())

		finish := w.sessions.BeginRestart(db)
		Expect(finish(t.Context())).To(Succeed())

		Expect(countStarts(w.servers["db"])).To(Equal(2))
		Expect(countLive(w.servers["db"])).To(Equal(1))
		Expect(w.servers["db"].maxLive).To(Equal(1))
		Expect(w.host.recorded()).To(ContainElement("db: restarted"))
		Expect(w.uses("db")).To(Succeed())
		Expect(w.activities.recorded()).To(ContainElements(
			And(HaveField("Kind", domain.ActivityEnd), HaveField("Outcome", domain.OutcomeOK)),
			HaveField("Kind", domain.ActivityRestart),
		))
	}))

	It("fails the calls under way as if it was lost", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		var pending ports.Reply
		w.servers["db"].calls = func(reply ports.Reply) { pending = reply }
		var outcome error
		w.use("db", func(err error) { outcome = err })
		finish := w.sessions.BeginRestart(db)
		synctest.Wait()

		pending(ports.Answer{}, &domain.ServerUnavailableError{ID: db, Reason: domain.ErrDisconnected})

		Expect(outcome).To(MatchError(ContainSubstring("the user restarted it")))
		Expect(finish(t.Context())).To(Succeed())
	}))

	It("does not wait for the pause after its failures", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		w.servers["db"].fail("no such program")
		for range 3 {
			_, _ = w.connect("db")
		}
		before := countStarts(w.servers["db"])
		_, err := w.connect("db")
		Expect(err).To(HaveOccurred())
		Expect(countStarts(w.servers["db"])).To(Equal(before), "it is paused")

		w.servers["db"].failure = nil
		Expect(w.sessions.BeginRestart(db)(t.Context())).To(Succeed())
	}))

	It("may still be starting, and callers that wait for it get the new session", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		w.servers["db"].startup = time.Second
		var outcome error
		go func() { _, outcome = w.sessions.Connect(t.Context(), w.configured["db"]) }()
		synctest.Wait()

		Expect(w.sessions.BeginRestart(db)(t.Context())).To(Succeed())

		synctest.Wait()
		Expect(outcome).NotTo(HaveOccurred())
		Expect(countStarts(w.servers["db"])).To(Equal(2))
		Expect(countLive(w.servers["db"])).To(Equal(1))
	}))

	It("must be running or have failed", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"), idleServer("idle"))
		Expect(w.sessions.BeginRestart(db)).To(BeNil(), "it was not needed yet")
		Expect(w.uses("idle")).To(Succeed())
		time.Sleep(time.Hour)
		synctest.Wait()
		Expect(w.sessions.BeginRestart(domain.ServerID{Toolbox: "dev", Server: "idle"})).To(BeNil())
		Expect(w.uses("db")).To(Succeed())
		w.close(time.Hour)
		Expect(w.sessions.BeginRestart(db)).To(BeNil(), "the host is gone")
	}))

	It("has a status with its state and when it was connected to", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		w.servers["db"].startup = time.Second
		statuses := func() (list []ports.ServerStatus) {
			w.sessions.Statuses(func(status ports.ServerStatus) { list = append(list, status) })
			return list
		}
		Expect(statuses()).To(BeEmpty())
		begun := time.Now()
		Expect(w.uses("db")).To(Succeed())
		Expect(statuses()).To(HaveExactElements(And(HaveField("State", "running"), HaveField("Since", begun.Add(time.Second)))))
		w.servers["db"].die()
		synctest.Wait()
		Expect(statuses()).To(HaveExactElements(And(HaveField("State", "failed"), HaveField("Since", time.Time{}))))
	}))
})

var _ = Describe("A server whose calls are under way", func() {
	db := domain.ServerID{Toolbox: "dev", Server: "db"}
	configured := func(servers ...domain.Server) []domain.Toolbox {
		return []domain.Toolbox{{Name: "dev", Servers: servers}}
	}
	// busy returns a server that needs a second to end and has a call under way, and what answers that.
	busy := func(t *testing.T) (w *fixture, answer func()) {
		w = start(t, server("db"))
		w.servers["db"].closing = time.Second
		var pending ports.Reply
		w.servers["db"].calls = func(reply ports.Reply) { pending = reply }
		w.use("db", func(error) {})
		return w, func() { pending(ports.Answer{Result: []byte("{}")}, nil) }
	}

	DescribeTable("is never run twice with the same settings",
		func(end func(w *fixture), isAnswered bool) {
			spec.InBubble(func(t *testing.T) {
				w, answer := busy(t)
				end(w)
				if isAnswered {
					time.AfterFunc(time.Second, answer)
				}

				_, err := w.connect("db")

				Expect(err).NotTo(HaveOccurred())
				Expect(countStarts(w.servers["db"])).To(Equal(2))
				Expect(w.servers["db"].maxLive).To(Equal(1))
			})()
		},
		Entry("when it is restarted", func(w *fixture) { w.sessions.BeginRestart(db) }, false),
		Entry("when it is disabled and enabled", func(w *fixture) {
			w.sessions.Reload(configured())
			w.sessions.Reload(configured(server("db")))
		}, true),
		Entry("when it gets other settings and its former ones back", func(w *fixture) {
			w.sessions.Reload(configured(idleServer("db")))
			w.sessions.Reload(configured(server("db")))
		}, true),
		Entry("when it is disabled, enabled, and restarted while it waits", func(w *fixture) {
			w.sessions.Reload(configured())
			w.sessions.Reload(configured(server("db")))
			_, err := w.sessions.Start(w.t.Context(), server("db"))
			Expect(err).NotTo(HaveOccurred())
			w.sessions.BeginRestart(db)
		}, false),
	)
})
