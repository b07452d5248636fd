package hostfiles

import (
	"os"
	"path/filepath"
	"slices"

	"mcp-workbench/application/setup"
)

// profilesOfEditor returns the files for servers of the profiles that a user of VS Code made, which each have their own
// (code.visualstudio.com/docs/configure/profiles).
func profilesOfEditor(_ Machine, user, _ string) []File {
	profiles, _ := filepath.Glob(filepath.Join(filepath.Clean(user), "profiles", "*", "mcp.json")) // a folder with signs of a pattern has none
	var files []File
	for _, path := range profiles[:min(len(profiles), maxInFolder)] {
		files = append(files, newFile("", setup.User, path, editorForm, "servers"))
	}
	return files
}

// alsoVSCode returns the files of profiles, the settings of VS Code, in which it kept servers before it had files for them,
// and the files of dev containers.
func alsoVSCode(m Machine, user, project string) []File {
	files := append(profilesOfEditor(m, user, project), newFile("", setup.User, filepath.Join(user, "settings.json"), editorForm, "mcp", "servers"))
	if project != "" {
		files = append(files, inProject(project, newFile("", setup.Project, filepath.Join(project, ".vscode", "settings.json"), editorForm, "mcp", "servers")))
		for _, below := range []string{filepath.Join(".devcontainer", "devcontainer.json"), ".devcontainer.json"} {
			path := filepath.Join(project, below)
			if _, err := os.Stat(path); err == nil {
				files = append(files, inProject(project, newFile("", setup.Project, path, editorForm, "customizations", "vscode", "mcp", "servers")))
			}
		}
	}
	return files
}

// foldersOfContinue returns the files in Continue's folders for servers, which are in its own form or in that of
// other hosts, and its earlier file.
func foldersOfContinue(_ Machine, user, project string) []File {
	files := inFolder(filepath.Join(user, "mcpServers"), setup.User)
	files = append(files, newFile("", setup.User, filepath.Join(user, "config.json"), continueForm, "experimental", "modelContextProtocolServers"))
	if project == "" {
		return files
	}
	for _, file := range inFolder(filepath.Join(project, ".continue", "mcpServers"), setup.Project) {
		files = append(files, inProject(project, file))
	}
	return files
}

// maxInFolder bounds the files of a folder that are read.
const maxInFolder = 200

// inFolder returns the files in a folder of Continue, none if it cannot be read.
func inFolder(folder string, scope setup.Scope) []File {
	entries, _ := os.ReadDir(folder) // others are read without it
	var files []File
	for _, entry := range entries[:min(len(entries), maxInFolder)] {
		switch path := filepath.Join(folder, entry.Name()); {
		case slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)):
			files = append(files, newFile("", scope, path, continueForm, "mcpServers"))
		case filepath.Ext(path) == ".json":
			files = append(files, newFile("", scope, path, editorForm, "mcpServers"))
		}
	}
	return files
}

func inProject(project string, file File) File {
	file.project = project
	return file
}
