package application_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Opening a toolbox", func() {
	It("connects to its servers concurrently and shows them in the order of the configuration", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "slow", "fast"), toolbox("ops", "other"))
		w.server("slow").startup, w.server("fast").startup = 10*time.Second, 8*time.Second
		w.server("slow").list.Instructions = "Take your time."
		begun := time.Now()

		opened := w.opens("dev")

		Expect(time.Since(begun)).To(Equal(10 * time.Second))
		Expect(opened.Toolbox.Name).To(Equal(domain.ToolboxName("dev")))
		Expect(opened.Connected()).To(Equal(2))
		Expect(opened.Servers[0].ID.Server).To(Equal(domain.ServerName("slow")))
		Expect(opened.Servers[0].Instructions).To(Equal("Take your time."))
		Expect(opened.Servers[1].ID.Server).To(Equal(domain.ServerName("fast")))
		Expect(opened.Servers[1].Tools).To(Equal(w.server("fast").list.Tools))
		Expect(w.servers[domain.ServerID{Toolbox: "ops", Server: "other"}].started()).To(BeZero())
	}))

	It("names the toolboxes that exist when none has the name", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))

		_, err := w.open("Dev")

		missing, ok := errors.AsType[*domain.ToolboxNotFoundError](err)
		Expect(ok).To(BeTrue())
		Expect(missing.Available).To(Equal([]string{"dev"}))
	}))

	It("does not list the tools again the second time", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		first := w.opens("dev")

		Expect(w.opens("dev")).To(Equal(first))
		starts, listings := w.server("files").counts()
		Expect(starts).To(Equal(1))
		Expect(listings).To(Equal(1))
	}))

	It("treats servers with the same name in two toolboxes as two servers", Label("S15"), spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"), toolbox("ops", "files"))

		w.opens("dev")
		w.opens("ops")

		for _, server := range w.servers {
			Expect(server.living()).To(Equal(1))
		}
	}))

	It("applies the filter of a server and warns of names that no tool has", spec.InBubble(func(t *testing.T) {
		tools := toolbox("dev", "files")
		tools.Servers[0].Tools = domain.OnlyTools([]string{"write", "reed"})
		w := start(t, tools)

		opened := w.opens("dev")

		Expect(opened.Servers[0].Tools).To(HaveLen(1))
		Expect(opened.Servers[0].Tools[0].Name).To(Equal("write"))
		Expect(w.log.String()).To(And(ContainSubstring("toolFilters"), ContainSubstring("toolbox=dev server=files tool=reed")))
	}))

	Context("when fifty callers come at the same time", Label("C01"), func() {
		It("starts each server once and gives all callers the same answer", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files", "db"))
			w.server("files").startup = 5 * time.Second
			w.server("db").fail("no such program")
			answers := make([]domain.OpenedToolbox, 50)
			var callers sync.WaitGroup
			for i := range answers {
				callers.Go(func() {
					defer GinkgoRecover()
					answers[i] = w.opens("dev")
				})
			}
			callers.Wait()

			starts, listings := w.server("files").counts()
			Expect(starts).To(Equal(1))
			Expect(listings).To(Equal(1))
			for _, answer := range answers {
				Expect(answer).To(Equal(answers[0]))
			}
		}))
	})

	Context("when some servers fail", func() {
		It("returns the rest with the reasons, and the toolbox is open", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files", "db"))
			w.server("db").fail("no such program")

			opened := w.opens("dev")

			Expect(opened.Connected()).To(Equal(1))
			Expect(opened.Servers[1].Failure).To(MatchError(ContainSubstring("no such program")))
			Expect(opened.Servers[1].Tools).To(BeEmpty())
			Expect(w.use("files", "read").result()).To(Equal(`"read"`))
			synctest.Wait()
			Expect(w.log.String()).To(ContainSubstring("no such program"))
		}))

		It("tries only the failed servers again the next time", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files", "db"))
			w.server("db").fail("no such program")
			w.opens("dev")
			w.server("db").failure = nil

			Expect(w.opens("dev").Connected()).To(Equal(2))
			Expect(w.server("files").started()).To(Equal(1))
			Expect(w.server("db").started()).To(Equal(2))
		}))
	})

	Context("when all servers fail", func() {
		It("fails with the reasons, and the toolbox is not open", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files", "db"))
			w.server("files").fail("first reason")
			w.server("db").fail("second reason")

			opened, err := w.open("dev")

			Expect(err).To(MatchError(domain.ErrAllServersFailed))
			Expect(opened.Servers[0].Failure).To(MatchError(ContainSubstring("first reason")))
			Expect(opened.Servers[1].Failure).To(MatchError(ContainSubstring("second reason")))
			Expect(w.use("files", "read").failure()).To(MatchError(domain.ErrToolboxNotOpen))
		}))
	})

	Context("when a variable of a server is not set", func() {
		It("names the variable and the server, and starts nothing", spec.InBubble(func(t *testing.T) {
			tools := toolbox("dev", "files", "db")
			tools.Servers[1].Unset = &domain.UnsetVariableError{Variable: "TOKEN", KeyPath: "toolboxes.dev.mcpServers.db.env.TOKEN"}
			tools.Servers[1].AlsoUnset = []domain.UnsetVariableError{{Variable: "USER", IsEmpty: true}}
			w := start(t, tools)

			opened := w.opens("dev")

			Expect(domain.Reason(opened.Servers[1].Failure)).To(Equal(
				"environment variable 'TOKEN' is not set (toolboxes.dev.mcpServers.db.env.TOKEN); environment variable 'USER' is empty"))
			Expect(w.server("db").started()).To(BeZero())
		}))
	})

	Context("when the caller gives up", func() {
		It("fails at once, and the server continues to start for the next caller", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.server("files").startup = 15 * time.Second
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			begun := time.Now()

			_, err := w.opener.OpenToolbox(ctx, "dev")
			Expect(err).To(MatchError(context.DeadlineExceeded))
			Expect(time.Since(begun)).To(Equal(time.Second))

			Expect(w.opens("dev").Connected()).To(Equal(1))
			Expect(time.Since(begun)).To(Equal(15 * time.Second))
			Expect(w.server("files").started()).To(Equal(1))
		}))
	})

	Context("when the workbench is ending", func() {
		It("refuses", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.close(time.Second)

			opened, err := w.open("dev")

			Expect(err).To(MatchError(domain.ErrAllServersFailed))
			Expect(opened.Servers[0].Failure).To(MatchError(domain.ErrShuttingDown))
			synctest.Wait()
			Expect(w.server("files").started()).To(BeZero())
		}))
	})
})

var _ = Describe("The warnings of an opening", func() {
	// warned opens a toolbox that gets every kind of warning, and returns the warnings of the
	// toolbox and of its second server for each of two callers that share an opening.
	warned := func(t *testing.T) (answers [2]domain.OpenedToolbox) {
		dev := toolbox("dev", "a", "a_b")
		dev.Servers[0].Approvals = domain.Approvals{Confirm: tools("nothing")}
		started := configurationOf(dev)
		started.Pinning = domain.PinWarn
		w := startReloading(t, started)
		w.wire(w.pinning, application.NewRegistrations(w.catalog, w.known, w.opened, &fakeWatcher{}, true, nil))
		offerPrompts(w.workbench)
		w.server("a").lists("b_c")
		w.server("a_b").lists("c: old")
		w.server("a").prompts.offer("b_c")
		w.server("a_b").prompts.offer("c")
		w.opens("dev")
		w.promptNames()
		w.server("a_b").lists("c: new")
		w.server("a_b").sayToolsChanged()
		w.fails("c.json:1: want an object")
		for i := range answers {
			go func() { answers[i] = w.opens("dev") }()
		}
		synctest.Wait()
		return answers
	}
	kinds := func(warnings []domain.Warning) (kinds []domain.WarningKind) {
		for _, warning := range warnings {
			kinds = append(kinds, warning.Kind)
		}
		return kinds
	}

	It("are about the configuration, the lock and patterns, in this order, for each caller", spec.InBubble(func(t *testing.T) {
		for _, opened := range warned(t) {
			Expect(kinds(opened.Warnings)).To(Equal([]domain.WarningKind{
				domain.ConfigurationNotRead, domain.LockMissing, domain.PatternUnmatched,
			}))
		}
	}))

	It("of a server are about changed tools, prompts and taken names, in this order, for each caller", spec.InBubble(func(t *testing.T) {
		for _, opened := range warned(t) {
			Expect(kinds(opened.Servers[1].Warnings)).To(Equal([]domain.WarningKind{
				domain.DefinitionChanged, domain.PromptNameTaken, domain.NameTaken,
			}))
			Expect(opened.Servers[0].Warnings).To(BeEmpty())
		}
	}))
})

var _ = Describe("Patterns of the configuration that match no tool", Label("K08"), func() {
	// opening starts a workbench and returns a function that opens a toolbox and returns the warnings about it.
	opening := func(t *testing.T, toolboxes ...domain.Toolbox) func(domain.ToolboxName) []domain.Warning {
		w := start(t, toolboxes...)
		return func(name domain.ToolboxName) []domain.Warning { return w.opens(name).Warnings }
	}
	unmatched := HaveExactElements(And(
		HaveField("Kind", domain.PatternUnmatched),
		HaveField("Pattern", And(HaveField("Key", "confirm"), HaveField("Pattern.Text", "writ_e"), HaveField("Nearest", []string{"write"}))),
	))

	It("are in the answer of each opening", spec.InBubble(func(t *testing.T) {
		opens := opening(t, confirmingToolbox("writ_e", "re*"))

		Expect(opens("dev")).To(unmatched)
		Expect(opens("dev")).To(unmatched)
	}))

	It("are reported once the tools of all servers that they may name are known", spec.InBubble(func(t *testing.T) {
		other := toolbox("ops", "ci")
		other.Servers[0].Approvals = domain.Approvals{Confirm: tools("deploy")}
		dev := confirmingToolbox("deploy")
		opens := opening(t, dev, other)

		Expect(opens("dev")).To(BeEmpty())
		Expect(opens("ops")).To(HaveLen(1))
		Expect(opens("dev")).To(HaveLen(1))
	}))

	It("do not include patterns that match a tool that a filter leaves out", spec.InBubble(func(t *testing.T) {
		configured := confirmingToolbox("write")
		configured.Servers[0].Tools = domain.OnlyTools([]string{"read"})

		Expect(opening(t, configured)("dev")).To(BeEmpty())
	}))

	It("are not looked for in toolboxes without approvals", spec.InBubble(func(t *testing.T) {
		Expect(opening(t, toolbox("dev", "files"))("dev")).To(BeEmpty())
	}))
})

var _ = Describe("Starting servers when the host connects", func() {
	const startup = 10 * time.Second
	early := func(change func(*domain.Server)) domain.Toolbox {
		dev := toolbox("dev", "files", "late")
		dev.Servers[0].Start = domain.StartOnConnect
		change(&dev.Servers[0])
		return dev
	}
	same := func(*domain.Server) {}
	// connects starts the servers of these toolboxes that are to start early.
	connects := func(w *workbench) {
		application.NewServerStarter(w.catalog, w.sessions, slog.New(slog.NewTextHandler(w.log, nil))).StartServers()
	}

	It("takes no time, and an opening waits only for the rest of the start", spec.InBubble(func(t *testing.T) {
		w := start(t, early(same))
		w.server("files").startup = startup
		begun := time.Now()
		connects(w)
		Expect(time.Since(begun)).To(BeZero())
		time.Sleep(startup - time.Second)

		Expect(w.opens("dev").Connected()).To(Equal(2))

		Expect(time.Since(begun)).To(Equal(startup))
		Expect(w.server("files").started()).To(Equal(1))
	}))

	It("starts no other servers, and opens no toolbox", spec.InBubble(func(t *testing.T) {
		w := start(t, early(same))
		connects(w)
		synctest.Wait()

		Expect(w.server("late").started()).To(BeZero())
		Expect(w.use("files", "read").failure()).To(MatchError(domain.ErrToolboxNotOpen))
	}))

	It("shows resources and prompts, and tells the host of them, only once the toolbox is opened", spec.InBubble(func(t *testing.T) {
		w := start(t, early(same))
		w.server("files").declares = []string{"resources", "prompts"}
		connects(w)
		synctest.Wait()
		connection, live := w.sessions.Last(w.server("files").id)
		Expect(connection).To(BeNil())
		Expect(live).To(BeFalse())
		before := len(w.host.heard())

		w.opens("dev")

		Expect(w.host.heard()[before:]).To(ContainElements(
			"files: resources changed", "files: prompts changed"))
		_, live = w.sessions.Last(w.server("files").id)
		Expect(live).To(BeTrue())
	}))

	It("hides no resources and prompts of a toolbox that was opened before", spec.InBubble(func(t *testing.T) {
		w := start(t, early(same))
		w.opens("dev")
		connects(w)

		_, live := w.sessions.Last(w.server("files").id)

		Expect(live).To(BeTrue())
	}))

	It("prompts for no login", spec.InBubble(func(t *testing.T) {
		w := start(t, early(same))
		w.server("files").failure = domain.ErrLoginRequired
		connects(w)
		synctest.Wait()

		Expect(w.host.heard()).To(BeEmpty())
		w.server("files").repair()
		Expect(w.opens("dev").Connected()).To(Equal(2))
	}))

	It("lets an idle server be stopped, which the opening starts again", spec.InBubble(func(t *testing.T) {
		w := start(t, early(func(s *domain.Server) { s.Limits.Idle = time.Minute }))
		connects(w)
		time.Sleep(time.Hour)
		Expect(w.server("files").living()).To(BeZero())

		Expect(w.opens("dev").Connected()).To(Equal(2))

		Expect(w.server("files").started()).To(Equal(2))
	}))

	It("leaves nothing running when the host leaves meanwhile or before", spec.InBubble(func(t *testing.T) {
		w := start(t, early(same))
		w.server("files").startup = startup
		connects(w)
		w.close(time.Second)
		connects(w)
		synctest.Wait()

		Expect(w.server("files").living()).To(BeZero())
		Expect(w.server("files").started()).To(BeNumerically("<=", 1))
	}))
})
