package plugins_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Updating a plugin", func() {
	var h home
	BeforeEach(func() {
		h = newHome("")
		h.File("plug/mcp.json", h.servers(`, "web": {"type": "streamable-http", "url": "https://old.example/mcp"}`))
		h.trust()
	})
	changed := func() {
		h.File("plug/mcp.json", h.servers(`, "web": {"type": "streamable-http", "url": "https://new.example/mcp"}`))
	}

	It("shows only what differs from the trusted bytes, and trusts it after a yes", func() {
		changed()
		refused := RunInTerminal(h.Launch("update", "box"), Turn{Until: "Trust this plugin? [y/N]", Type: "n\r"})
		Expect(refused.Stdout).To(And(
			ContainSubstring("box: the plugin in "+h.Path("plug")+" is not as you trusted it"),
			ContainSubstring("\n  tools/web: https://new.example/mcp"), ContainSubstring("\n  was: tools/web: https://old.example/mcp"),
			MatchRegexp("\n  was: a yes holds for mcp.json with the SHA-256 "), Not(ContainSubstring("tools/local")), Not(ContainSubstring("bin/server"))))
		Expect(h.Run("call", "box/local/cwd").Code).NotTo(Equal(0))

		Expect(RunInTerminal(h.Launch("update", "box"), Turn{Until: "Trust this plugin? [y/N]", Type: "y\r"}).Code).To(Equal(0))
		h.called("cwd")
		Expect(h.Run("update", "box").Stdout).To(Equal("box: its plugin is as you trusted it\n"))
	})

	It("trusts nothing without a yes, and --check only tells", func() {
		Expect(h.Run("update", "--check").Code).To(Equal(0))
		changed()
		Expect(h.Run("update", "box").Code).To(Equal(2))
		Expect(h.Run("update", "box", "--dry-run").Code).To(Equal(0))
		outcome := h.Run("update", "--check")
		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(ContainSubstring("https://new.example/mcp"))
		Expect(h.Run("call", "box/local/cwd").Code).NotTo(Equal(0))

		outcome = h.Run("update", "box", "--yes", "--json")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(MatchRegexp(`"servers":\[\],?|"plugins":\[{"toolbox":"box",.*"changed":true,"written":true`))
		h.called("cwd")
	})

	It("takes what needs care only with --allow-options, if it is new", func() {
		h.File("plug/mcp.json", h.servers(`, "code": {"type": "stdio", "command": "node", "env": {"NODE_OPTIONS": "-r x"}}`))
		outcome := h.Run("update", "box", "--yes")
		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stderr).To(ContainSubstring("--yes alone does not accept what needs care"))
		Expect(h.Run("update", "box", "--yes", "--allow-options").Code).To(Equal(0))
		h.program("other")
		Expect(h.Run("update", "box", "--yes").Code).To(Equal(0))
		h.called("cwd")
	})

	It("names a plugin that breaks a rule, and goes on with the others", func() {
		h.File("plug/plugin.json", "{}")
		outcome := h.Run("update")
		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(ContainSubstring("section 5.3"))
	})
})
