package acceptance_test

import (
	"os"
	"os/exec"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Connecting a host", func() {
	It("does not take over a file of another user", func() {
		if os.Getuid() != 0 {
			Skip("only root can run the program as another user")
		}
		home := newHomeFolder()
		home.configured(`{"git": {"command": "git-mcp"}}`)
		home.file(".cursor/mcp.json", cursorFile)
		launch := home.launch("connect", "cursor", "--yes")
		launch.Prepare = func(process *exec.Cmd) {
			runAsOwnUser(process)
			process.Dir = "/"
		}

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stderr).To(ContainSubstring(".cursor/mcp.json: it belongs to another user"))
		Expect(home.content(".cursor/mcp.json")).To(Equal(cursorFile))
	})
})

var _ = Describe("A disk that is full", func() {
	DescribeTable("leaves every file as it was", func(line ...string) {
		home := newHomeFolder()
		home.configured(`{"git": {"command": "git-mcp", "args": ["--stdio"]}}`)
		before := home.content(ownConfiguration)
		home.file(".cursor/mcp.json", cursorFile)
		launch := home.launch(line...)
		launch.Prepare = func(process *exec.Cmd) { throughShell(process, `ulimit -f 0; exec "$0" "$@"`) }

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(1), outcome.Stderr)
		Expect(outcome.Stderr).To(ContainSubstring("file too large"))
		Expect(home.content(".cursor/mcp.json")).To(Equal(cursorFile))
		Expect(home.content(ownConfiguration)).To(Equal(before))
	},
		Entry("connect", "connect", "cursor", "--yes"),
		Entry("import", "import", "cursor", "--yes"),
		Entry("add", "add", "web", "https://host/mcp"),
		Entry("remove", "remove", "git"),
	)

	It("leaves a host's file as it was, and nothing beside it", func() {
		home := newHomeFolder()
		home.configured(`{"git": {"command": "git-mcp"}}`)
		home.file(".cursor/mcp.json", cursorFile)
		state := home.run("connect", "cursor", "--yes") // so that what is remembered is there
		Expect(state.Code).To(Equal(0), state.Stderr)
		connected := home.content(".cursor/mcp.json")
		launch := home.launch("disconnect", "cursor", "--yes")
		launch.Prepare = func(process *exec.Cmd) { throughShell(process, `ulimit -f 0; exec "$0" "$@"`) }

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stderr).To(ContainSubstring("file too large"))
		Expect(home.content(".cursor/mcp.json")).To(Equal(connected))
		files, err := os.ReadDir(home.path(".cursor"))
		Expect(err).NotTo(HaveOccurred())
		Expect(files).To(HaveLen(1))
		Expect(home.run("disconnect", "cursor", "--yes").Code).To(Equal(0))
		Expect(home.content(".cursor/mcp.json")).To(Equal(cursorFile))
	})
})
