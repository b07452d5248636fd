package plugins

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

// Skill is a skill of a plugin (agentskills.io).
type Skill struct {
	// Name and Description are those of its file. Other people wrote them.
	Name, Description string
	// Folder is the absolute path of its folder.
	Folder string
}

const (
	// skillsFolder has a folder for each skill, and skillFile is the file in it.
	skillsFolder = "skills"
	skillFile    = "SKILL.md"
	// maxSkills is the maximum number of folders in which a skill is looked for.
	maxSkills = 500
	// maxFields is the longest text of the fields of a skill in bytes. The time of the parser grows with its square.
	maxFields = 8 << 10
)

// readSkills finds the skills (section 7.1).
func (p *Plugin) readSkills() {
	folder, err := within(p.Root, skillsFolder)
	if err != nil {
		p.report(skillsFolder, "cannot be used: "+err.Error(), "4.1")
		return
	}
	if _, err := os.Lstat(folder); os.IsNotExist(err) {
		return
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		p.report(skillsFolder, "is no folder that can be read; so no skill is used", "6.2")
		return
	}
	if len(entries) > maxSkills {
		p.report(skillsFolder, fmt.Sprintf("has more than %d entries; the others are ignored", maxSkills), "7.1")
		entries = entries[:maxSkills]
	}
	for _, entry := range entries {
		if skill, problem, rule := p.skill(entry.Name()); problem != "" {
			p.report("skill "+domain.QuotedName(entry.Name()), problem+"; so it is skipped", rule)
		} else if skill.Name != "" {
			p.Skills = append(p.Skills, skill)
		}
	}
}

// skill reads the skill in a folder, with no name if there is none.
func (p *Plugin) skill(name string) (skill Skill, problem, rule string) {
	inPlugin := path.Join(skillsFolder, name)
	if _, err := os.Lstat(filepath.Join(p.Root, skillsFolder, name, skillFile)); err != nil || !hasExactly(filepath.Join(p.Root, skillsFolder, name), skillFile) {
		return Skill{}, "", ""
	}
	file, err := within(p.Root, path.Join(inPlugin, skillFile))
	if err != nil {
		return Skill{}, "cannot be used: " + err.Error(), "4.1"
	}
	text, err := safefile.ReadUpTo(file, maxFile)
	if err != nil {
		return Skill{}, "cannot be read: " + cause(err), "7.1"
	}
	fields, problem := frontmatter(text)
	if problem == "" {
		problem = skillProblem(fields, name)
	}
	if problem != "" {
		return Skill{}, problem, "7.1"
	}
	description, _ := fields["description"].(string)
	return Skill{Name: name, Description: description, Folder: filepath.Join(p.Root, skillsFolder, name)}, "", ""
}

// PluginSkills returns the skills, and those that break the format with the reason.
func (p *Plugin) PluginSkills() []domain.PluginSkill {
	var skills []domain.PluginSkill
	for _, skill := range p.Skills {
		skills = append(skills, domain.PluginSkill{Name: skill.Name, Folder: skill.Folder})
	}
	for _, report := range p.Reports {
		if name, ok := strings.CutPrefix(report.Part, "skill "); ok {
			skills = append(skills, domain.PluginSkill{Name: name, Problem: report.String()})
		}
	}
	return skills
}

// hasExactly reports whether a folder has an entry of exactly that name, since some systems ignore case.
func hasExactly(folder, name string) bool {
	entries, _ := os.ReadDir(folder) // a folder that cannot be read has none
	return slices.ContainsFunc(entries, func(entry os.DirEntry) bool { return entry.Name() == name })
}

// frontmatter returns the fields at the beginning of a skill, or what is wrong with them.
func frontmatter(text []byte) (fields map[string]any, problem string) {
	lines := strings.ReplaceAll(string(text), "\r\n", "\n")
	rest, ok := strings.CutPrefix(lines, "---\n")
	header, _, closed := strings.Cut("\n"+rest, "\n---\n")
	if !closed {
		header, closed = strings.CutSuffix("\n"+rest, "\n---")
	}
	if !ok || !closed || !utf8.ValidString(header) {
		return nil, "has no fields between two lines of \"---\""
	}
	if len(header) > maxFields {
		return nil, fmt.Sprintf("has fields of more than %d bytes", maxFields)
	}
	if err := yaml.Unmarshal([]byte(header), &fields); err != nil {
		return nil, "has fields that are not valid YAML"
	}
	return fields, ""
}

// skillName is the pattern of names of skills but for their length.
var skillName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// The longest texts in the fields of a skill, in characters.
const (
	maxSkillName        = 64
	maxSkillDescription = 1024
	maxCompatibility    = 500
)

// skillProblem returns how the fields of a skill in a folder break the format, "" for not at all.
func skillProblem(fields map[string]any, folder string) string {
	name, _ := fields["name"].(string)
	description, _ := fields["description"].(string)
	switch {
	case name == "" || len(name) > maxSkillName || !skillName.MatchString(name):
		return `has no "name" of 1 to 64 characters of a-z, 0-9 and single "-" between them`
	case name != folder:
		return `has another "name" than its folder`
	case strings.TrimSpace(description) == "" || utf8.RuneCountInString(description) > maxSkillDescription:
		return `has no "description" of 1 to 1024 characters`
	}
	for field, value := range fields {
		text, isText := value.(string)
		_, isObject := value.(map[string]any)
		switch field {
		case "name", "description":
		case "license", "allowed-tools":
			if !isText {
				return fmt.Sprintf("has a %q that is not a string", field)
			}
		case "compatibility":
			if length := utf8.RuneCountInString(text); !isText || length == 0 || length > maxCompatibility {
				return `has a "compatibility" that is not 1 to 500 characters`
			}
		case "metadata":
			if !isObject {
				return `has "metadata" that are no object`
			}
		}
	}
	return ""
}
