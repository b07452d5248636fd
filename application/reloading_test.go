package application_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A configuration that is read again", func() {
	dev := toolbox("dev", "files", "git")

	It("keeps servers that did not change, and replaces the others at their next use", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev))
		w.opens("dev")

		w.reads(configurationOf(withServer(dev, "git", settings(`{"a":1}`))))
		synctest.Wait()

		Expect(w.server("files").started()).To(Equal(1))
		Expect(w.server("git").living()).To(Equal(0), "no host uses it")
		Expect(w.use("files", "read").result()).To(Equal(`"read"`))
		received := w.use("git", "read")
		synctest.Wait()
		Expect(received.result()).To(Equal(`"read"`))
		Expect(w.server("files").configured).To(Equal([]string{""}))
		Expect(w.server("git").configured).To(Equal([]string{"", `{"a":1}`}))
		Expect(w.watcher.texts()).To(Equal([]string{"the configuration was read again: toolboxes changed: dev"}))
	}))

	It("lets calls under way end at the old server, and starts the new one meanwhile", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev))
		var pending []ports.Reply
		w.server("git").calls = func(_ ports.ToolCall, reply ports.Reply) { pending = append(pending, reply) }
		w.opens("dev")
		first, other := w.use("git", "read"), w.use("git", "read")

		w.reads(configurationOf(withServer(dev, "git", settings(`{"a":1}`))))
		w.server("git").calls = nil
		next := w.use("git", "write")
		synctest.Wait()

		Expect(next.result()).To(Equal(`"write"`), "the new server answers")
		Expect(w.server("git").living()).To(Equal(2))
		pending[0](ports.Answer{Result: []byte("1")}, nil)
		synctest.Wait()
		Expect(w.server("git").living()).To(Equal(2))
		pending[1](ports.Answer{Result: []byte("2")}, nil)
		synctest.Wait()
		Expect(first.result() + other.result()).To(Equal("12"))
		Expect(w.server("git").living()).To(Equal(1), "the old one is gone")
	}))

	It("starts the new server only after the end of an old one that is not used", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev))
		w.server("git").closing = time.Second
		w.opens("dev")

		w.reads(configurationOf(withServer(dev, "git", settings(`{"a":1}`))))
		received := w.use("git", "read")
		time.Sleep(time.Minute)
		synctest.Wait()

		Expect(received.result()).To(Equal(`"read"`))
		_, maximum := w.server("git").alive()
		Expect(maximum).To(Equal(1), "two at once could be in each other's way")
	}))

	It("ends an attempt with the old settings, and the call that waits for it goes to the new server", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev))
		w.opened.Add("dev")
		w.server("git").startup = time.Hour
		received := w.use("git", "read")
		synctest.Wait()

		w.server("git").startup = 0
		w.reads(configurationOf(withServer(dev, "git", settings(`{"a":1}`))))
		synctest.Wait()

		Expect(received.result()).To(Equal(`"read"`))
		Expect(w.server("git").configured).To(Equal([]string{"", `{"a":1}`}))
		Expect(w.log.String()).NotTo(ContainSubstring("could not connect"))
	}))

	It("ends a server that was starting and did not notice the reload", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev))
		w.opened.Add("dev")
		w.server("git").startup, w.server("git").deaf = time.Minute, true
		received := w.use("git", "read")
		synctest.Wait()

		w.reads(configurationOf(toolbox("dev", "files")))
		synctest.Wait()
		time.Sleep(time.Hour)

		Expect(received.failure()).To(MatchError(domain.ErrServerNotFound))
		Expect(w.server("git").living()).To(Equal(0))
	}))

	It("does not use tools of a server that came up with the old settings after all", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev))
		w.opened.Add("dev")
		w.server("git").startup, w.server("git").deaf = time.Minute, true
		ctx, giveUp := context.WithCancel(t.Context())
		w.useWith(ctx, domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: "read"}, ports.ToolCall{})
		synctest.Wait()
		giveUp()
		synctest.Wait()

		w.reads(configurationOf(withServer(dev, "git", settings(`{"a":1}`))))
		time.Sleep(time.Hour)
		w.server("git").offer("new")
		received := w.use("git", "new")
		time.Sleep(time.Hour)

		Expect(received.result()).To(Equal(`"new"`))
	}))

	It("is reported in the answer of an opening under way whose server was replaced", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev))
		w.server("git").startup = time.Hour
		done := make(chan domain.OpenedToolbox, 1)
		go func() { done <- w.opens("dev") }()
		synctest.Wait()

		w.reads(configurationOf(withServer(dev, "git", settings(`{"a":1}`))))

		Expect((<-done).Servers[1].Failure).To(HaveField("Reason", domain.ErrReplacedMeanwhile))
	}))

	It("removes toolboxes and servers, and does not open those that come back", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev, toolbox("ops", "mail")))
		w.opens("dev")
		w.opens("ops")

		w.reads(configurationOf(toolbox("dev", "files")))
		synctest.Wait()

		Expect(w.use("git", "read").failure()).To(MatchError(domain.ErrServerNotFound))
		_, err := w.opener.OpenToolbox(t.Context(), "ops")
		Expect(err).To(MatchError(domain.ErrToolboxNotFound))
		for id, server := range w.servers {
			Expect(server.living()).To(Equal(map[bool]int{true: 1}[id.Server == "files"]), "%v", id)
		}

		w.reads(configurationOf(dev, toolbox("ops", "mail")))

		mail := domain.ToolIdentifier{Toolbox: "ops", Server: "mail", Tool: "read"}
		Expect(w.useWith(t.Context(), mail, ports.ToolCall{}).failure()).To(MatchError(domain.ErrToolboxNotOpen))
		w.opens("ops")
		Expect(w.useWith(t.Context(), mail, ports.ToolCall{}).result()).To(Equal(`"read"`))
	}))

	It("forgets a toolbox that is removed while it is opened, even if it comes back", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev, toolbox("ops", "mail", "other")))
		ops := func(name domain.ServerName) *fakeServer {
			return w.servers[domain.ServerID{Toolbox: "ops", Server: name}]
		}
		ops("mail").startup = time.Second
		go func() { _, _ = w.opener.OpenToolbox(t.Context(), "ops") }()
		synctest.Wait()

		w.reads(configurationOf(dev))
		w.reads(configurationOf(dev, toolbox("ops", "mail", "other")))
		time.Sleep(time.Minute)
		synctest.Wait()

		received := w.useWith(t.Context(), domain.ToolIdentifier{Toolbox: "ops", Server: "other", Tool: "read"}, ports.ToolCall{})
		Expect(received.failure()).To(MatchError(domain.ErrToolboxNotOpen))
	}))

	It("lets a server with other settings start at once, however often it failed before", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev))
		w.server("git").fail("no such program")
		for range 7 {
			w.opens("dev")
			time.Sleep(time.Second)
		}
		Expect(w.opens("dev").Servers[1].Failure).To(HaveField("Reason", HaveField("Wait", BeNumerically(">", 0))))

		w.server("git").repair()
		w.reads(configurationOf(withServer(dev, "git", settings(`{"a":1}`))))

		Expect(w.opens("dev").Servers[1].Failure).NotTo(HaveOccurred())
	}))

	It("that has problems changes nothing, and is reported until it is fixed", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev))
		w.opens("dev")

		w.fails("c.json:3: want an object", "c.json:4: want a string")
		w.fails("c.json:3: want an object", "c.json:4: want a string")

		Expect(w.opens("dev").Warnings).To(Equal([]domain.Warning{
			{Kind: domain.ConfigurationNotRead, Detail: "c.json:3: want an object"},
			{Kind: domain.ConfigurationNotRead, Detail: "c.json:4: want a string"},
		}))
		Expect(w.use("git", "read").result()).To(Equal(`"read"`))
		Expect(w.server("git").started()).To(Equal(1))
		Expect(w.watcher.texts()).To(HaveLen(1), "once for the same problems")
		Expect(w.watcher.read[0].Failed).To(BeTrue())
		_, err := w.opener.OpenToolbox(t.Context(), "new")
		missing, ok := errors.AsType[*domain.ToolboxNotFoundError](err)
		Expect(ok).To(BeTrue(), "%v", err)
		Expect(missing.Problems).To(HaveLen(2))

		w.reads(configurationOf(dev))

		Expect(w.opens("dev").Warnings).To(BeEmpty())
		Expect(w.watcher.texts()[1]).To(Equal("the configuration was read again: no toolbox changed"))
	}))

	It("that is the same as before is not reported", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev))

		w.reads(configurationOf(dev))

		Expect(w.watcher.texts()).To(BeEmpty())
		Expect(w.listing.refreshes).To(Equal(1))
	}))

	It("names the settings that take effect only at the next start", spec.InBubble(func(t *testing.T) {
		started, read := configurationOf(dev), configurationOf(dev)
		started.AtStart = []application.Setting{{Key: "toolMode", Value: "proxy"}, {Key: "openOnUse", Value: "false"}}
		read.AtStart = []application.Setting{{Key: "toolMode", Value: "dynamic"}, {Key: "openOnUse", Value: "false"}}
		w := startReloading(t, started)

		w.reads(read)

		Expect(w.watcher.texts()).To(Equal([]string{
			"the configuration was read again: no toolbox changed; from the next start of the workbench: toolMode",
		}))
		Expect(w.log.String()).To(And(ContainSubstring("level=WARN"), ContainSubstring("toolMode")))
	}))

	DescribeTable("reaches a host whatever another one reads", func(read func(w *reloadingWorkbench), text string) {
		spec.Bubble(func(t *testing.T) {
			w, other := startReloading(t, configurationOf(dev)), &fakeConfigurationWatcher{}
			w.reloader.Add(application.NewReloadedHost(w.sessions, w.opened, w.openings, nil, other, w.current, w.listing))
			w.watcher.reads = make(chan struct{})

			go read(w)

			synctest.Wait()
			Expect(other.texts()).To(HaveExactElements(ContainSubstring(text)))
			close(w.watcher.reads)
			synctest.Wait()
			Expect(w.watcher.texts()).To(Equal(other.texts()))
		})
	},
		Entry("a change", func(w *reloadingWorkbench) { w.reads(configurationOf(toolbox("dev", "files"))) }, "toolboxes changed: dev"),
		Entry("a problem", func(w *reloadingWorkbench) { w.fails("c.json:4: want a string") }, "has problems"),
	)
})
