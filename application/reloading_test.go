package application_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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
		w.server("git").startup, w.server("git").deaf = 40*time.Second, true
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
		w.server("git").startup, w.server("git").deaf = 40*time.Second, true
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
			w.reloader.Add(application.NewReloadedHost(w.sessions, w.opened, nil, other, w.current, w.listing))
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

var _ = Describe("Configurations that are reloaded at random moments", func() {
	It("lose no call and leak no server, whatever changes when", func() {
		for seed := range spec.Seeds() {
			spec.Bubble(func(t *testing.T) { reloadAtRandom(t, rand.New(rand.NewPCG(seed, 7))) })
		}
	})
})

// reloadAtRandom reads random configurations of three servers while slow calls are
// under way, and checks the promises of the workbench.
func reloadAtRandom(t *testing.T, chance *rand.Rand) {
	whole := toolbox("dev", "a", "b", "c")
	stays := toolbox("ops", "stays")
	w := startReloading(t, configurationOf(whole, stays))
	for _, server := range w.servers {
		server.startup = time.Duration(chance.IntN(30)) * time.Millisecond
		server.closing = time.Duration(chance.IntN(30)) * time.Millisecond
		server.calls = func(call ports.ToolCall, reply ports.Reply) {
			time.AfterFunc(time.Duration(len(call.Arguments))*time.Millisecond, func() { reply(ports.Answer{Result: call.Arguments}, nil) })
		}
	}
	w.opens("dev")
	w.opens("ops")
	var calls []*outcome
	inForce := whole
	for step := range 80 {
		switch chance.IntN(4) {
		case 0:
			inForce = whole
			inForce.Servers = slices.Clone(whole.Servers)
			for i := range inForce.Servers {
				inForce.Servers[i].Settings = fmt.Appendf(nil, `{"a":%d}`, chance.IntN(2))
			}
			inForce.Servers = slices.Delete(inForce.Servers, 0, chance.IntN(3))
			w.reads(configurationOf(inForce, stays))
		case 1:
			time.Sleep(time.Duration(chance.IntN(40)) * time.Millisecond)
		default:
			server := []domain.ServerName{"a", "b", "c", "stays"}[chance.IntN(4)]
			id := domain.ToolIdentifier{Toolbox: "dev", Server: server, Tool: "read"}
			if server == "stays" {
				id.Toolbox = "ops"
			}
			arguments := fmt.Sprintf(`{"step":%d,"more":%q}`, step, make([]byte, chance.IntN(20)))
			calls = append(calls, w.useWith(t.Context(), id, ports.ToolCall{Arguments: []byte(arguments)}))
		}
	}
	time.Sleep(time.Minute)
	synctest.Wait()
	for _, call := range calls {
		times, _, err := call.received()
		Expect(times).To(Equal(1))
		if err != nil {
			Expect(err).To(MatchError(domain.ErrServerNotFound), "of a server that was removed")
		}
	}
	Expect(w.servers[domain.ServerID{Toolbox: "ops", Server: "stays"}].started()).To(Equal(1))
	for id, server := range w.servers {
		exists := id.Toolbox == "ops" || slices.ContainsFunc(inForce.Servers, func(s domain.Server) bool { return s.ID == id })
		Expect(server.living()).To(BeNumerically("<=", map[bool]int{true: 1}[exists]), "sessions of %v", id)
	}
	w.close(time.Minute)
	for id, server := range w.servers {
		Expect(server.living()).To(Equal(0), "sessions of %v", id)
	}
}

// fakeProblems is a catalog with problems.
type fakeProblems struct {
	fakeCatalog
	problems []domain.ConfigurationProblem
}

func (c fakeProblems) Problems() []domain.ConfigurationProblem { return c.problems }

var _ = Describe("A host that may see only some toolboxes", Label("T04"), func() {
	dev, secret := toolbox("dev", "files"), toolbox("secret", "vault")

	// failure returns the text of the failure of an opening.
	failure := func(w *reloadingWorkbench, name domain.ToolboxName) string {
		GinkgoHelper()
		_, err := w.opener.OpenToolbox(w.t.Context(), name)
		var missing *domain.ToolboxNotFoundError
		Expect(errors.As(err, &missing)).To(BeTrue(), "%v", err)
		return strings.ReplaceAll(fmt.Sprintf("%v %v", missing.Available, missing.Problems), string(name), "NAME")
	}

	It("cannot find other toolboxes by name, and is not told of any", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev, secret), "dev", "later")

		Expect(w.current.Toolboxes()).To(HaveLen(1))
		Expect(w.opens("dev").Servers).To(HaveLen(1))
		Expect(failure(w, "secret")).To(Equal(failure(w, "absent")))
		Expect(failure(w, "secret")).To(HavePrefix("[dev]"))
		use := w.useWith(t.Context(), domain.ToolIdentifier{Toolbox: "secret", Server: "vault", Tool: "read"}, ports.ToolCall{})
		synctest.Wait()
		Expect(use.failure()).To(MatchError(domain.ErrToolboxNotFound))
		Expect(w.servers[domain.ServerID{Toolbox: "secret", Server: "vault"}].started()).To(BeZero())
	}))

	It("is not told about mistakes in other toolboxes, nor about mistakes in the root whose text can name them", func() {
		current := application.NewCurrent(application.Configuration{Catalog: fakeProblems{fakeCatalog{dev, secret}, []domain.ConfigurationProblem{
			{Toolbox: "secret", Text: "in secret"}, {Toolbox: "dev", Text: "in dev"}, {Toolbox: "lost", Text: "in lost"}, {All: true, Text: "at a secret place"},
		}}})
		limited := current.Limited([]domain.ToolboxName{"dev"})

		problems := limited.Problems()

		Expect(problems).To(HaveLen(2))
		Expect(problems[0].Text).To(Equal("in dev"))
		Expect(problems[1].Text).To(ContainSubstring("it is on the standard error of the workbench, for its operator"))
		_, err := limited.Toolbox("secret")
		_, same := limited.Toolbox("lost")
		for _, err := range []error{err, same} {
			var missing *domain.ToolboxNotFoundError
			Expect(errors.As(err, &missing)).To(BeTrue())
			Expect(missing.Problems).To(Equal(problems[1:]))
		}
		Expect(current.Problems()).To(HaveLen(4))
	})

	It("is told only of changes of its own toolboxes", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev, secret), "dev", "later")
		w.opens("dev")

		w.reads(configurationOf(dev, withServer(secret, "vault", settings(`{"a":1}`))))
		w.reads(configurationOf(dev, toolbox("hidden", "x")))
		Expect(w.watcher.texts()).To(BeEmpty())

		w.reads(configurationOf(withServer(dev, "files", settings(`{"a":1}`)), toolbox("hidden", "x"), toolbox("later", "x")))
		Expect(w.watcher.texts()).To(Equal([]string{"the configuration was read again: toolboxes added: later; toolboxes changed: dev"}))
		Expect(w.opens("later").Servers).To(HaveLen(1))
		Expect(w.log.String()).To(ContainSubstring("toolboxes added: hidden"), "its operator reads everything")
	}))

	It("is told only of visible settings that wait for the next start", spec.InBubble(func(t *testing.T) {
		strict := func(configured domain.Toolbox, server domain.ServerName) domain.Toolbox {
			return withServer(configured, server, func(s *domain.Server) { s.Tools = domain.OnlyTools([]string{"read"}) })
		}
		w := startReloading(t, configurationOf(strict(dev, "files"), strict(secret, "vault")), "dev")

		w.reads(configurationOf(strict(dev, "files"), secret))
		Expect(w.watcher.texts()).To(BeEmpty())
		w.reads(configurationOf(dev, secret))
		Expect(w.watcher.texts()).To(HaveExactElements(And(ContainSubstring("server 'files'"), Not(ContainSubstring("vault")))))
		for _, warning := range w.opens("dev").Warnings {
			Expect(warning.Detail).NotTo(ContainSubstring("vault"))
		}
	}))

	It("is told that a configuration was refused, without the problems of other toolboxes", spec.InBubble(func(t *testing.T) {
		w := startReloading(t, configurationOf(dev, secret), "dev")

		w.reloader.Reload(func() (application.Configuration, []domain.ConfigurationProblem) {
			return application.Configuration{}, []domain.ConfigurationProblem{{Toolbox: "secret", Text: "in secret"}}
		})
		Expect(w.watcher.texts()).To(BeEmpty())
		Expect(w.opens("dev").Warnings).To(BeEmpty())

		w.fails("http.tokens.ci.toolboxes[0]: want \"secret\"")
		Expect(w.watcher.texts()).To(HaveExactElements(Not(ContainSubstring("secret"))))
		Expect(w.opens("dev").Warnings).To(HaveLen(1))
		Expect(w.opens("dev").Warnings[0].Detail).NotTo(ContainSubstring("secret"))
		Expect(failure(w, "secret")).To(Equal(failure(w, "absent")))
	}))
})
