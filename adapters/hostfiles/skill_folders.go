package hostfiles

import (
	"cmp"
	"path/filepath"

	"mcp-workbench/application/setup"
)

// skillFolder is where a host reads skills.
type skillFolder struct {
	// user returns the folder of the user, and project is the folder below a project.
	user    func(Machine) string
	project []string
}

// sharedSkills are the folders that many hosts read beside their own (agentskills.io, client implementation).
var sharedSkills = skillFolder{user: func(m Machine) string { return m.home(".agents", "skills") }, project: []string{".agents", "skills"}}

// skillFolders are the folders of the hosts that read skills, by their IDs, with the page that says so.
//
// Decision: where a host reads the shared folder, it gets its skills there, so that a host that reads several folders
// finds each skill once.
var skillFolders = map[string]skillFolder{
	// https://code.claude.com/docs/en/skills
	"claude-code":     {func(m Machine) string { return filepath.Join(m.orHome("CLAUDE_CONFIG_DIR", ".claude"), "skills") }, []string{".claude", "skills"}},
	"cursor":          sharedSkills, // https://cursor.com/docs/skills
	"vscode":          sharedSkills, // https://code.visualstudio.com/docs/agent-customization/agent-skills
	"vscode-insiders": sharedSkills, "vscodium": sharedSkills,
	"copilot": sharedSkills, // https://docs.github.com/en/copilot/concepts/agents/about-agent-skills
	// https://docs.windsurf.com/windsurf/cascade/skills
	"windsurf": {func(m Machine) string { return m.home(".codeium", "windsurf", "skills") }, []string{".windsurf", "skills"}},
	"codex":    sharedSkills, // https://developers.openai.com/codex/skills
	"gemini":   sharedSkills, // https://geminicli.com/docs/cli/skills
	"opencode": sharedSkills, // https://opencode.ai/docs/skills
	"zed":      sharedSkills, // https://zed.dev/docs/ai/skills
	// https://docs.cline.bot/customization/skills
	"cline": {func(m Machine) string { return filepath.Join(m.orHome("CLINE_DIR", ".cline"), "skills") }, []string{".cline", "skills"}},
	// https://docs.roocode.com/features/skills
	"roo": {func(m Machine) string { return m.home(".roo", "skills") }, []string{".roo", "skills"}},
	// https://kiro.dev/docs/skills
	"kiro":  {func(m Machine) string { return m.home(".kiro", "skills") }, []string{".kiro", "skills"}},
	"goose": sharedSkills, // https://block.github.io/goose/docs/guides/context-engineering/using-skills
	// From the program itself (@continuedev/cli 1.5.47)
	"continue": {func(m Machine) string { return filepath.Join(m.orHome("CONTINUE_GLOBAL_DIR", ".continue"), "skills") }, []string{".continue", "skills"}},
	// https://ampcode.com/manual#agent-skills
	"amp": {func(m Machine) string { return m.home(".config", "agents", "skills") }, sharedSkills.project},
	// https://qwenlm.github.io/qwen-code-docs/en/users/features/skills
	"qwen": {func(m Machine) string { return m.home(".qwen", "skills") }, []string{".qwen", "skills"}},
	// https://github.com/charmbracelet/crush#agent-skills
	"crush": {skillsOfCrush, []string{".crush", "skills"}},
	"kimi":  sharedSkills, // https://moonshotai.github.io/kimi-code/en/customization/skills
	// https://antigravity.google/docs/skills
	"antigravity": {func(m Machine) string { return m.home(".gemini", "config", "skills") }, sharedSkills.project},
	"warp":        sharedSkills, // https://docs.warp.dev/agent-platform/capabilities/skills
}

func skillsOfCrush(m Machine) string {
	if folder := m.Getenv("CRUSH_SKILLS_DIR"); folder != "" {
		return folder
	}
	if m.isWindows() {
		return filepath.Join(cmp.Or(m.Getenv("LOCALAPPDATA"), m.home("AppData", "Local")), "crush", "skills")
	}
	return m.dotConfig("crush", "skills")
}

// SkillFolder returns the folder in which the host reads the skills of the user or of the project on a machine, "" if it
// reads none. For a project, it also returns the folder of the project.
func (h Host) SkillFolder(m Machine, scope setup.Scope) (folder, project string) {
	place, reads := skillFolders[h.ID]
	switch {
	case !reads:
		return "", ""
	case scope != setup.Project:
		return place.user(m), ""
	}
	if project = m.project(); project == "" {
		return "", ""
	}
	return m.project(place.project...), project
}

// ReadsSkills reports whether the host reads skills.
func (h Host) ReadsSkills() bool { _, reads := skillFolders[h.ID]; return reads }
