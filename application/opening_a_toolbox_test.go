package application_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

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
		starts, _ := w.servers[domain.ServerID{Toolbox: "ops", Server: "other"}].counts()
		Expect(starts).To(BeZero())
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
			now, _ := server.alive()
			Expect(now).To(Equal(1))
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
			starts, _ := w.server("files").counts()
			Expect(starts).To(Equal(1))
			starts, _ = w.server("db").counts()
			Expect(starts).To(Equal(2))
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
			w := start(t, tools)

			opened := w.opens("dev")

			Expect(domain.Reason(opened.Servers[1].Failure)).To(Equal(
				"environment variable 'TOKEN' is not set (toolboxes.dev.mcpServers.db.env.TOKEN)"))
			starts, _ := w.server("db").counts()
			Expect(starts).To(BeZero())
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
			starts, _ := w.server("files").counts()
			Expect(starts).To(Equal(1))
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
			starts, _ := w.server("files").counts()
			Expect(starts).To(BeZero())
		}))
	})
})
