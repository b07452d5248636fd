package hosts_test

import (
	"fmt"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The program under another name", func() {
	var (
		home        HomeFolder
		copied      string
		cursorFile  string
		cursorEntry = `{"mcpServers": {"bench": {"command": %q, "args": ["--config", "/x.json"]}, "linked": {"command": "wb"},
			"demo": {"command": %q, "args": ["demo-server"]}, "mcp-workbench-notes": {"command": "mcp-workbench-notes"}}}`
	)
	BeforeEach(func() {
		home = NewHomeFolder()
		binary, err := os.ReadFile(BuiltWorkbench())
		Expect(err).NotTo(HaveOccurred())
		copied = home.Program("bench", string(binary))
		Expect(os.Symlink(copied, home.Path("bin/wb"))).To(Succeed())
		home.Program("mcp-workbench-notes", "#!/bin/sh\n")
		cursorFile = fmt.Sprintf(cursorEntry, copied, copied)
		home.File(".cursor/mcp.json", cursorFile)
	})

	It("does not import itself, whatever its name, but imports another program with its name", func() {
		for _, command := range []string{"import", "init"} {
			launch := home.Launch(command, "--yes", "--config", command+".json")
			launch.Program = copied
			outcome := Run(launch)

			Expect(outcome.Code).To(Equal(0), outcome.Stderr)
			Expect(outcome.Stdout).To(And(
				ContainSubstring(`not imported: "bench" of `+home.Path(".cursor/mcp.json")+": it is the workbench itself"),
				ContainSubstring(`not imported: "linked" of `), Not(ContainSubstring(`not imported: "mcp-workbench-notes"`)),
				Not(ContainSubstring(`not imported: "demo"`)),
			))
			text := home.Content("work/" + command + ".json")
			Expect(text).To(And(ContainSubstring(`"mcp-workbench-notes"`), ContainSubstring(`"demo-server"`), Not(ContainSubstring(`"linked"`))))
		}
	})

	It("rewrites its own entry, and doctor finds that it starts another file", func() {
		home.Configured(`{"git": {"url": "https://host/mcp"}}`)
		home.File(".cursor/mcp.json", fmt.Sprintf(`{"mcpServers": {"workbench": {"command": %q}}}`, copied))
		Expect(home.Examined()).To(ContainElement(And(
			HaveField("Code", "D014"), HaveField("Fix", "'mcp-workbench connect cursor' writes it again"))))

		outcome := home.Run("connect", "cursor", "--yes")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(home.Content(".cursor/mcp.json")).NotTo(ContainSubstring(copied))
		Expect(home.Examined()).To(BeEmpty())
	})
})
