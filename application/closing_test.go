package application_test

import (
	"context"
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
			Expect(server.living()).To(BeZero())
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
		Expect(w.server("stubborn").living()).To(BeZero())
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

		Expect(w.server("files").living()).To(BeZero())
	}))

	It("starts nothing", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))

		w.close(time.Hour)

		Expect(w.server("files").started()).To(BeZero())
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

		Expect(w.server("files").living()).To(Equal(1))
	}))
})

var _ = Describe("A server is not idle", func() {
	const uri = `{"uri":"memo://1"}`

	// stays checks that the server outlives its limit until end is called, and is
	// stopped soon after.
	stays := func(w *workbench, end func()) {
		time.Sleep(time.Hour)
		synctest.Wait()
		ExpectWithOffset(1, w.server("db").living()).To(Equal(1))

		end()
		time.Sleep(time.Hour)
		synctest.Wait()
		ExpectWithOffset(1, w.server("db").living()).To(BeZero())
	}

	It("while the host is subscribed to one of its resources", spec.InBubble(func(t *testing.T) {
		w := start(t, idleToolbox())
		w.server("db").declares = []string{"resources"}
		w.opens("dev")
		request := func(purpose ports.ResourcePurpose) {
			w.resources.RequestResource(t.Context(), "memo://1",
				ports.ResourceRequest{Message: ports.Message{Params: json.RawMessage(uri)}, Purpose: purpose}, domain.ServerID{}, (&outcome{}).serverReply)
		}
		request(ports.SubscribeResource)

		stays(w, func() { request(ports.UnsubscribeResource) })
	}))

	It("while one of its tasks has not returned its result", spec.InBubble(func(t *testing.T) {
		w := start(t, idleToolbox())
		w.server("db").calls = func(_ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Result: json.RawMessage("{}"), Task: "1"}, nil)
		}
		w.opens("dev")
		w.use("db", "read")
		request := func(ends bool) {
			w.tasks.RequestTask(t.Context(), "1", ports.TaskRequest{Ends: ends}, func(domain.ServerID, ports.Answer, error) {})
		}
		request(false)

		stays(w, func() { request(true) })
	}))
})

var _ = Describe("The resources of an idle server that was stopped", func() {
	It("are listed and read as if it were up", spec.InBubble(func(t *testing.T) {
		w := start(t, idleToolbox())
		w.server("db").declares = []string{"resources"}
		w.server("db").resources = map[domain.ResourceKind][]json.RawMessage{
			domain.Resources: {json.RawMessage(`{"uri":"memo://1"}`)},
		}
		w.opens("dev")
		time.Sleep(time.Hour)

		Expect(spec.Must(w.resources.ListResources(t.Context(), domain.Resources))).To(HaveLen(1))
		Expect(w.server("db").started()).To(Equal(2))

		time.Sleep(time.Hour)
		received := &outcome{}
		w.resources.RequestResource(t.Context(), "memo://1", ports.ResourceRequest{Message: ports.Message{Method: "resources/read"}}, domain.ServerID{}, received.serverReply)
		synctest.Wait()
		Expect(received.result()).To(Equal(`"resources/read"`))
		Expect(w.server("db").started()).To(Equal(3))
	}))

	It("are not requested from a server that died", spec.InBubble(func(t *testing.T) {
		w := start(t, idleToolbox())
		w.server("db").declares = []string{"resources"}
		w.opens("dev")
		w.server("db").die()

		Expect(spec.Must(w.resources.ListResources(t.Context(), domain.Resources))).To(BeEmpty())
		Expect(w.server("db").started()).To(Equal(1))
	}))
})

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
