package configuration_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The doctor looks around a configuration", func() {
	var home HomeFolder
	BeforeEach(func() { home = NewHomeFolder() })

	Context("at hosts", func() {
		const cursor = ".cursor/mcp.json"
		entry := func(command, config string) string {
			return fmt.Sprintf(`"workbench": {"command": %q, "args": ["--config", %q]}`, command, config)
		}
		BeforeEach(func() {
			home.Configured(`{"git": {"url": "https://host/mcp"}}`)
			Expect(home.Run("connect", "cursor", "--yes").Code).To(Equal(0))
		})

		It("finds nothing about one that is connected", func() {
			Expect(home.Examined()).To(BeEmpty())
		})

		It("finds one that starts a program that is gone, or another one", func() {
			home.File(cursor, `{"mcpServers": {`+entry("/no/such/mcp-workbench", home.Path(OwnConfiguration))+`}}`)
			Expect(home.Examined()).To(ConsistOf(Finding{
				Code: "D014", About: home.Path(cursor),
				Found: `the entry "workbench" of Cursor starts /no/such/mcp-workbench, which does not exist`,
				Fix:   "'mcp-workbench connect cursor' writes it again",
			}))

			other := home.Program("mcp-workbench-old", "")
			home.File(cursor, `{"mcpServers": {`+entry(other, home.Path(OwnConfiguration))+`}}`)
			Expect(home.Examined()).To(ConsistOf(HaveField("Found", ContainSubstring("starts "+other+", not "))))
		})

		It("finds one that uses a configuration that is gone, or another one", func() {
			home.File(cursor, `{"mcpServers": {"workbench": {"command": "mcp-workbench", "args": ["--config=/no/such.json"]}}}`)
			Expect(home.Examined()).To(ConsistOf(
				HaveField("Found", ContainSubstring("starts mcp-workbench, which is not in the PATH here")),
				HaveField("Found", ContainSubstring("uses the configuration /no/such.json, which does not exist")),
			))

			other := home.File("work/other.json", `{"toolboxes": {}}`)
			Expect(home.Examined("--config", other)).To(ContainElement(And(
				HaveField("Code", "D014"), HaveField("Fix", ContainSubstring("'mcp-workbench --config "+other+" connect cursor'")),
			)))
		})

		It("has one note about all hosts that use another configuration than the named one", func() {
			home.File(".codex/config.toml", "[mcp_servers.git]\nurl = \"https://host/mcp\"\n")
			Expect(home.Run("connect", "codex", "--yes").Code).To(Equal(0))
			other := home.File("work/other.json", `{"toolboxes": {"a": {"mcpServers": {"git": {"url": "https://host/mcp"}}}}}`)

			Expect(home.Examined("--config", other)).To(Equal([]Finding{{
				Code: "D026", About: other, Found: "hosts on this machine use other configurations: Cursor, Codex",
				Fix: "'mcp-workbench --config " + other + " connect HOST' makes one use this file",
			}}))
		})

		It("finds one that also has the servers itself, and says how to remove them", func() {
			home.File(".codex/config.toml", "[mcp_servers.git]\nurl = \"https://host/mcp\"\n")
			Expect(home.Examined()).To(BeEmpty(), "a host that does not start the workbench")
			Expect(home.Run("connect", "codex", "--yes").Code).To(Equal(0))

			Expect(home.Examined()).To(ConsistOf(Finding{
				Code: "D015", About: home.Path(".codex/config.toml"),
				Found: `Codex also has "git" itself, so its model sees those tools twice`,
				Fix:   "'mcp-workbench connect codex --replace' removes them",
			}))
			Expect(home.Run("connect", "codex", "--yes", "--replace").Code).To(Equal(0))
			Expect(home.Examined()).To(BeEmpty())
		})

		It("finds one whose file cannot be read", func() {
			home.File(cursor, `{"mcpServers": {`)

			Expect(home.Examined()).To(ConsistOf(And(HaveField("Code", "D016"), HaveField("About", home.Path(cursor)))))
		})
	})

	Context("at files", func() {
		const token = `{"git": {"command": "/bin/true", "env": {"GIT_TOKEN": "secret-of-git"}}}`
		BeforeEach(func() { home.Configured(token) })
		about := func(code, name string) any {
			return And(HaveField("Code", code), HaveField("About", home.Path(name)))
		}

		DescribeTable("finds what others can change", func(path string, mode os.FileMode) {
			Expect(home.Examined()).To(BeEmpty())
			home.Program("git-mcp", "")
			home.Configured(`{"git": {"command": "` + home.Path("bin/git-mcp") + `"}}`)
			home.File(".config/mcp-workbench/workbench.lock.json", "")
			Expect(home.Examined()).To(BeEmpty())
			Expect(os.Chmod(home.Path(path), mode)).To(Succeed())

			findings := home.Examined()

			Expect(findings).To(ConsistOf(about("D012", path)))
			Expect(findings[0].Found).To(ContainSubstring("every user on this machine can change the "))
			Expect(findings[0].Fix).To(ContainSubstring("'chmod go-w " + home.Path(path) + "'"))
		},
			Entry("the configuration", OwnConfiguration, os.FileMode(0o646)),
			Entry("the program of a server", "bin/git-mcp", os.FileMode(0o777)),
			Entry("the folder of that program", "bin", os.FileMode(0o777)),
		)

		It("finds secrets that others can read, and does not show them", func() {
			Expect(os.Chmod(home.Path(OwnConfiguration), 0o644)).To(Succeed())
			Expect(home.Examined()).To(BeEmpty(), "a folder keeps it from others")
			for _, folder := range []string{".config/mcp-workbench", ".config", ""} {
				Expect(os.Chmod(home.Path(folder), 0o711)).To(Succeed())
			}
			for folder := filepath.Dir(home.Path("")); folder != "/"; folder = filepath.Dir(folder) {
				if info, err := os.Stat(folder); err != nil || info.Mode()&0o001 == 0 {
					Skip("other users cannot reach the folder for temporary files: " + folder)
				}
			}

			findings := home.Examined()

			Expect(findings).To(ConsistOf(about("D013", OwnConfiguration)))
			Expect(findings[0].Found).To(HaveSuffix("can read what looks like secrets: env.GIT_TOKEN of code/git"))
			home.Configured(`{"git": {"command": "/bin/true", "inheritEnv": "all", "env": {"GIT_TOKEN": "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x"}}}`)
			Expect(home.Examined()).To(ConsistOf(about("D013", OwnConfiguration)))
			home.Configured(`{"git": {"command": "/bin/true", "env": {"GIT_TOKEN": "${GIT_TOKEN:-}"}}}`)
			Expect(home.Examined()).To(BeEmpty())

			home.Configured(`{"git": {"url": "https://git.example/mcp", "tls": {"cert": "a.pem", "key": "key.pem"}}}`)
			home.File(".config/mcp-workbench/key.pem", "")
			Expect(os.Chmod(home.Path(".config/mcp-workbench/key.pem"), 0o644)).To(Succeed())
			Expect(home.Examined()).To(ContainElement(about("D013", ".config/mcp-workbench/key.pem")))

			const included = ".config/mcp-workbench/more.json"
			home.File(included, `{"toolboxes": {"more": {"description": "M", "mcpServers": {"x": {"command": "/bin/true", "env": {"A_TOKEN": "hunter2"}}}}}}`)
			home.File(OwnConfiguration, `{"include": ["more.json"], "toolboxes": {}}`)
			Expect(os.Chmod(home.Path(included), 0o644)).To(Succeed())
			Expect(home.Examined()).To(ConsistOf(about("D013", included)))
		})
	})

	Context("at programs that run packages", func() {
		It("asks each interpreter with the environment of its server, and none with --offline", func() {
			const asked = "asked"
			home.Program("node", "#!/bin/sh\necho \"$1 $A $B\" >> '"+home.Path(asked)+"'\necho v16.20.2\n")
			home.Configured(`{"a": {"command": "node", "args": ["a.js"], "env": {"A": "one"}}, "b": {"command": "node", "args": ["b.js"], "env": {"B": "${USERS_TOKEN}"}}}`)
			launch := home.Launch("doctor", "--json", "--offline")
			launch.Env = append(launch.Env, "USERS_TOKEN=two", "A=outside", "B=outside")
			Expect(Run(launch).Stdout).NotTo(ContainSubstring("D017"))
			Expect(home.Path(asked)).NotTo(BeAnExistingFile())

			launch.Args = slices.DeleteFunc(launch.Args, func(arg string) bool { return arg == "--offline" })
			Expect(Run(launch).Stdout).To(ContainSubstring("D017"))
			lines := strings.Split(home.Content(asked), "\n")
			Expect(lines).To(ContainElements("--version one ", "--version  two"))
			Expect(lines).NotTo(ContainElement(ContainSubstring("outside")))
		})
	})
})
