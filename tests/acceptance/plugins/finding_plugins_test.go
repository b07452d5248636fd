package plugins_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Plugins in the folders of hosts", func() {
	var h home
	BeforeEach(func() {
		h = newHome("")
		h.File(OwnConfiguration, `{"toolboxes": {}}`)
	})
	// moved puts the plugin into another folder.
	moved := func(folder string) string {
		GinkgoHelper()
		Expect(os.MkdirAll(h.Path(folder), 0o700)).To(Succeed())
		Expect(os.Remove(h.Path(folder))).To(Succeed())
		Expect(os.Rename(h.Path("plug"), h.Path(folder))).To(Succeed())
		return h.Path(folder)
	}

	DescribeTable("become toolboxes after one review", func(host, folder string, settings func() (path, text string)) {
		root := moved(folder)
		if settings != nil {
			path, text := settings()
			h.File(path, text)
		}
		arguments := []string{"import"}
		if host != "" {
			arguments = append(arguments, host)
		}
		outcome := RunInTerminal(h.Launch(arguments...), Turn{Until: "? [y/N]", Type: "y\r"})
		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(outcome.Stdout).To(And(
			ContainSubstring("tools is the plugin in "), ContainSubstring("would start and reach, with your rights:"), ContainSubstring("a yes holds for mcp.json")))
		Expect(h.Content(OwnConfiguration)).To(MatchJSON(`{"toolboxes": {"tools": {"plugin": ` + Quote(root) + `}}}`))
		outcome = h.Run("call", "tools/local/cwd")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
	},
		Entry("of VT Code", "", ".agents/plugins/tools", nil),
		Entry("of VT Code, in a project", "", "work/.agents/plugins/tools", nil),
		Entry("of coder", "", ".coder/plugins/tools", nil),
		Entry("of Mux", "", ".mux/plugins/tools", nil),
		Entry("of Cursor", "cursor", ".cursor/plugins/local/tools", nil),
		Entry("of Copilot", "copilot", ".copilot/installed-plugins/_direct/tools", nil),
		Entry("of VS Code's settings", "vscode", "mine/tools", func() (path, text string) {
			return ".config/Code/User/settings.json", "{// mine\n" + `"chat.pluginLocations": {"~/mine/tools": true, "~/other": false, "relative": true}}`
		}),
		Entry("of VS Code's settings in a project", "vscode", "work/tools", func() (path, text string) {
			return "work/.vscode/settings.json", `{"chat.pluginLocations": {"tools": true}}`
		}),
		Entry("of VS Code's installed plugins", "vscode", ".vscode/agent-plugins/github.com/a/tools", func() (path, text string) {
			return ".vscode/agent-plugins/installed.json",
				`{"version": 1, "installed": [{"pluginUri": ` + Quote("file://"+h.Path(".vscode/agent-plugins/github.com/a/tools")) + `, "marketplace": "a"}]}`
		}),
	)

	It("are named, and not imported, if they break a rule, have no server, or have the name of a toolbox", Label("PL03"), func() {
		moved(".agents/plugins/tools")
		h.File(".agents/plugins/old/plugin.json", `{"name": "old"}`)
		h.File(".agents/plugins/empty/plugin.json", `{`+manifestSchema+`, "name": "empty"}`)
		h.File(".agents/plugins/none/README.md", "")
		h.File(OwnConfiguration, `{"toolboxes": {"tools": {"mcpServers": {"s": {"command": "x"}}}}}`)

		outcome := h.Run("import", "--yes")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(And(
			MatchRegexp(`not imported: "old" of .*: "\$schema" is missing \(Agent Plugins 1\.0\.0, section 5\.3\)`),
			ContainSubstring(`the plugin has no server and no skill that can be used`), ContainSubstring(`the toolbox tools exists; 'mcp-workbench add `),
			Not(ContainSubstring("none")), ContainSubstring("nothing to import into")))
		Expect(h.Run("trust", "--list").Stdout).To(Equal("no file is trusted\n"))
	})

	It("are not imported without a yes, nor from a project that nobody looked at", Label("PL03"), func() {
		root := moved(".cursor/plugins/local/tools")
		outcome := h.Run("import")
		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stdout).To(ContainSubstring("tools is the plugin in " + root + ", a folder of Cursor"))
		Expect(h.Run("import", "--dry-run").Code).To(Equal(0))
		Expect(h.Content(OwnConfiguration)).To(Equal(`{"toolboxes": {}}`))
		Expect(h.Run("trust", "--list").Stdout).To(Equal("no file is trusted\n"))

		Expect(os.Rename(root, h.Path("plug"))).To(Succeed())
		moved("work/.agents/plugins/tools")
		Expect(h.Run("import", "--yes").Stdout).To(ContainSubstring("it belongs to the project in this folder, so review it first: 'mcp-workbench add "))
	})

	It("are imported once, however many hosts have them, and by their folder too", func() {
		root := moved(".cursor/plugins/local/tools")
		h.File(".config/Code/User/settings.json", `{"chat.pluginLocations": {"~/.cursor/plugins/local/tools": true}}`)
		outcome := h.Run("import", root+"/mcp.json", "cursor", "vscode", "--yes", "--json")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(h.Content(OwnConfiguration)).To(MatchJSON(`{"toolboxes": {"tools": {"plugin": ` + Quote(root) + `}}}`))
		Expect(outcome.Stdout).To(ContainSubstring(`"plugins":[{"toolbox":"tools","host":"","scope":"","folder":` + Quote(root) + `}]`))
		Expect(h.Run("import", "--yes").Stdout).To(ContainSubstring("nothing to import into"))
	})

	It("that run code besides are taken by --yes only with --allow-options", func() {
		moved(".cursor/plugins/local/tools")
		h.File(".cursor/plugins/local/tools/mcp.json", h.servers(`, "code": {"type": "stdio", "command": "node", "args": ["-e", "1"], "env": {"NODE_OPTIONS": "-r x"}}`))
		outcome := h.Run("import", "--yes")
		Expect(outcome.Code).To(Equal(2), outcome.Stdout)
		Expect(outcome.Stderr).To(ContainSubstring("--yes alone does not accept what needs care"))
		Expect(h.Run("add", h.Path(".cursor/plugins/local/tools"), "--yes").Code).To(Equal(2))
		outcome = h.Run("import", "--yes", "--allow-options")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(h.Run("list").Stdout).To(ContainSubstring("tools\tcode\t"))
	})

	It("are offered by init, which without a terminal trusts none unless --yes is given", func() {
		moved(".agents/plugins/tools")
		Expect(os.Remove(h.Path(OwnConfiguration))).To(Succeed())
		outcome := h.Run("init")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("shows it and asks"))
		Expect(h.Content(OwnConfiguration)).NotTo(ContainSubstring("plugin"))

		Expect(os.Remove(h.Path(OwnConfiguration))).To(Succeed())
		Expect(h.Run("init", "--yes").Code).To(Equal(0))
		Expect(h.Run("list").Stdout).To(HavePrefix("tools\tlocal\t"))

		Expect(os.Remove(h.Path(OwnConfiguration))).To(Succeed())
		outcome = RunInTerminal(h.Launch("init"),
			Turn{Until: "tools/all of the plugin", Type: "\r"}, Turn{Until: "background?", Type: "n\r"}, Turn{Until: "? [Y/n]", Type: "\r"})
		Expect(outcome.Stdout).To(ContainSubstring("tools is the plugin in "))
		Expect(h.Run("list").Stdout).To(HavePrefix("tools\tlocal\t"))
	})
})
