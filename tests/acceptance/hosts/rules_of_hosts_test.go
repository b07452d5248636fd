package hosts_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A host's own rules about tools", Label("FP01"), func() {
	const (
		servers = `{"mcpServers":{"files":{"command":"npx","args":["-y","files-mcp"]},"notes":{"command":"npx","args":["-y","notes-mcp"]}}}`
		rules   = `{"permissions":{"deny":["mcp__files__write"],"ask":["mcp__files__move"]}}`
		pattern = `{"permissions":{"deny":["mcp__files__get_*"]}}`
	)
	var home HomeFolder
	BeforeEach(func() {
		home = NewHomeFolder()
		home.File(".claude.json", servers)
	})

	It("hold below the workbench, and disconnect leaves them as they were", func() {
		home.File(".claude/settings.json", rules)

		imported := home.Run("init", "--yes")
		Expect(imported.Code).To(Equal(0), imported.Stderr)
		Expect(imported.Stdout).To(And(
			ContainSubstring(`note: the host forbids write ("permissions.deny" of `+home.Path(".claude/settings.json")+`): so does "toolFilters"`),
			ContainSubstring(`note: the host asks before calls of move (`), ContainSubstring(`"Don't ask again" for use_tool`),
		))
		configuration := strings.Join(strings.Fields(home.Content(OwnConfiguration)), " ")
		Expect(configuration).To(ContainSubstring(`"toolFilters": [ "*", "!write" ], "confirm": [ "move" ]`))

		Expect(home.Run("connect", "claude-code", "--replace", "--yes").Code).To(Equal(0))
		Expect(home.Content(".claude.json")).NotTo(ContainSubstring("files-mcp"))
		Expect(home.Run("disconnect", "claude-code", "--yes").Code).To(Equal(0))
		Expect(home.Content(".claude.json")).To(Equal(servers))
		Expect(home.Content(".claude/settings.json")).To(Equal(rules))
	})

	It("keep a server in the host that was imported without them", func() {
		Expect(home.Run("init", "--yes").Code).To(Equal(0))
		home.File(".claude/settings.json", rules)

		connected := home.Run("connect", "claude-code", "--replace", "--yes")
		Expect(connected.Stdout).To(ContainSubstring(`"files" of Claude Code stays: it is like a server of the configuration, but differs in "toolFilters", "confirm"`))
		Expect(home.Content(".claude.json")).To(And(ContainSubstring("files-mcp"), Not(ContainSubstring("notes-mcp"))))
	})

	It("keep their server in the host without a counterpart, unless a yes names them", func() {
		NeedsTerminal()
		home.File(".claude/settings.json", pattern)

		imported := home.Run("init", "--yes")
		Expect(imported.Stdout).To(ContainSubstring("note: it is disabled here and stays in the host, since the rule mcp__files__get_* in "))
		Expect(home.Run("enable", "files/files").Code).To(Equal(0))
		Expect(home.Run("connect", "claude-code", "--replace", "--yes").Code).To(Equal(0))
		Expect(home.Content(".claude.json")).To(And(ContainSubstring("files-mcp"), Not(ContainSubstring("notes-mcp"))))

		question := Turn{Until: `Remove "files" from Claude Code, without it? [y/N] `, Type: "y\r"}
		answered := RunInTerminal(home.Launch("connect", "claude-code", "--replace"), question, Turn{Until: "[y/N] ", Type: "y\r"})
		Expect(answered.Stdout).To(ContainSubstring("the rule mcp__files__get_* in "))
		Expect(home.Content(".claude.json")).NotTo(ContainSubstring("files-mcp"))
		Expect(home.Run("disconnect", "claude-code", "--yes").Code).To(Equal(0))
		Expect(home.Content(".claude.json")).To(Equal(servers))
	})
})
