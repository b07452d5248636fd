package doctor

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

var _ = Describe("The interpreter that a server requires", func() {
	DescribeTable("is known by its command", func(command, language, program, wanted string) {
		required, ok := requirementOf(domain.Program{Command: command, Cwd: GinkgoT().TempDir()})

		Expect(ok).To(Equal(language != ""))
		if ok {
			Expect(required).To(Equal(requirement{language, program, wanted, "MCP servers in general want"}))
		}
	},
		Entry(nil, "npx", "Node", "node", ">=18"),
		Entry(nil, "/opt/node", "Node", "/opt/node", ">=18"),
		Entry(nil, "python3.9", "Python", "python3.9", ">=3.10"),
		Entry(nil, "uvx", "", "", ""),
		Entry(nil, "", "", "", ""),
	)

	DescribeTable("is read from its package", func(command, file, name string, args ...string) {
		folder := GinkgoT().TempDir()
		path := filepath.Join(folder, filepath.FromSlash(file))
		Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
		Expect(os.WriteFile(path, []byte(`{"engines": {"node": ">=22"}}`), 0o600)).To(Succeed())

		found, engines := enginesOf(launcher.Read(command, args), domain.Program{Command: command, Args: args, Cwd: folder})

		if name == "" {
			Expect(engines).To(BeEmpty())
			return
		}
		Expect(found).To(Equal(name))
		Expect(engines).To(Equal(">=22"))
	},
		Entry("in the project", "npx", "node_modules/@scope/new/package.json", "@scope/new", "-y", "@scope/new@latest"),
		Entry("named by a flag", "npx", "node_modules/new/package.json", "new", "--package=new", "run-new"),
		Entry("named behind a flag", "npx", "node_modules/new/package.json", "new", "-p", "new@1", "run-new"),
		Entry("not from the registry", "npx", "node_modules/new/package.json", "", "git+https://host/new"),
		Entry("not named", "npx", "node_modules/new/package.json", "", "-y"),
		Entry("above a script", "node", "new/package.json", "new", "--no-warnings", "new/dist/index.js"),
		Entry("not above a script", "node", "other/package.json", "", "new/dist/index.js"),
		Entry("no script", "node", "package.json", "", "--help"),
	)
})
