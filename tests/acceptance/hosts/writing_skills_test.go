package hosts_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Writing skills for hosts", func() {
	const ofClaude, shared = ".claude/skills/workbench-", ".agents/skills/workbench-"
	var home HomeFolder
	BeforeEach(func() {
		home = NewHomeFolder()
		home.File(OwnConfiguration, `{"toolboxes": {
			"code": {"description": "Our repositories", "mcpServers": {"git": {"command": "git-mcp"}}},
			"web": {"mcpServers": {"fetch": {"command": "fetch-mcp"}, "off": {"command": "off-mcp", "disabled": true}}},
			"unused": {"disabled": true, "mcpServers": {"old": {"command": "old-mcp"}}}}}`)
	})
	succeed := func(args ...string) Outcome {
		GinkgoHelper()
		outcome := home.Run(args...)
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		return outcome
	}
	skill := func(name string) string { GinkgoHelper(); return home.Content(name + "/SKILL.md") }

	It("writes one for each enabled toolbox, and disconnecting removes exactly those", func() {
		home.File(".claude/skills/mine/SKILL.md", "my own")
		home.File(".claude.json", "{}")

		succeed("connect", "claude-code", "--skills", "--yes")
		Expect(skill(ofClaude + "code")).To(And(HavePrefix("---\nname: workbench-code\ndescription: \"Our repositories (git). Use when "),
			ContainSubstring("mcp-workbench call code/SERVER/TOOL")))
		Expect(skill(ofClaude + "web")).To(ContainSubstring("Tools of fetch. Use when "))
		Expect(os.ReadDir(home.Path(".claude/skills"))).To(HaveLen(3))
		Expect(home.Content(".claude.json")).To(Equal("{}"), "the skills are in place of the entry")
		Expect(succeed("connect", "claude-code", "--skills", "--yes").Stdout).To(ContainSubstring("nothing to change"))

		succeed("disconnect", "claude-code", "--yes")
		Expect(os.ReadDir(home.Path(".claude/skills"))).To(HaveLen(1))
		Expect(skill(".claude/skills/mine")).To(Equal("my own"))
	})

	It("shows the change and asks, as for an entry", func() {
		dry := succeed("connect", "codex", "--skills", "--dry-run")
		Expect(dry.Stdout).To(ContainSubstring("+name: workbench-code"))
		unasked := home.Run("connect", "codex", "--skills")
		Expect(unasked.Code).To(Equal(2))
		Expect(home.Path(".agents")).NotTo(BeADirectory())

		var result struct {
			Hosts []struct {
				File, Diff string
				Written    bool
				Skills     []string
			}
		}
		Expect(json.Unmarshal([]byte(succeed("connect", "codex", "--skills", "--yes", "--json").Stdout), &result)).To(Succeed())
		Expect(result.Hosts[0].Written).To(BeTrue())
		Expect(result.Hosts[0].Skills).To(HaveLen(2))
		Expect(result.Hosts[0].File).To(HaveSuffix(filepath.Join(".agents", "skills")))
		Expect(result.Hosts[0].Diff).To(ContainSubstring("+name: workbench-web"))
	})

	It("writes those of chosen toolboxes beside the entry, for several hosts in one place", func() {
		succeed("connect", "cursor", "--yes")
		succeed("connect", "cursor", "codex", "--skills", "--toolbox", "code", "--yes")
		Expect(os.ReadDir(home.Path(".agents/skills"))).To(HaveLen(1))

		Expect(succeed("disconnect", "cursor", "--yes").Stdout).To(ContainSubstring("since they were also written for codex"))
		Expect(home.Path(".cursor/mcp.json")).NotTo(BeAnExistingFile())
		Expect(skill(shared + "code")).NotTo(BeEmpty())
		succeed("disconnect", "--all", "--yes")
		Expect(home.Path(".agents")).NotTo(BeADirectory())
	})

	It("names the configuration and the program as the shell needs them", func() {
		other := home.File("other.json", `{"toolboxes": {"mail": {"mcpServers": {"post": {"command": "post-mcp"}}}}}`)
		succeed("--config", other, "connect", "kiro", "--skills", "--yes")

		Expect(skill(".kiro/skills/workbench-mail")).To(ContainSubstring("mcp-workbench --config " + other + "\n"))
	})

	It("writes those of a project's configuration into the project", func() {
		home.File("shop/workbench-config.json", `{"toolboxes": {"shop": {"mcpServers": {"stock": {"command": "stock-mcp"}}}}}`)
		launch := home.Launch("connect", "codex", "claude-code", "--skills", "--yes")
		launch.Dir = home.Path("shop")
		trusting := home.Launch("trust", "--yes")
		trusting.Dir = launch.Dir
		Expect(Run(trusting).Code).To(Equal(0))

		outcome := Run(launch)
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(skill("shop/.agents/skills/workbench-shop")).NotTo(ContainSubstring("--config"))
		Expect(skill("shop/.claude/skills/workbench-shop")).NotTo(BeEmpty())
		Expect(home.Path("shop/.claude/skills/workbench-code")).NotTo(BeADirectory())

		launch.Args = []string{"connect", "codex", "--skills", "--scope", "user", "--yes"}
		Expect(Run(launch).Code).To(Equal(0))
		Expect(skill(shared + "code")).NotTo(BeEmpty())
		Expect(home.Path(shared + "shop")).NotTo(BeADirectory())
		examining := home.Launch("doctor", "--offline", "--json")
		examining.Dir = launch.Dir
		Expect(home.ExaminedBy(examining)).NotTo(ContainElement(HaveField("Code", "D033")))
		home.File("shop/.agents/skills/workbench-shop/SKILL.md", "changed")
		succeed("disconnect", "codex", "claude-code", "--yes")
		Expect(os.ReadDir(home.Path("shop"))).To(HaveLen(2), "the configuration, and what was changed")
	})

	DescribeTable("keeps them in step with the configuration", func(present []string, absent string, args ...string) {
		succeed("connect", "codex", "--skills", "--yes")
		dry := succeed(append([]string{args[0], "--dry-run"}, args[1:]...)...)
		Expect(dry.Stdout).To(MatchRegexp(`(?m)^[-+]name: workbench-|^[-+]description: `))

		succeed(args...)
		for _, name := range present {
			Expect(skill(shared + name)).NotTo(BeEmpty())
		}
		if absent != "" {
			Expect(home.Path(shared + absent)).NotTo(BeADirectory())
		}
		Expect(home.Examined()).NotTo(ContainElement(HaveField("Code", "D033")))
	},
		Entry("add", []string{"code", "web", "mail"}, "", "add", "post", "--toolbox", "mail", "--", "post-mcp"),
		Entry("move", []string{"development", "web"}, "code", "move", "code", "development"),
		Entry("describe", []string{"code", "web"}, "", "describe", "code", "All of it"),
		Entry("enable", []string{"code", "web", "unused"}, "", "enable", "unused"),
		Entry("disable", []string{"code"}, "web", "disable", "web"),
		Entry("remove", []string{"web"}, "code", "remove", "code/git"),
	)

	It("keeps those of chosen toolboxes chosen, also under another name", func() {
		succeed("connect", "codex", "--skills", "--toolbox", "code", "--yes")
		succeed("move", "code", "development")
		succeed("enable", "unused")

		Expect(os.ReadDir(home.Path(".agents/skills"))).To(HaveLen(1))
		Expect(skill(shared + "development")).NotTo(BeEmpty())
	})

	It("leaves one that was changed by hand alone, and names it", func() {
		succeed("connect", "codex", "--skills", "--yes")
		changed := home.File(shared+"code/SKILL.md", "my words")

		Expect(succeed("describe", "code", "New").Stdout).To(ContainSubstring(changed + " was changed by hand, so it stays as it is"))
		Expect(succeed("connect", "codex", "--skills", "--yes").Stdout).To(ContainSubstring(changed + " was changed by hand"))
		Expect(succeed("disconnect", "codex", "--yes").Stdout).To(ContainSubstring(changed + " was changed by hand"))
		Expect(home.Content(shared + "code/SKILL.md")).To(Equal("my words"))
		Expect(home.Path(shared + "web")).NotTo(BeADirectory())
	})

	It("lets doctor find one that is behind a configuration that was edited by hand", func() {
		succeed("connect", "codex", "--skills", "--yes")
		home.File(OwnConfiguration, `{"toolboxes": {"code": {"mcpServers": {"issues": {"command": "issues-mcp"}}}}}`)

		Expect(home.Examined()).To(ContainElement(And(HaveField("Code", "D033"), HaveField("About", home.Path(shared+"code/SKILL.md")), HaveField("Fix", ContainSubstring("connect codex --skills")))))
	})

	DescribeTable("refuses", func(prepare func(), code int, complaint string, args ...string) {
		prepare()
		outcome := home.Run(append(append([]string{"connect"}, args...), "--skills", "--yes")...)

		Expect(outcome.Code).To(Equal(code), outcome.Stderr)
		Expect(outcome.Stderr).To(ContainSubstring(complaint))
		Expect(home.Path(shared + "code")).NotTo(BeADirectory())
		Expect(home.Path(ofClaude + "code")).NotTo(BeADirectory())
	},
		Entry("a host without skills", func() {}, 2, "Claude Desktop reads no skills", "claude-desktop", "codex"),
		Entry("a scope that does not exist", func() {}, 2, `"team" is neither "user" nor "project"`, "codex", "--scope", "team"),
		Entry("a toolbox that does not exist", func() {}, 1, "no toolbox 'cdoe' is configured", "codex", "--toolbox", "cdoe"),
		Entry("an address", func() {}, 2, "--skills and --url exclude each other", "codex", "--url", "http://127.0.0.1:1/mcp"),
		Entry("a skill of the user with the name", func() { home.File(shared+"web/SKILL.md", "mine") }, 1, "you have another skill of that name", "codex"),
		Entry("a toolbox whose name no skill can have", func() {
			home.File(OwnConfiguration, `{"toolboxes": {"code": {"mcpServers": {"git": {"command": "git-mcp"}}}, "My Tools": {"mcpServers": {"x": {"command": "x"}}}}}`)
		}, 2, `"workbench-My Tools" cannot be the name of a skill`, "codex"),
		Entry("a folder that is a file", func() { home.File(".agents", "") }, 1, "is not a folder", "codex"),
		Entry("a folder that is read-only", func() {
			needsModes()
			Expect(os.MkdirAll(home.Path(".claude/skills"), 0o700)).To(Succeed())
			Expect(os.Chmod(home.Path(".claude/skills"), 0o500)).To(Succeed())
		}, 1, "is read-only", "claude-code"),
		Entry("a link that leads elsewhere", func() {
			needsModes()
			home.File("secrets/SKILL.md", "secret")
			Expect(os.MkdirAll(home.Path(".agents/skills"), 0o700)).To(Succeed())
			Expect(os.Symlink(home.Path("secrets"), home.Path(shared+"web"))).To(Succeed())
		}, 1, "a link leads elsewhere", "codex"),
	)

	It("needs --skills for --scope", func() {
		Expect(home.Run("connect", "codex", "--scope", "user").Code).To(Equal(2))
	})
})

// needsModes skips a spec on Windows, where modes and links mean other things.
func needsModes() {
	if runtime.GOOS == "windows" {
		Skip("modes and links mean other things there")
	}
}
