package hosts_test

import (
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A command that a message suggests", func() {
	It("has no single quotes around it if a path in it has them", func() {
		if runtime.GOOS == "windows" {
			Skip("paths of Windows are in double quotes")
		}
		home := NewHomeFolder()
		home.File("my file.json", `{"toolboxes":{}}`)
		home.File(".cursor/mcp.json", `{}`)
		path := home.Path("my file.json")

		unasked := home.Run("connect", "cursor", "--config", path)
		Expect(unasked.Code).NotTo(BeZero())
		Expect(unasked.Stderr).To(ContainSubstring("run `mcp-workbench connect cursor --config '" + path + "' --yes`"))

		Expect(home.Run("doctor", "--offline", "--config", path).Stdout).NotTo(ContainSubstring("' --config '"))

		missing := home.Run("list", "--config", home.Path("no file.json"))
		Expect(missing.Stderr).To(ContainSubstring("`mcp-workbench init --config '" + home.Path("no file.json") + "'` creates it"))
	})
})
