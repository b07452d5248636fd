package hosts_test

import (
	"os"
	"os/exec"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Connecting a host", func() {
	DescribeTable("does not write a file", func(owner, group int, says string) {
		if os.Getuid() != 0 {
			Skip("only root can run the program as another user")
		}
		home := NewHomeFolder()
		home.Configured(`{"git": {"command": "git-mcp"}}`)
		home.File(".cursor/mcp.json", CursorFile)
		Expect(os.Chown(home.Path(".cursor/mcp.json"), owner, group)).To(Succeed())
		launch := home.Launch("connect", "cursor", "--yes")
		launch.Prepare = func(process *exec.Cmd) {
			RunAsOwnUser(process)
			process.Dir = "/"
		}

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stderr).To(ContainSubstring(".cursor/mcp.json: " + says))
		Expect(home.Content(".cursor/mcp.json")).To(Equal(CursorFile))
	},
		Entry("of another user", 0, 0, "it belongs to another user"),
		Entry("of a group that the user is not in", OwnUser, 4242, "it belongs to the group 4242, of which you are no member"),
	)
})

var _ = Describe("A disk that is full", func() {
	DescribeTable("leaves every file as it was", func(line ...string) {
		home := NewHomeFolder()
		home.Configured(`{"git": {"command": "git-mcp", "args": ["--stdio"]}}`)
		before := home.Content(OwnConfiguration)
		home.File(".cursor/mcp.json", CursorFile)
		launch := home.Launch(line...)
		launch.Prepare = func(process *exec.Cmd) { ThroughShell(process, `ulimit -f 0; exec "$0" "$@"`) }

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(1), outcome.Stderr)
		Expect(outcome.Stderr).To(And(ContainSubstring("file too large"), Not(ContainSubstring(".mcp-workbench-"))))
		Expect(home.Content(".cursor/mcp.json")).To(Equal(CursorFile))
		Expect(home.Content(OwnConfiguration)).To(Equal(before))
	},
		Entry("connect", "connect", "cursor", "--yes"),
		Entry("import", "import", "cursor", "--yes"),
		Entry("add", "add", "web", "https://host/mcp"),
		Entry("remove", "remove", "git"),
	)

	It("only for the host's file is named with that file, and leaves no state", func() {
		home := NewHomeFolder()
		const block = 512 // the unit of "ulimit -f"
		configuration := home.File(strings.Repeat("d", 200)+"/"+strings.Repeat("d", 200)+"/c.json", `{"toolboxes": {}}`)
		launch := home.Launch("connect", "cursor", "--yes", "--config", configuration)
		launch.Prepare = func(process *exec.Cmd) { ThroughShell(process, `ulimit -f 1; exec "$0" "$@"`) }

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stderr).To(HaveSuffix("Cursor: write "+home.Path(".cursor/mcp.json")+": file too large\n"), "what is kept has less than %d bytes", block)
		Expect(home.Path(".cursor/mcp.json")).NotTo(BeAnExistingFile())
		Expect(os.ReadDir(home.Path(".local/state/mcp-workbench/connections"))).To(BeEmpty())
	})

	It("leaves a host's file as it was, and nothing beside it", func() {
		home := NewHomeFolder()
		home.Configured(`{"git": {"command": "git-mcp"}}`)
		home.File(".cursor/mcp.json", CursorFile)
		state := home.Run("connect", "cursor", "--yes") // creates the state of connect
		Expect(state.Code).To(Equal(0), state.Stderr)
		connected := home.Content(".cursor/mcp.json")
		launch := home.Launch("disconnect", "cursor", "--yes")
		launch.Prepare = func(process *exec.Cmd) { ThroughShell(process, `ulimit -f 0; exec "$0" "$@"`) }

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stderr).To(ContainSubstring("file too large"))
		Expect(home.Content(".cursor/mcp.json")).To(Equal(connected))
		files, err := os.ReadDir(home.Path(".cursor"))
		Expect(err).NotTo(HaveOccurred())
		Expect(files).To(HaveLen(1))
		Expect(home.Run("disconnect", "cursor", "--yes").Code).To(Equal(0))
		Expect(home.Content(".cursor/mcp.json")).To(Equal(CursorFile))
	})
})
