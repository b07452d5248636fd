package sessions_test

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The states of servers", func() {
	states := func(w *fixture) map[domain.ServerName]sessions.State {
		found := map[domain.ServerName]sessions.State{}
		w.sessions.Statuses(func(status ports.ServerStatus) { found[status.Server.ID.Server] = sessions.State(status.State) })
		return found
	}

	It("cover each server that was needed", spec.InBubble(func(t *testing.T) {
		w := start(t, idleServer("db"), server("files"), server("unused"))
		Expect(states(w)).To(BeEmpty())
		w.servers["files"].fail("it broke")
		Expect(w.uses("db")).To(Succeed())
		Expect(w.uses("files")).NotTo(Succeed())

		Expect(states(w)).To(Equal(map[domain.ServerName]sessions.State{"db": sessions.StateRunning, "files": sessions.StateFailed}))

		time.Sleep(11 * time.Minute)
		synctest.Wait()
		Expect(states(w)).To(HaveKeyWithValue(domain.ServerName("db"), sessions.StateIdle))
		Expect(w.uses("db")).To(Succeed())
		w.servers["db"].die()
		synctest.Wait()
		Expect(states(w)).To(HaveKeyWithValue(domain.ServerName("db"), sessions.StateFailed))
	}))

	It("distinguish a server that waits for a login from one that failed", spec.InBubble(func(t *testing.T) {
		w := start(t, server("team"))
		w.servers["team"].failure = &domain.LoginRequiredError{ID: server("team").ID}
		Expect(w.uses("team")).To(MatchError(domain.ErrLoginRequired))

		Expect(states(w)).To(HaveKeyWithValue(domain.ServerName("team"), sessions.StateWaitsForLogin))
	}))

	It("include a server that is being started, but not one whose settings changed", spec.InBubble(func(t *testing.T) {
		w := start(t, server("files"))
		w.servers["files"].startup = 10 * time.Second
		go func() { _, _ = w.connect("files") }()
		time.Sleep(time.Second)
		Expect(states(w)).To(HaveKeyWithValue(domain.ServerName("files"), sessions.StateStarting))

		time.Sleep(time.Minute)
		changed := server("files")
		changed.Settings = []byte(`{"a":1}`)
		w.sessions.Reload([]domain.Toolbox{{Name: "dev", Servers: []domain.Server{changed}}})
		synctest.Wait()
		Expect(states(w)).To(BeEmpty(), "it was not needed with these settings")
	}))
})
