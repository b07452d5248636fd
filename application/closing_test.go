package application_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Ending the workbench", func() {
	It("ends all servers concurrently", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files", "db", "web"), toolbox("ops", "files"))
		for _, server := range w.servers {
			server.closing = 3 * time.Second
		}
		w.opens("dev")
		w.opens("ops")
		begun := time.Now()

		w.close(time.Hour)

		Expect(time.Since(begun)).To(Equal(3 * time.Second))
		for _, server := range w.servers {
			now, _ := server.alive()
			Expect(now).To(BeZero())
			Expect(server.session().seen().closes).To(BeNumerically(">", 0))
		}
	}))

	It("gives each server the time of its own limit", spec.InBubble(func(t *testing.T) {
		dev := toolbox("dev", "stubborn")
		dev.Servers[0].Limits.Shutdown = 2 * time.Second
		w := start(t, dev)
		w.server("stubborn").closing = time.Hour
		w.opens("dev")
		begun := time.Now()

		w.close(time.Hour)

		Expect(time.Since(begun)).To(Equal(2 * time.Second))
	}))

	It("gives no server longer than the remaining time", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "stubborn", "files"))
		w.server("stubborn").closing = time.Hour
		w.opens("dev")
		begun := time.Now()

		w.close(time.Second)

		Expect(time.Since(begun)).To(Equal(time.Second))
		now, _ := w.server("stubborn").alive()
		Expect(now).To(BeZero())
	}))

	It("ends the calls that are under way", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").calls = func(ports.ToolCall, ports.Reply) {}
		received := w.use("files", "read")

		w.close(time.Second)
		synctest.Wait()

		Expect(received.failure()).To(MatchError(domain.ErrServerUnavailable))
	}))

	It("ends servers that are still starting, and tells waiting callers why", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files", "slow"))
		w.opens("dev")
		w.server("slow").startup = time.Hour
		w.server("slow").die()
		received := w.use("slow", "read")
		synctest.Wait()
		begun := time.Now()

		w.close(time.Hour)
		synctest.Wait()

		Expect(time.Since(begun)).To(BeZero())
		Expect(received.failure()).To(MatchError(domain.ErrShuttingDown))
		Expect(w.log.String()).NotTo(ContainSubstring("could not connect"), "nothing is wrong with the server")
	}))

	It("closes a session that comes after its callers gave up", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.server("files").startup, w.server("files").deaf = time.Second, true
		go func() { _, _ = w.open("dev") }()
		synctest.Wait()

		w.close(time.Hour)

		now, maxLive := w.server("files").alive()
		Expect(maxLive).To(Equal(1))
		Expect(now).To(BeZero())
	}))

	It("waits until nothing is left of a server that is to be started again", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").closing = 3 * time.Second
		w.server("files").die()
		received := w.use("files", "read")
		synctest.Wait()
		begun := time.Now()

		w.close(time.Hour)
		synctest.Wait()

		Expect(time.Since(begun)).To(Equal(3 * time.Second))
		Expect(received.failure()).To(MatchError(domain.ErrShuttingDown))
	}))

	It("can be called twice, even concurrently, and returns when nothing is left", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.server("files").closing = 3 * time.Second
		w.opens("dev")

		for range 3 {
			go w.close(time.Hour)
		}
		w.close(time.Hour)

		now, _ := w.server("files").alive()
		Expect(now).To(BeZero())
	}))

	It("starts nothing", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))

		w.close(time.Hour)

		starts, _ := w.server("files").counts()
		Expect(starts).To(BeZero())
	}))
})

var _ = Describe("A session", func() {
	It("that is lost is closed, so that nothing of its server is left", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")

		w.server("files").die()
		synctest.Wait()

		Expect(w.server("files").session().seen().closes).To(Equal(1))
	}))

	It("outlives the limit on connecting and its caller", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		ctx, cancel := context.WithCancel(t.Context())
		Expect(w.opener.OpenToolbox(ctx, "dev")).Error().NotTo(HaveOccurred())

		cancel()
		time.Sleep(24 * time.Hour)
		synctest.Wait()

		now, _ := w.server("files").alive()
		Expect(now).To(Equal(1))
	}))
})
