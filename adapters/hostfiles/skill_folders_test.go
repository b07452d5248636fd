package hostfiles_test

import (
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/application/setup"
)

var _ = Describe("The folder of a host's skills", func() {
	m := hostfiles.Machine{Home: "/home/me", Config: "/home/me/.config", Project: "/home/me/shop", System: "linux", Getenv: func(string) string { return "" }}
	places := func(m hostfiles.Machine, id string) (user, project string) {
		host, _ := hostfiles.Find(id)
		user, _ = host.SkillFolder(m, setup.User)
		project, _ = host.SkillFolder(m, setup.Project)
		return filepath.ToSlash(user), filepath.ToSlash(project)
	}

	It("is the shared one where the host reads that, and its own otherwise", func() {
		folders := map[string]string{}
		for _, host := range hostfiles.Hosts() {
			if user, project := places(m, host.ID); host.ReadsSkills() {
				folders[host.ID] = strings.TrimPrefix(user, "/home/me/") + " " + strings.TrimPrefix(project, "/home/me/shop/")
			} else {
				Expect(user + project).To(BeEmpty())
			}
		}
		const shared = ".agents/skills .agents/skills"
		Expect(folders).To(Equal(map[string]string{
			"claude-code": ".claude/skills .claude/skills", "cursor": shared, "vscode": shared, "vscode-insiders": shared, "vscodium": shared, "copilot": shared, "codex": shared, "gemini": shared,
			"opencode": shared, "zed": shared, "goose": shared, "kimi": shared, "warp": shared,
			"windsurf": ".codeium/windsurf/skills .windsurf/skills", "cline": ".cline/skills .cline/skills", "roo": ".roo/skills .roo/skills",
			"kiro": ".kiro/skills .kiro/skills", "continue": ".continue/skills .continue/skills", "qwen": ".qwen/skills .qwen/skills",
			"amp": ".config/agents/skills .agents/skills", "crush": ".config/crush/skills .crush/skills", "antigravity": ".gemini/config/skills .agents/skills",
		}))
	})

	It("follows the variables that move it", func() {
		moved := m
		moved.Getenv = func(name string) string {
			if slices.Contains([]string{"CLAUDE_CONFIG_DIR", "CLINE_DIR", "CONTINUE_GLOBAL_DIR", "CRUSH_SKILLS_DIR"}, name) {
				return "/moved/" + name
			}
			return ""
		}
		user := func(id string) string { user, _ := places(moved, id); return user }

		Expect(user("claude-code")).To(Equal("/moved/CLAUDE_CONFIG_DIR/skills"))
		Expect(user("cline")).To(Equal("/moved/CLINE_DIR/skills"))
		Expect(user("continue")).To(Equal("/moved/CONTINUE_GLOBAL_DIR/skills"))
		Expect(user("crush")).To(Equal("/moved/CRUSH_SKILLS_DIR"))
	})

	It("is none for a project in the home folder", func() {
		inHome := m
		inHome.Project = m.Home
		_, project := places(inHome, "codex")
		Expect(project).To(BeEmpty())
	})
})
