package application_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

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
