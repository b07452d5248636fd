package hostfiles

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// Elsewhere returns the servers in a text of the file that are not read from it, and why: those in the place of another host, and
// those that Claude Code keeps for other folders.
func (f File) Elsewhere(text []byte) []setup.Skipped {
	if f.Scope == setup.Local {
		return nil // the user's file has the same text
	}
	return append(f.inOtherPlace(text), f.inOtherFolders(text)...)
}

// inOtherPlace returns the servers that a host's file has where only another host reads them.
func (f File) inOtherPlace(text []byte) (left []setup.Skipped) {
	host, isKnown := Find(f.Host)
	if !isKnown {
		return nil
	}
	if other := f.orInText(text); !slices.Equal(other.member, f.member) {
		members, _ := other.read(text) // it has servers
		for _, member := range members {
			left = append(left, setup.Skipped{Name: member.Name, Source: f.Source, Reason: fmt.Sprintf(
				"it is under %q, which %s does not read in this file; 'mcp-workbench import %s' imports it",
				strings.Join(other.member, "."), host.Name, domain.ShellWord(f.Path))})
		}
	}
	return left
}

// inOtherFolders returns the servers that Claude Code starts in other folders than the working and the home folder.
func (f File) inOtherFolders(text []byte) (left []setup.Skipped) {
	if f.Host != "" && f.form != claudeForm {
		return nil
	}
	projects, _ := textedit.ReadJSON(text, []string{"projects"}) // other files have none
	for _, project := range projects {
		isOwn := func(folder string) bool { return f.Host != "" && f.machine.isSame(folder, project.Name) }
		var folder struct {
			Servers map[string]json.RawMessage `json:"mcpServers"`
		}
		if json.Unmarshal(project.Value, &folder) != nil || slices.ContainsFunc(f.machine.ownFolders(), isOwn) {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(folder.Servers)) {
			left = append(left, setup.Skipped{Name: name, Source: f.Source, Reason: fmt.Sprintf(
				"it belongs to the folder %s; 'mcp-workbench import claude-code' in that folder imports it", project.Name)})
		}
	}
	return left
}
