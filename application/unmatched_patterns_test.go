package application_test

import (
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Patterns of the configuration that match no tool", Label("K08"), func() {
	// warns starts a workbench and returns the warnings of an opening and the log.
	warns := func(t *testing.T, open func(opens func(domain.ToolboxName) []domain.Warning), toolboxes ...domain.Toolbox) string {
		w := start(t, toolboxes...)
		open(func(name domain.ToolboxName) []domain.Warning { return w.opens(name).Warnings })
		return w.log.String()
	}
	unmatched := HaveExactElements(And(
		HaveField("Kind", domain.PatternUnmatched),
		HaveField("Pattern", And(HaveField("Key", "confirm"), HaveField("Pattern.Text", "writ_e"), HaveField("Nearest", []string{"write"}))),
	))

	It("are in the answer of each opening, and logged once", spec.InBubble(func(t *testing.T) {
		log := warns(t, func(opens func(domain.ToolboxName) []domain.Warning) {
			Expect(opens("dev")).To(unmatched)
			Expect(opens("dev")).To(unmatched)
		}, confirmingToolbox("writ_e", "re*"))
		Expect(strings.Count(log, "writ_e")).To(Equal(1))
	}))

	It("are reported once the tools of all servers that they may name are known", spec.InBubble(func(t *testing.T) {
		other := toolbox("ops", "ci")
		other.Servers[0].Approvals = domain.Approvals{Confirm: tools("deploy")}
		dev := confirmingToolbox("deploy")
		warns(t, func(opens func(domain.ToolboxName) []domain.Warning) {
			Expect(opens("dev")).To(BeEmpty())
			Expect(opens("ops")).To(HaveLen(1))
			Expect(opens("dev")).To(HaveLen(1))
		}, dev, other)
	}))

	It("do not include patterns that match a tool that a filter leaves out", spec.InBubble(func(t *testing.T) {
		configured := confirmingToolbox("write")
		configured.Servers[0].Tools = domain.OnlyTools([]string{"read"})
		warns(t, func(opens func(domain.ToolboxName) []domain.Warning) {
			Expect(opens("dev")).To(BeEmpty())
		}, configured)
	}))

	It("are not looked for in toolboxes without approvals", spec.InBubble(func(t *testing.T) {
		warns(t, func(opens func(domain.ToolboxName) []domain.Warning) {
			Expect(opens("dev")).To(BeEmpty())
		}, toolbox("dev", "files"))
	}))
})
