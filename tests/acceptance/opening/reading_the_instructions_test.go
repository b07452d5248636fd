package opening_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
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
	})

	It("describes a toolbox without a description by what its servers said of themselves, with a lock by what it confirms", func() {
		files := NewPinnedFiles(script.Script{Instructions: "Keeps *files* safe. Second sentence.", Tools: []string{script.Tool("read"), script.Tool("write")}})
		read := func() (text string) {
			w := Start(Launch{Args: []string{"--config", files.Config}, Env: files.Env()})
			text = initialized(w)
			w.Open("dev")
			Expect(w.End()).To(Equal(0))
			return text
		}

		Expect(read()).To(ContainSubstring("- **dev** (1 server): No description provided\n"))
		Expect(read()).To(ContainSubstring("- **dev** (1 server): files: \"Keeps files safe.\" (read, write)\n"))
		Expect(files.Run("lock").Code).To(Equal(0))
		Expect(read()).To(ContainSubstring("- **dev** (1 server): files (read, write)\n"))
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
