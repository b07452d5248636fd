package lockreport

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
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

	Describe("about the cost of opening toolboxes", func() {
		outcome := func(toolboxes int, differing ...domain.ToolboxName) Outcome {
			var report Outcome
			for i := range toolboxes {
				name := domain.ToolboxName(fmt.Sprint("box", i))
				report.Found.Opened = append(report.Found.Opened, domain.OpenedToolbox{
					Toolbox: domain.Toolbox{Name: name}, Servers: []domain.OpenedServer{{ID: domain.ServerID{Toolbox: name, Server: "s"}}},
				})
			}
			for _, name := range differing {
				report.Found.Differences = append(report.Found.Differences, domain.Difference{Tool: domain.ToolIdentifier{Toolbox: name, Server: "s", Tool: "t"}})
			}
			return report
		}
		const total = `^all \d+ toolboxes: opening shows 0 tools in about \d+ tokens, 0\.\d % of a window of 200,000`

		It("is one line where there is one toolbox", func() {
			Expect(outcome(1).describeCosts()).To(HaveExactElements(HavePrefix("box0: opening shows")))
		})

		It("has the toolboxes that differ from the lock, and all together", func() {
			Expect(outcome(40, "box3", "box7").describeCosts()).To(HaveExactElements(HavePrefix("box3: "), HavePrefix("box7: "),
				MatchRegexp(total+"; with --details there is a line for each$")))
		})

		It("has only all together where many differ, or none does", func() {
			Expect(outcome(9, "box0", "box1", "box2", "box3", "box4", "box5", "box6", "box7", "box8").describeCosts()).To(HaveExactElements(MatchRegexp(total)))
			Expect(outcome(2).describeCosts()).To(HaveExactElements(MatchRegexp(total)))
		})

		It("has every toolbox with details", func() {
			report := outcome(9)
			report.Details = true

			Expect(report.describeCosts()).To(HaveLen(10))
		})
	})

	It("reports the cost of opening a toolbox", func() {
		opened := domain.OpenedToolbox{Toolbox: domain.Toolbox{Name: "dev"}, Servers: []domain.OpenedServer{{
			ID: domain.ServerID{Toolbox: "dev", Server: "s"},
			Tools: []domain.ToolInfo{{Name: "ask", Shown: "ask", Definition: json.RawMessage(
				`{"name":"ask","description":"` + strings.Repeat("x", 8800) + `"}`)}},
		}}}
		var answer struct{ Content []struct{ Text string } }
		Expect(json.Unmarshal(wording.NewOpenAnswer(opened, wording.Showing{Form: definitions.Full}).Result(), &answer)).To(Succeed())

		Expect(openingCost(opened, definitions.Settings{}).Bytes).To(Equal(len(answer.Content[0].Text)))
		Expect(openingCost(opened, definitions.Settings{}).String()).To(MatchRegexp(
			`^dev: opening shows 1 tool in about 19[78][0-9] tokens, 1\.0 % of a window of 200,000$`))

		opened.Servers = append(opened.Servers, domain.OpenedServer{Failure: errors.New("it is gone")})
		Expect(openingCost(opened, definitions.Settings{}).String()).To(HaveSuffix("of 200,000, without the servers that cannot be reached"))
		settings := definitions.Settings{Default: definitions.Names, Budget: definitions.DefaultBudget}
		Expect(openingCost(opened, settings).String()).To(MatchRegexp(`^dev: opening shows 1 tool in about .*, in the form of "definitions": "names"`))
	})
})
