package lockreport

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/domain"
)

var _ = Describe("The report of lock", func() {
	pinOf := func(definition string) domain.Pin {
		return lockfile.NewDefinitions().Pin(domain.ToolInfo{Name: "ask", Definition: json.RawMessage(definition)}, domain.PinDefinition)
	}
	full, bare := pinOf(`{"name":"ask","description":"Ask by form."}`), pinOf(`{"name":"ask","description":"Ask."}`)
	tool := func(optional bool, pins ...domain.Pin) *domain.LockedTool {
		return &domain.LockedTool{Name: "ask", Pins: pins, Optional: optional}
	}

	DescribeTable("describes the differences of a tool, per host",
		func(locked, live *domain.LockedTool, lines ...string) {
			id := domain.ToolIdentifier{Toolbox: "dev", Server: "s", Tool: "ask"}

			Expect(describeDifference(domain.Difference{Tool: id, Locked: locked, Live: live})).To(Equal(lines))
		},
		Entry("added", nil, tool(false, bare), "added: dev / s / ask", `    description`, `      + "Ask."`),
		Entry("added for some hosts", nil, tool(true, bare),
			"added: dev / s / ask", "    shown to some hosts only, by their capabilities", `    description`, `      + "Ask."`),
		Entry("added with two definitions", nil, tool(false, full, bare),
			"added: dev / s / ask",
			"    to hosts with all capabilities:", `    description`, `      + "Ask by form."`,
			"    to hosts without capabilities:", `    description`, `      - "Ask by form."`, `      + "Ask."`),
		Entry("a second definition", tool(false, bare), tool(false, full, bare),
			"changed: dev / s / ask", "    to hosts with all capabilities:", `    description`, `      - "Ask."`, `      + "Ask by form."`),
		Entry("one definition less", tool(false, full, bare), tool(false, bare),
			"changed: dev / s / ask", "    shown to every host in the same way"),
		Entry("not for every host any more", tool(false, bare), tool(true, bare),
			"changed: dev / s / ask", "    shown to some hosts only, by their capabilities"),
		Entry("for every host now", tool(true, bare), tool(false, bare), "changed: dev / s / ask", "    shown to every host"),
		Entry("removed", tool(true, bare), nil, "removed: dev / s / ask"),
	)

	DescribeTable("says what needs care in an update", func(locked, live *domain.PackagePin, lines ...string) {
		report := Outcome{LockRun: domain.LockRun{Mode: domain.LockUpdate}}
		report.Found.Packages = []domain.PackageComparison{{ID: domain.ServerID{Toolbox: "dev", Server: "s"}, Locked: locked, Live: live}}

		Expect(report.needsCare()).To(HaveExactElements(lines))
	},
		Entry("another package", pinned("good", false), pinned("evil", false), "dev/s: another package: evil (npm), was: good (npm)"),
		Entry("a package that is not pinned any more", pinned("good", false), nil, "dev/s: good@1.0.0 is no longer pinned"),
		Entry("install scripts", pinned("good", false), pinned("good", true), "dev/s: install scripts of its packages run"),
		Entry("nothing in the same package", pinned("good", true), pinned("good", true)),
		Entry("nothing in a first pin", nil, pinned("good", true)),
	)
})

func pinned(name string, scripts bool) *domain.PackagePin {
	return &domain.PackagePin{PackageRequest: domain.PackageRequest{Kind: domain.PackageNPM, Name: name, InstallScripts: scripts}, Version: "1.0.0"}
}
