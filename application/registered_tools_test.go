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

var _ = Describe("Registered tools", func() {
	It("are those of open toolboxes, in the order of the configuration", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "b", "a"), toolbox("ops", "a"))
		Expect(w.names()).To(BeEmpty())

		w.opens("ops")
		opened := w.opens("dev")

		Expect(w.names()).To(Equal([]string{
			"dev__b_read", "dev__b_write", "dev__a_read", "dev__a_write", "ops__a_read", "ops__a_write",
		}))
		Expect(opened.Servers[1].Registered).To(Equal(map[string]string{"read": "dev__a_read", "write": "dev__a_write"}))
		Expect(w.watcher.heard()).To(ConsistOf(domain.ToolboxName("ops"), domain.ToolboxName("dev")), "once for each")
	}))

	It("of two toolboxes with the same server have separate connections", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "files"), toolbox("prod", "files"))
		w.opens("dev")
		w.opens("prod")
		prod := w.servers[domain.ServerID{Toolbox: "prod", Server: "files"}]

		tool, _ := w.registrations.Registered().Find("prod__files_read")
		Expect(w.useWith(t.Context(), tool, ports.ToolCall{}).result()).To(Equal(`"read"`))
		Expect(prod.called()).To(Equal([]string{"read"}))
		Expect(w.server("files").called()).To(BeEmpty())
		w.server("files").die()
		w.closes("dev")

		now, maxLive := prod.alive()
		Expect([]int{now, maxLive}).To(Equal([]int{1, 1}), "nothing of it concerns the other one")
	}))

	It("keep their names when another tool would get the same one, which causes a warning", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "a", "a_b"))
		w.server("a").offer("x")
		w.server("a_b").offer("c")
		w.opens("dev")
		w.server("a").offer("b_c") // before the other one in the configuration

		w.server("a").sayToolsChanged()
		synctest.Wait()

		name := "dev__a_b_c"
		tool, _ := w.registrations.Registered().Find(name)
		Expect(tool.Server).To(Equal(domain.ServerName("a_b")))
		opened := w.opens("dev")
		Expect(opened.Servers[0].Warnings).To(Equal([]domain.Warning{{Kind: domain.NameTaken, Tool: "b_c", Detail: name}}))
		Expect(opened.Servers[0].Registered).To(BeEmpty())

		w.server("a_b").offer()
		w.server("a_b").sayToolsChanged()
		synctest.Wait()
		tool, _ = w.registrations.Registered().Find(name)
		Expect(tool.Server).To(Equal(domain.ServerName("a")), "the name is free")
		Expect(w.opens("dev").Servers[0].Warnings).To(BeEmpty())
	}))

	It("follow a server that reports a change of its tools, even if they are not needed", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").offer("append")

		for range 1000 {
			w.server("files").sayToolsChanged()
		}
		synctest.Wait()

		Expect(w.names()).To(Equal([]string{"dev__files_append"}))
		Expect(w.watcher.heard()).To(HaveLen(2))
		Expect(w.server("files").timesListed()).To(BeNumerically("<=", 1+2*3))
	}))

	It("are listed at most once a second when a server reports changes again and again", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "files"))
		w.opens("dev")
		stop := time.After(time.Minute)
		for stopped := false; !stopped; {
			w.server("files").sayToolsChanged()
			select {
			case <-stop:
				stopped = true
			case <-time.After(time.Millisecond):
			}
		}
		time.Sleep(time.Minute)

		Expect(w.server("files").timesListed()).To(BeNumerically("<=", 1+2*(3+60)))
	}))

	It("stay while their server is down and a call would start it again", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "files", "other"))
		w.opens("dev")
		w.server("files").die()
		synctest.Wait()
		Expect(w.names()).To(ContainElement("dev__files_read"))

		w.server("files").fail("broken")
		w.use("files", "read")
		synctest.Wait()
		Expect(w.names()).To(Equal([]string{"dev__other_read", "dev__other_write"}))

		w.server("files").failure = nil
		time.Sleep(time.Minute)
		received := w.use("files", "read")
		synctest.Wait()
		Expect(received.result()).To(Equal(`"read"`))
		Expect(w.names()).To(HaveLen(4))
		Expect(w.watcher.heard()).To(HaveLen(3))
	}))

	It("stay while their server is stopped as idle", spec.InBubble(func(t *testing.T) {
		tools := toolbox("dev", "files")
		tools.Servers[0].Limits.Idle = time.Minute
		w := startDynamic(t, tools)
		w.opens("dev")
		time.Sleep(time.Hour)
		Expect(w.alive("dev")).To(Equal(0))

		Expect(w.names()).To(HaveLen(2))
		received := w.use("files", "read")
		synctest.Wait()
		Expect(received.result()).To(Equal(`"read"`))
		Expect(w.watcher.heard()).To(HaveLen(1))
	}))

	It("appear when a server that was still starting is up", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "quick", "slow"))
		w.server("slow").startup = 50 * time.Second
		w.opens("dev")
		Expect(w.names()).To(HaveLen(2))

		time.Sleep(35 * time.Second)

		Expect(w.names()).To(HaveLen(4))
	}))
})

var _ = Describe("Closing a toolbox", func() {
	It("removes its tools and sessions, and no others", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "a", "b"), toolbox("ops", "a"))
		w.opens("dev")
		w.opens("ops")
		w.server("a").closing = 2 * time.Second

		Expect(w.closes("dev")).To(Equal(4))

		Expect(w.alive("dev")).To(Equal(0), "at once")
		Expect(w.alive("ops")).To(Equal(1))
		Expect(w.names()).To(Equal([]string{"ops__a_read", "ops__a_write"}))
		Expect(w.use("a", "read").failure()).To(MatchError(domain.ErrToolboxNotOpen))
		Expect(w.watcher.heard()).To(ConsistOf(domain.ToolboxName("dev"), domain.ToolboxName("ops"), domain.ToolboxName("dev")))
	}))

	It("lets it be opened again, as if for the first time", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "a"))
		w.opens("dev")
		w.server("a").die()
		w.opens("dev")
		w.server("a").die()
		w.closes("dev")
		time.Sleep(time.Minute)

		opened := w.opens("dev")

		Expect(opened.Servers[0].Warnings).To(BeEmpty(), "no host relies on what it had in memory")
		Expect(w.use("a", "read").result()).To(Equal(`"read"`))
	}))

	It("fails for toolboxes that are not open or not configured", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "a"))
		_, err := w.closer.CloseToolbox(t.Context(), "dev")
		Expect(err).To(MatchError(domain.ErrToolboxNotOpen))
		_, err = w.closer.CloseToolbox(t.Context(), "x")
		Expect(err).To(MatchError(domain.ErrToolboxNotFound))
	}))

	It("also ends servers of a toolbox that could not be opened", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "a"))
		w.server("a").startup = 50 * time.Second
		_, err := w.opener.OpenToolbox(t.Context(), "dev")
		Expect(err).To(MatchError(domain.ErrAllServersFailed))

		_, err = w.closer.CloseToolbox(t.Context(), "dev")
		Expect(err).To(MatchError(domain.ErrToolboxNotOpen))
		time.Sleep(time.Minute)

		Expect(w.alive("dev")).To(Equal(0))
	}))

	It("waits for the opening before it, and the opening after it waits", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "a"))
		w.server("a").startup, w.server("a").closing = 10*time.Second, 2*time.Second
		over := make(chan string, 3)
		do := func(what string, do func()) {
			go func() {
				do()
				over <- what
			}()
			synctest.Wait()
		}

		do("open", func() { w.opens("dev") })
		do("close", func() { Expect(w.closes("dev")).To(Equal(2)) })
		do("open again", func() { w.opens("dev") })

		Expect([]string{<-over, <-over, <-over}).To(Equal([]string{"open", "close", "open again"}))
		Expect(w.server("a").started()).To(Equal(2))
		Expect(w.names()).To(HaveLen(2))
	}))

	It("takes place even if its caller gave up", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "a"))
		w.opens("dev")
		w.server("a").closing = 2 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()

		_, err := w.closer.CloseToolbox(ctx, "dev")

		Expect(err).To(MatchError(ctx.Err()))
		time.Sleep(time.Minute)
		Expect(w.alive("dev")).To(Equal(0))
		Expect(w.names()).To(BeEmpty())
	}))

	It("ends a call that waits for a server to start again", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "a", "b"))
		w.opens("dev")
		w.server("a").die()
		w.server("a").startup = 10 * time.Second
		received := w.use("a", "read")
		time.Sleep(time.Second)

		w.closes("dev")
		synctest.Wait()

		Expect(received.failure()).To(MatchError(domain.ErrToolboxNotOpen))
		Expect(w.alive("dev")).To(Equal(0))
	}))

	It("ends a server that does not notice the end of its start", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "a", "b"))
		w.server("a").startup, w.server("a").deaf = 50*time.Second, true
		w.opens("dev")

		w.closes("dev")

		Expect(w.alive("dev")).To(Equal(0))
		Expect(w.use("a", "read").failure()).To(MatchError(domain.ErrToolboxNotOpen))
		w.server("a").deaf = false
		w.opens("dev")
		Expect(w.names()).To(HaveLen(2), "nothing is known of the last time")
	}))

	It("starts no server for a call that comes too late", spec.InBubble(func(t *testing.T) {
		tools := toolbox("dev", "a")
		w := startDynamic(t, tools)
		w.opens("dev")
		w.closes("dev")

		_, err := w.sessions.Connect(t.Context(), tools.Servers[0])

		Expect(err).To(MatchError(domain.ErrToolboxNotOpen))
		Expect(w.alive("dev")).To(Equal(0))
	}))

	It("ends a call under way with the reason", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "a"))
		w.opens("dev")
		w.server("a").calls = func(ports.ToolCall, ports.Reply) {}
		received := w.use("a", "read")

		w.closes("dev")
		synctest.Wait()

		Expect(domain.Reason(received.failure())).To(Equal("the toolbox was closed"))
	}))
})
