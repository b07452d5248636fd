package hosts_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
)

var _ = Describe("A host", func() {
	for _, h := range hosts {
		Describe(h.name, Ordered, ContinueOnFailure, func() {
			var (
				d    account
				c    conversation
				seen record
			)

			BeforeAll(func(ctx SpecContext) {
				d = accountWith(seven).recording()
				if h.oneShot {
					d.write("workbench-config.json", `{"openOnUse": true,`+d.read("workbench-config.json")[1:])
				}
				calls := []model.Call{open("memory"), use("memory", "echo"), use("memory", "ask")}

				c = h.converse(ctx, d, calls)

				seen = readRecord(d)
				AddReportEntry(tableEntry, rowOf(h, c, seen))
			})

			It("shows the model both tools", func() {
				if h.defers {
					Expect(c.read).To(ContainSubstring("open_toolbox"))
					return
				}
				Expect(c.read).To(And(ContainSubstring("open_toolbox"), ContainSubstring("use_tool")))
			})

			It("shows the model every toolbox", func() {
				for _, t := range seven {
					Expect(c.read).To(ContainSubstring(t.name))
				}
			})

			It("opens a toolbox", func() {
				Expect(c.results).To(HaveLen(3))
				Expect(c.results[0]).To(And(ContainSubstring("echo"), ContainSubstring("memory")))
			})

			It("uses a tool", func() {
				Expect(c.results[1]).To(ContainSubstring("It says: hello"))
			})

			It("gets the progress that it asks for", func() {
				Expect(seen.progress).To(Equal(seen.asksForProgress))
			})

			It("is asked the questions that it declared support for", func() {
				Expect(c.results[2]).NotTo(ContainSubstring("Error"))
				if seen.declares("elicitation") {
					Expect(seen.elicitation).NotTo(BeEmpty())
				} else {
					Expect(seen.elicitation).To(BeEmpty())
				}
			})

			It("leaves nothing running", func() {
				Eventually(d.processes).WithTimeout(patience).Should(BeEmpty())
			})
		})
	}
})

var _ = Describe("With forty toolboxes, a host", func() {
	for _, h := range hosts {
		It("shows the model all of them and leaves nothing running: "+h.name, func(ctx SpecContext) {
			d := accountWith(forty())

			c := h.converse(ctx, d, []model.Call{open("toolbox-39")})

			var missing []string
			for _, t := range forty() {
				if !strings.Contains(c.read, t.name) {
					missing = append(missing, t.name)
				}
			}
			if h.firstLine {
				// 250 characters are enough for some: the line has the number of the others.
				Expect(len(missing)).To(BeNumerically("<", 26), "%s", missing)
				Expect(c.read).To(MatchRegexp(`and \d+ more`))
			} else {
				Expect(missing).To(BeEmpty())
			}
			Expect(c.read).NotTo(ContainSubstring("… [truncated]"))
			Expect(c.results).To(HaveExactElements(ContainSubstring("echo")))
			Eventually(d.processes).WithTimeout(patience).Should(BeEmpty())
		})
	}
})

var _ = Describe("With a mistake in the configuration, a host", func() {
	for _, h := range hosts {
		It("has the valid toolboxes and is told about the mistake: "+h.name, func(ctx SpecContext) {
			d := accountWith(seven)
			right := d.read("workbench-config.json")
			d.write("workbench-config.json", strings.Replace(right, `"command"`, `"comand"`, 1))

			c := h.converse(ctx, d, []model.Call{open("files"), open("memory")})

			Expect(c.results).To(HaveLen(2))
			// Gemini CLI itself refuses names that are not in the enum, and has read about the mistake before.
			Expect(c.results[0]).NotTo(ContainSubstring("echo"))
			Expect(c.read + c.results[0]).To(ContainSubstring(`toolboxes.files.mcpServers.scripted.comand: want "command"`))
			Expect(c.results[1]).To(ContainSubstring("echo"))
			Eventually(d.processes).WithTimeout(patience).Should(BeEmpty())
		})
	}
})
