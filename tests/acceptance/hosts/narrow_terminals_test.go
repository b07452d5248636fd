package hosts_test

import (
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("On a narrow terminal", func() {
	DescribeTable("sentences wrap between words", func(columns int) {
		home := NewHomeFolder()
		home.Configured(`{"git": {"command": "git-mcp", "args": ["--stdio"], "env": {"GIT_TOKEN": "${GIT_TOKEN}"}}}`)
		home.File(".cursor/mcp.json", CursorFile)
		home.File(desktopFile, "{}")
		launch := home.Launch("connect", "--all", "--color", "never")
		launch.Env = append(launch.Env, "GIT_TOKEN=secret-of-git")
		terminal := OnTerminal(launch, columns, nil)
		for range 3 { // one for the value, and one for each host
			terminal.Take(Turn{Until: "[y/N]", Type: "yes\r"})
		}
		Expect(terminal.End()).To(Equal(0), terminal.Shown())

		for line := range strings.Lines(terminal.Shown()) {
			line = strings.TrimSuffix(line, "\n")
			isDiff := strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") || strings.HasPrefix(line, " ")
			if !isDiff && !strings.Contains(line, "/") {
				Expect(utf8.RuneCountInString(line)).To(BeNumerically("<=", columns), line)
			}
		}
		Expect(strings.Join(strings.Fields(terminal.Shown()), " ")).To(And(
			ContainSubstring(`Cursor also has "git" itself, so the model would see those tools twice; '--replace' removes them`),
			ContainSubstring("Cursor: written. Restart Cursor, or start a new session in it."),
		))
		Expect(terminal.Shown()).NotTo(ContainSubstring("secret-of"))
	},
		Entry(nil, 80),
		Entry(nil, 40),
	)
})
