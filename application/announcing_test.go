package application_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var _ = Describe("Announcing messages of the host to all servers", func() {
	It("reports changed roots to every running server", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files", "db"), toolbox("ops", "files"))
		w.opens("dev")
		w.server("db").die()

		w.sessions.AnnounceRootsChanged()

		Expect(w.server("files").session().seen().rootsChanged).To(Equal(1))
		Expect(w.server("db").session().seen().rootsChanged).To(BeZero())
	}))

	It("sends the log level to running servers, and to those that start later", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files", "db"))
		w.server("db").fail("not yet")
		w.opens("dev")

		w.sessions.SetLogLevel("error")
		Expect(w.server("files").session().seen().logLevels).To(Equal([]string{"error"}))

		w.server("db").failure = nil
		w.opens("dev")
		Expect(w.server("db").session().seen().logLevels).To(Equal([]string{"error"}))
	}))

	It("sends no log level before the host asks for one", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")

		Expect(w.server("files").session().seen().logLevels).To(BeEmpty())
	}))

	It("sends nothing once the workbench is ending", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").closing = time.Second
		w.close(time.Hour)

		w.sessions.AnnounceRootsChanged()
		w.sessions.SetLogLevel("error")

		seen := w.server("files").session().seen()
		Expect(seen.rootsChanged).To(BeZero())
		Expect(seen.logLevels).To(BeEmpty())
	}))
})
