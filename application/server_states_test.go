package application_test

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The states of servers", func() {
	states := func(w *workbench) map[domain.ServerName]sessions.State {
		found := map[domain.ServerName]sessions.State{}
		w.sessions.States(func(server domain.Server, state sessions.State) { found[server.ID.Server] = state })
		return found
	}

	It("say what each is doing that was needed", spec.InBubble(func(t *testing.T) {
		w := start(t, idling(), toolbox("other", "x"))
		Expect(states(w)).To(BeEmpty())
		w.server("files").fail("it broke")
		w.opens("dev")

		Expect(states(w)).To(Equal(map[domain.ServerName]sessions.State{"db": sessions.StateRunning, "files": sessions.StateFailed}))

		time.Sleep(11 * time.Minute)
		synctest.Wait()
		Expect(states(w)).To(HaveKeyWithValue(domain.ServerName("db"), sessions.StateIdle))
		Expect(w.uses("db")).To(Succeed())
		w.server("db").die()
		synctest.Wait()
		Expect(states(w)).To(HaveKeyWithValue(domain.ServerName("db"), sessions.StateFailed))
	}))

	It("tell a server that waits for a login from one that failed", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "team", "files"))
		w.server("team").lockOut()
		w.opens("dev")

		Expect(states(w)).To(HaveKeyWithValue(domain.ServerName("team"), sessions.StateWaitsForLogin))
	}))

	It("tell a server that is being started, and one whose settings changed", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, with(toolbox("dev", "files")))
		w.server("files").startup = 10 * time.Second
		go w.opens("dev")
		time.Sleep(time.Second)
		Expect(states(w.workbench)).To(HaveKeyWithValue(domain.ServerName("files"), sessions.StateStarting))

		time.Sleep(time.Minute)
		w.reads(with(set(toolbox("dev", "files"), "files", settings(`{"a":1}`))))
		synctest.Wait()
		Expect(states(w.workbench)).To(BeEmpty(), "nobody needs it as it is now")
	}))
})
