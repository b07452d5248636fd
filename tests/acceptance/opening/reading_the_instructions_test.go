package opening_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Reading the instructions", func() {
	const (
		openIt = "  - Use `open_toolbox` with toolbox name to access\n\n"
		ending = "To open a toolbox and see available tools:\n" +
			"1. Call `open_toolbox` with the desired toolbox name\n" +
			"2. Inspect the returned tools array for available operations"
		none = "No toolboxes configured.\n\n" +
			"To configure toolboxes, add them to your workbench-config.json file.\n" +
			"See documentation for configuration format."
	)
	absent := func(name string, settings ...string) Server {
		return Program(name, "/nowhere/at-all", settings...)
	}
	initialized := func(w *Workbench) string {
		GinkgoHelper()
		var result struct{ Instructions string }
		w.Initialize().Decode(&result)
		return result.Instructions
	}
	discovered := func(w *Workbench) string {
		GinkgoHelper()
		var result struct{ Instructions string }
		w.RequestModern("server/discover", "").Decode(&result)
		return result.Instructions
	}
	// openToolboxText returns the description of the tool open_toolbox.
	openToolboxText := func(w *Workbench) string {
		GinkgoHelper()
		var result struct {
			Tools []struct{ Name, Description string }
		}
		w.Request("tools/list", "{}").Decode(&result)
		Expect(result.Tools[0].Name).To(Equal("open_toolbox"))
		return result.Tools[0].Description
	}
	start := func(config string) *Workbench {
		GinkgoHelper()
		return Start(Launch{Config: config})
	}

	Context("if toolboxes are configured", func() {
		config := func() string {
			return Configuration(
				Toolbox{
					Name: "development", Description: "Development environment tools",
					Servers: []Server{absent("a"), absent("b")},
				},
				NewToolbox("production", absent("c")),
			)
		}
		const text = "## Available Toolboxes\n\n" +
			"- **development** (2 servers): Development environment tools\n" + openIt +
			"- **production** (1 server): No description provided\n" + openIt + ending

		It("lists them to a host with a handshake", func() {
			Expect(initialized(start(config()))).To(Equal(text))
		})

		It("lists them to a host of 2026-07-28", func() {
			Expect(discovered(start(config()))).To(Equal(text))
		})

		It("repeats the names at the end of the description of open_toolbox", func() {
			Expect(openToolboxText(start(config()))).To(HaveSuffix("\n\nToolboxes: development, production"))
		})

		It("gives the same bytes in two workbenches with one configuration", func() {
			text := config()
			first, second := start(text).Request("initialize", "{}"), start(text).Request("initialize", "{}")

			Expect(first.Line).To(Equal(second.Line))
		})

		It("starts no server for it", func() {
			server := Scripted("files", WithTools("read"))
			w := start(Configuration(InDev(server)))

			initialized(w)
			discovered(w)
			openToolboxText(w)

			Expect(w.End()).To(Equal(0))
			Expect(server.Received()).To(BeEmpty())
		})
	})

	It("keeps the order and the spelling of the file", func() {
		var toolboxes []Toolbox
		names := []string{"zeta", "Alpha", "alpha", "with space", "dotted.name", "dash-ed", "a_b", "ünï 🧰", "10", "9"}
		for _, name := range names {
			toolboxes = append(toolboxes, NewToolbox(name, absent("one")))
		}
		want := "## Available Toolboxes\n\n"
		for _, name := range names {
			want += "- **" + name + "** (1 server): No description provided\n" + openIt
		}

		Expect(initialized(start(Configuration(toolboxes...)))).To(Equal(want + ending))
	})

	It("neither counts disabled servers nor lists a toolbox that has no others", func() {
		off := absent("off", `"disabled": true`)
		w := start(Configuration(InDev(absent("on"), off), NewToolbox("idle", off)))

		text := initialized(w)

		Expect(text).To(ContainSubstring("- **dev** (1 server): "))
		Expect(text).NotTo(ContainSubstring("idle"))
		Expect(w.End()).To(Equal(0))
		Expect(w.Stderr()).To(ContainSubstring("toolboxes.idle: left out, since all its servers are disabled"))
	})

	DescribeTable("says how to configure toolboxes", func(l Launch) {
		w := Start(l)

		Expect(initialized(w)).To(Equal(none))
		Expect(discovered(w)).To(Equal(none))
		Expect(openToolboxText(w)).To(HaveSuffix("\n\nNo toolboxes configured."))
	},
		Entry("if the file has none", Launch{Config: `{"toolboxes": {}}`}),
		Entry("if there is no file", Launch{}),
	)
})
