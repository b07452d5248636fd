package plugins_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The skills of a plugin", func() {
	const skill = "---\nname: deploy\ndescription: Deploys\n---\n\nRun scripts/go.\n"
	var h home
	BeforeEach(func() {
		h = newHome("")
		h.File("plug/skills/deploy/SKILL.md", skill)
		Expect(os.Chmod(h.File("plug/skills/deploy/scripts/go", "#!/bin/sh\n"), 0o755)).To(Succeed())
		h.File("plug/skills/bad/SKILL.md", "---\nname: other\ndescription: Bad\n---\n")
		h.trust()
	})
	connected := func() Outcome {
		GinkgoHelper()
		outcome := h.Run("connect", "claude-code", "--skills", "--yes")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		return outcome
	}

	It("are written as they are beside the toolbox's own, and those that break the format are named", Label("PL05"), func() {
		outcome := connected()
		Expect(h.Content(".claude/skills/deploy/SKILL.md")).To(Equal(skill))
		info, err := os.Stat(h.Path(".claude/skills/deploy/scripts/go"))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm() & 0o100).NotTo(BeZero())
		Expect(h.Path(".claude/skills/workbench-box/SKILL.md")).To(BeAnExistingFile())
		Expect(h.Path(".claude/skills/bad")).NotTo(BeADirectory())
		Expect(outcome.Stdout).To(ContainSubstring(`note: skill 'bad' has another "name" than its folder`))
	})

	It("are not mixed with the words of the plugin about itself, which no skill of the workbench has", Label("PL05"), func() {
		connected()
		Expect(h.Run("list").Stdout).To(ContainSubstring("Does all 'things'"))
		Expect(h.Content(".claude/skills/workbench-box/SKILL.md")).To(And(ContainSubstring("Tools of local. Use when"), Not(ContainSubstring("things"))))
		Expect(h.Run("plugin", "out", "--toolbox", "box", "--skills").Code).To(Equal(0))
		Expect(h.Content("work/out/skills/workbench-box/SKILL.md")).To(And(ContainSubstring("Tools of local. Use when"), Not(ContainSubstring("things"))))
		Expect(h.Content("work/out/README.md")).To(And(ContainSubstring("with the toolboxes box ("), Not(ContainSubstring(h.Path("")))))
	})

	It("are written by add too, which shows them, where a host has skills", Label("PL05"), func() {
		h.File(OwnConfiguration, `{"toolboxes": {"other": {"mcpServers": {"s": {"command": "x"}}}}}`)
		connected()
		outcome := RunInTerminal(h.Launch("add", h.Path("plug"), "--toolbox", "box"), Turn{Until: "? [y/N]", Type: "y\r"})
		Expect(outcome.Stdout).To(And(ContainSubstring("+Run scripts/go."), ContainSubstring("Added the toolbox box.")))
		Expect(h.Content(".claude/skills/deploy/SKILL.md")).To(Equal(skill))
		Expect(h.Path(".claude/skills/workbench-box/SKILL.md")).To(BeAnExistingFile())

		h.File("plug/skills/deploy/SKILL.md", skill+"More.\n")
		Expect(h.Run("describe", "box", "Mine").Code).To(Equal(0))
		Expect(h.Content(".claude/skills/deploy/SKILL.md")).To(Equal(skill))
		Expect(h.Examined("--offline")).To(ContainElement(And(HaveField("Code", "D033"), HaveField("About", h.Path(".claude/skills/deploy/SKILL.md")))))
	})

	It("are all that a plugin without servers has, and hosts see no toolbox", Label("PL05"), func() {
		Expect(os.Remove(h.Path("plug/mcp.json"))).To(Succeed())
		h.File(OwnConfiguration, `{"toolboxes": {}}`)
		outcome := h.Run("add", h.Path("plug"), "--toolbox", "box", "--yes", "--allow-options")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("Added the toolbox box. Its plugin has only skills, which 'mcp-workbench connect HOST --skills' writes."))
		Expect(h.Run("list").Stdout).To(Equal("box\t\tonly skills\tIts plugin says: \"Does all 'things'\"\n"))
		for _, command := range []string{"list", "call"} {
			outcome := h.Run(command, "box")
			Expect(outcome.Code).To(Equal(2))
			Expect(outcome.Stderr).To(ContainSubstring("toolbox \"box\" has no servers, only skills (deploy), which 'mcp-workbench connect HOST --skills' writes"))
		}
		Expect(h.Run("connect", "codex", "--skills", "--toolbox", "box", "--yes").Code).To(Equal(0))
		Expect(h.Content(".agents/skills/deploy/SKILL.md")).To(Equal(skill))
		connected()
		Expect(h.Content(".claude/skills/deploy/SKILL.md")).To(Equal(skill))
		Expect(h.Path(".claude/skills/workbench-box")).NotTo(BeADirectory())
		Expect(h.Run("remove", "box").Code).To(Equal(0))
		Expect(h.Path(".claude/skills/deploy")).NotTo(BeADirectory())
	})

	It("are taken away by disconnect, exactly as they were written", func() {
		connected()
		h.File(".claude/skills/mine/SKILL.md", "mine")
		Expect(h.Run("disconnect", "claude-code", "--yes").Code).To(Equal(0))
		Expect(h.Path(".claude/skills/deploy")).NotTo(BeADirectory())
		Expect(h.Path(".claude/skills/workbench-box")).NotTo(BeADirectory())
		Expect(h.Content(".claude/skills/mine/SKILL.md")).To(Equal("mine"))
	})

	It("leave a skill of the user with the same name alone, and skip one that leads elsewhere", Label("PL05"), func() {
		h.File(".claude/skills/deploy/SKILL.md", "mine")
		h.File("plug/skills/link/SKILL.md", "---\nname: link\ndescription: Links\n---\n")
		Expect(os.Symlink("/etc/passwd", h.Path("plug/skills/link/data"))).To(Succeed())
		outcome := connected()
		Expect(outcome.Stdout).To(And(
			ContainSubstring("note: the skill deploy of a plugin is skipped: you have another skill of that name"),
			ContainSubstring("note: skip the skill 'link' of a plugin: ")))
		Expect(h.Content(".claude/skills/deploy/SKILL.md")).To(Equal("mine"))
		Expect(h.Path(".claude/skills/deploy/scripts")).NotTo(BeADirectory())
		Expect(h.Path(".claude/skills/link")).NotTo(BeADirectory())
		Expect(h.Run("disconnect", "claude-code", "--yes").Code).To(Equal(0))
		Expect(h.Content(".claude/skills/deploy/SKILL.md")).To(Equal("mine"))
	})

	It("are renewed only by connect, which shows them, and go with their toolbox", func() {
		connected()
		h.File("plug/skills/deploy/SKILL.md", skill+"More.\n")
		h.program("2") // the toolbox is closed
		Expect(h.Run("describe", "box", "Mine").Code).To(Equal(0))
		Expect(h.Content(".claude/skills/deploy/SKILL.md")).To(Equal(skill))
		Expect(h.Content(".claude/skills/workbench-box/SKILL.md")).To(ContainSubstring("Mine"))
		h.trust()
		Expect(connected().Stdout).To(ContainSubstring("+More."))
		Expect(h.Content(".claude/skills/deploy/SKILL.md")).To(Equal(skill + "More.\n"))

		Expect(h.Run("remove", "box").Code).To(Equal(0))
		Expect(h.Path(".claude/skills/deploy")).NotTo(BeADirectory())
	})
})
