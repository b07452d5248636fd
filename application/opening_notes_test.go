package application_test

import (
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

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
