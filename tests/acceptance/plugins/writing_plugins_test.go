package plugins_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Writing a plugin", func() {
	var h HomeFolder
	BeforeEach(func() {
		h = NewHomeFolder()
		h.File(OwnConfiguration, `{"toolboxes": {
			"files": {"description": "Files", "mcpServers": {"fs": {"command": "npx", "args": ["server", "${ROOT}", "`+h.Path("x")+`"], "env": {"API_TOKEN": "secret-value"}}}},
			"web": {"mcpServers": {"api": {"url": "https://api.example.com/mcp?key=secret-key", "headers": {"A": "${API_KEY}"}}, "own": {"command": "`+h.Path("own")+`"}}},
			"Other Box": {"mcpServers": {"s": {"command": "x"}}}}}`)
	})

	It("has one server, skills, and a list of what its user needs, without a secret or a path", func() {
		outcome := h.Run("plugin", "out", "--toolbox", "files,web", "--skills")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(h.Content("work/out/plugin.json")).To(ContainSubstring(`"name": "workbench-files-web"`))
		Expect(h.Content("work/out/mcp.json")).To(MatchJSON(`{"$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json", "mcpServers": {
			"workbench": {"type": "stdio", "command": "mcp-workbench", "args": ["serve", "--toolbox", "files,web"]}}}`))
		readme := h.Content("work/out/README.md")
		Expect(readme).To(And(
			ContainSubstring("with the toolboxes files, web ("), ContainSubstring("- for files/fs: the program `npx`, the variable `ROOT`\n"),
			ContainSubstring("- for web/api: access to api.example.com, the variable `API_KEY`\n"), Not(ContainSubstring("web/own"))))
		for _, file := range []string{"plugin.json", "mcp.json", "README.md", "skills/workbench-files/SKILL.md", "skills/workbench-web/SKILL.md"} {
			Expect(h.Content("work/out/" + file)).NotTo(Or(ContainSubstring("secret"), ContainSubstring(string(h))))
		}
	})

	It("is a plugin that loads without a report", func() {
		Expect(h.Run("plugin", "out", "--toolbox", "files", "--skills").Code).To(Equal(0))
		outcome := h.Run("trust", "--yes", "out")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(And(ContainSubstring("  workbench-files/workbench: "), ContainSubstring("  skill workbench-files, which says: "), Not(ContainSubstring("section"))))
	})

	It("is refused into a folder with files, with an unknown toolbox, and with a name that no skill may have", func() {
		h.File("work/out/x", "1")
		Expect(h.Run("plugin", "out").Stderr).To(ContainSubstring("out is not empty; name a new folder"))
		Expect(h.Run("plugin", "new", "--toolbox", "none").Code).To(Equal(2))
		Expect(h.Run("plugin", "new", "--skills").Code).To(Equal(2))
		Expect(h.Path("work/new")).NotTo(BeADirectory())
		Expect(h.Run("plugin", "new").Code).To(Equal(0))
		Expect(h.Content("work/new/plugin.json")).To(ContainSubstring(`"name": "mcp-workbench"`))
	})
})
