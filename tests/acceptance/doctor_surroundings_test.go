package acceptance_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// found is what the doctor found, as --json prints it.
type found struct{ Code, About, Found, Mend string }

// examined returns what the doctor finds in a home folder without starting a server.
func (h homeFolder) examined(args ...string) []found {
	GinkgoHelper()
	outcome := h.run(append([]string{"doctor", "--offline", "--json"}, args...)...)
	var result struct{ Findings []found }
	Expect(json.Unmarshal([]byte(outcome.Stdout), &result)).To(Succeed(), outcome.Stderr)
	Expect(outcome.Code).To(Equal(min(len(result.Findings), 1)))
	return result.Findings
}

// program puts a program into the folder that is the PATH.
func (h homeFolder) program(name, text string) string {
	GinkgoHelper()
	Expect(os.MkdirAll(h.path("bin"), 0o700)).To(Succeed())
	path := h.file("bin/"+name, text)
	Expect(os.Chmod(path, 0o700)).To(Succeed())
	return path
}

var _ = Describe("The doctor looks around a configuration", func() {
	var home homeFolder
	BeforeEach(func() { home = newHomeFolder() })

	Context("at hosts", func() {
		const cursor = ".cursor/mcp.json"
		entry := func(command, config string) string {
			return fmt.Sprintf(`"workbench": {"command": %q, "args": ["--config", %q]}`, command, config)
		}
		BeforeEach(func() {
			home.configured(`{"git": {"url": "https://host/mcp"}}`)
			Expect(home.run("connect", "cursor", "--yes").Code).To(Equal(0))
		})

		It("finds nothing about one that is connected", func() {
			Expect(home.examined()).To(BeEmpty())
		})

		It("finds one that starts a program that is gone, or another one", func() {
			home.file(cursor, `{"mcpServers": {`+entry("/no/such/mcp-workbench", home.path(ownConfiguration))+`}}`)
			Expect(home.examined()).To(ConsistOf(found{
				"D014", home.path(cursor), `the entry "workbench" of Cursor starts /no/such/mcp-workbench, which does not exist`,
				"'mcp-workbench connect cursor' writes it again",
			}))

			other := home.program("mcp-workbench-old", "")
			home.file(cursor, `{"mcpServers": {`+entry(other, home.path(ownConfiguration))+`}}`)
			Expect(home.examined()).To(ConsistOf(HaveField("Found", ContainSubstring("starts "+other+", not "))))
		})

		It("finds one that uses a configuration that is gone, or another one", func() {
			home.file(cursor, `{"mcpServers": {"workbench": {"command": "mcp-workbench", "args": ["--config=/no/such.json"]}}}`)
			Expect(home.examined()).To(ConsistOf(
				HaveField("Found", ContainSubstring("starts mcp-workbench, which is not in the PATH here")),
				HaveField("Found", ContainSubstring("uses the configuration /no/such.json, which does not exist")),
			))

			other := home.file("work/other.json", `{"toolboxes": {}}`)
			Expect(home.examined("--config", other)).To(ContainElement(And(
				HaveField("Code", "D014"), HaveField("Mend", ContainSubstring("'mcp-workbench --config "+other+" connect cursor'")),
			)))
		})

		It("finds one that also has the servers itself, and says how to take them out", func() {
			home.file(".codex/config.toml", "[mcp_servers.git]\nurl = \"https://host/mcp\"\n")
			Expect(home.examined()).To(BeEmpty(), "a host that does not start the workbench")
			Expect(home.run("connect", "codex", "--yes").Code).To(Equal(0))

			Expect(home.examined()).To(ConsistOf(found{
				"D015", home.path(".codex/config.toml"), `Codex also has "git" itself, so its model sees those tools twice`,
				"'mcp-workbench connect codex --replace' takes them out",
			}))
			Expect(home.run("connect", "codex", "--yes", "--replace").Code).To(Equal(0))
			Expect(home.examined()).To(BeEmpty())
		})

		It("finds one whose file cannot be read", func() {
			home.file(cursor, `{"mcpServers": {`)

			Expect(home.examined()).To(ConsistOf(And(HaveField("Code", "D016"), HaveField("About", home.path(cursor)))))
		})
	})

	Context("at files", func() {
		const token = `{"git": {"command": "/bin/true", "env": {"GIT_TOKEN": "secret-of-git"}}}`
		BeforeEach(func() { home.configured(token) })
		about := func(code, name string) any {
			return And(HaveField("Code", code), HaveField("About", home.path(name)))
		}

		DescribeTable("finds what others can change", func(path string, mode os.FileMode) {
			Expect(home.examined()).To(BeEmpty())
			home.program("git-mcp", "")
			home.configured(`{"git": {"command": "` + home.path("bin/git-mcp") + `"}}`)
			home.file(".config/mcp-workbench/workbench.lock.json", "")
			Expect(home.examined()).To(BeEmpty())
			Expect(os.Chmod(home.path(path), mode)).To(Succeed())

			findings := home.examined()

			Expect(findings).To(ConsistOf(about("D012", path)))
			Expect(findings[0].Found).To(ContainSubstring("everybody on this machine can change the "))
			Expect(findings[0].Mend).To(ContainSubstring("'chmod go-w " + home.path(path) + "'"))
		},
			Entry("the configuration", ownConfiguration, os.FileMode(0o646)),
			Entry("the lock", ".config/mcp-workbench/workbench.lock.json", os.FileMode(0o646)),
			Entry("their folder", ".config/mcp-workbench", os.FileMode(0o777)),
			Entry("a folder above", ".config", os.FileMode(0o777)),
			Entry("the program of a server", "bin/git-mcp", os.FileMode(0o777)),
			Entry("the folder of that", "bin", os.FileMode(0o777)),
		)

		It("finds secrets that others can read, and does not show them", func() {
			Expect(os.Chmod(home.path(ownConfiguration), 0o644)).To(Succeed())
			Expect(home.examined()).To(BeEmpty(), "a folder keeps it from others")
			for _, folder := range []string{".config/mcp-workbench", ".config", ""} {
				Expect(os.Chmod(home.path(folder), 0o711)).To(Succeed())
			}
			for folder := filepath.Dir(home.path("")); folder != "/"; folder = filepath.Dir(folder) {
				if info, err := os.Stat(folder); err != nil || info.Mode()&0o001 == 0 {
					Skip("the folder for temporary files is kept from others: " + folder)
				}
			}

			findings := home.examined()

			Expect(findings).To(ConsistOf(about("D013", ownConfiguration)))
			Expect(findings[0].Found).To(HaveSuffix("can read what looks like secrets: env.GIT_TOKEN of code/git"))
			home.configured(`{"git": {"command": "/bin/true", "env": {"GIT_TOKEN": "${GIT_TOKEN:-}"}}}`)
			Expect(home.examined()).To(BeEmpty())
		})
	})

	Context("at programs that run packages", func() {
		It("finds a Node that is older than the package wants", func() {
			node := home.program("node", "#!/bin/sh\necho v18.20.1\n")
			home.program("npx", "")
			home.configured(`{"new": {"command": "npx", "args": ["-y", "@scope/new@latest"]}, "other": {"command": "npx", "args": ["other"]}}`)
			Expect(home.examined()).NotTo(ContainElement(HaveField("Code", "D017")))
			home.file(".npm/_npx/0a/node_modules/@scope/new/package.json", `{"engines": {"node": "^20.19.0 || >=22.12.0"}}`)

			Expect(home.examined()).To(ContainElement(found{
				"D017", "code/new", "it runs with Node 18.20.1 (" + node + "), and @scope/new wants ^20.19.0 || >=22.12.0",
				`install a newer Node, or put the folder of one in front: "env": {"PATH": "…"}`,
			}))
		})

		DescribeTable("finds one that is older than any server runs on", func(program, printed, command, args, want string) {
			home.program(program, "#!/bin/sh\necho "+printed+"\n")
			home.program("npx", "")
			home.configured(`{"old": {"command": "` + command + `", "args": ` + args + `}}`)

			if findings := home.examined(); want != "" {
				Expect(findings).To(ContainElement(And(HaveField("Code", "D017"), HaveField("Found", ContainSubstring(want)))))
			} else {
				Expect(findings).NotTo(ContainElement(HaveField("Code", "D017")))
			}
		},
			Entry(nil, "node", "v16.20.2", "npx", `["-y", "x"]`, "MCP servers in general want >=18"),
			Entry(nil, "node", "v16.20.2", "node", `["/no/such.js"]`, "it runs with Node 16.20.2"),
			Entry(nil, "node", "v18.0.0", "node", `["/no/such.js"]`, ""),
			Entry(nil, "python3", "Python 3.9.2", "python3", `["-m", "x"]`, "it runs with Python 3.9.2"),
			Entry(nil, "python3", "Python 3.10.0", "python3", `["-m", "x"]`, ""),
			Entry("one that says nothing", "python3", "", "python3", `["-m", "x"]`, ""),
		)
	})
})
