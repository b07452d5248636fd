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

	DescribeTable("is read from its own package only", func(command, script, name, engines string) {
		folder := GinkgoT().TempDir()
		for file, text := range map[string]string{
			"package.json":                             `{"name":"project","engines":{"node":">=24"}}`,
			"node_modules/plain/package.json":          `{"name":"plain"}`,
			"node_modules/@s/mcp/package.json":         `{"name":"@s/mcp","engines":{"node":">=22"}}`,
			"node_modules/@s/mcp/dist/package.json":    `{"type":"module"}`,
			"node_modules/bare/dist/index.js":          "",
			"node_modules/@s/broken/dist/package.json": `{`,
		} {
			path := filepath.Join(folder, filepath.FromSlash(file))
			Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
			Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
		}

		found, wanted := enginesOf(launcher.Read(command, []string{script}), domain.Program{Command: command, Args: []string{script}, Cwd: folder})

		Expect([]string{found, wanted}).To(Equal([]string{name, engines}))
	},
		Entry("by its whole name", "node", "node_modules/@s/mcp/dist/index.js", "@s/mcp", ">=22"),
		Entry("not from the project around it", "node", "node_modules/plain/index.js", "plain", ""),
		Entry("not from there for a package without a manifest", "node", "node_modules/bare/dist/index.js", "", ""),
		Entry("and from the project for its own scripts", "node", "dist/index.js", "project", ">=24"),
		Entry("with npx too", "npx", "plain", "plain", ""),
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

var _ = Describe("A version", func() {
	// The package semver of npm says the same (minVersion), but for the last two, which it refuses.
	DescribeTable("is the oldest in a range", func(wanted, want string) {
		Expect(oldest(wanted).String()).To(Equal(want))
	},
		Entry(nil, ">=18", "18.0.0"),
		Entry(nil, ">= 18.17", "18.17.0"),
		Entry(nil, "^18.2.0 || >=20", "18.2.0"),
		Entry(nil, ">=20 || ^18.2.0", "18.2.0"),
		Entry(nil, "^0.3.1", "0.3.1"),
		Entry(nil, "~20.1", "20.1.0"),
		Entry(nil, ">=20.19.0 <22 || >=22.12.0", "20.19.0"),
		Entry(nil, "<22 >=20.19.0", "20.19.0"),
		Entry(nil, "18 - 20", "18.0.0"),
		Entry(nil, "18.x", "18.0.0"),
		Entry(nil, "v18.1.2", "18.1.2"),
		Entry(nil, "<=20", "0.0.0"),
		Entry(nil, "< 20 || >=22", "0.0.0"),
		Entry(nil, "*", "0.0.0"),
		Entry(nil, "", "0.0.0"),
		Entry(nil, "lts/*", "0.0.0"),
		Entry(nil, ">=18 || lts/*", "0.0.0"),
	)

	It("is found in the output of a program", func() {
		python, ok := parseVersion("Python 3.9.2\n")
		Expect(ok).To(BeTrue())
		Expect(python).To(Equal(version{3, 9, 2}))
		Expect(python.compare(oldest(">=3.10"))).To(BeNumerically("<", 0))
		_, ok = parseVersion("unknown")
		Expect(ok).To(BeFalse())
		_, ok = parseVersion("build 7")
		Expect(ok).To(BeFalse())
	})
})
