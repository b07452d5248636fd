package hostfiles

import (
	"os"
	"path/filepath"
	"slices"
)

// editor is VS Code, or one that was made of it. On another machine, and in a container, it runs a program that keeps the
// settings of that machine's user.
type editor struct {
	// local is its folder in the folder for settings, and remote are those of its programs on other machines, below the
	// home folder.
	local  string
	remote []string
	// packaged are its folders below the home folder if it is installed as a Flatpak, a Snap or in another such way.
	packaged []string
}

// The editors whose files are known. Codespaces have .vscode-remote, and Arch Linux has "Code - OSS".
var (
	vsCode = editor{"Code", []string{".vscode-server", ".vscode-remote"}, []string{
		".local/share/code-server", ".var/app/com.visualstudio.code/config/Code", "snap/code/current/.config/Code", ".config/Code - OSS",
	}}
	vsCodeInsiders = editor{"Code - Insiders", []string{".vscode-server-insiders"}, []string{
		".var/app/com.visualstudio.code.insiders/config/Code - Insiders", "snap/code-insiders/current/.config/Code - Insiders",
	}}
	vsCodium = editor{"VSCodium", []string{".vscodium-server"}, []string{
		".var/app/com.vscodium.codium/config/VSCodium", "snap/codium/current/.config/VSCodium",
	}}
	cursorEditor   = editor{"Cursor", []string{".cursor-server"}, nil}
	windsurfEditor = editor{"Windsurf", []string{".windsurf-server"}, nil}
	editors        = []editor{vsCode, vsCodeInsiders, vsCodium, cursorEditor, windsurfEditor}
)

// files returns a path below the folder of the user's settings, on this machine as the one with the screen, and in the
// other places where the editor was. The first is the one that is in use.
func (e editor) files(m Machine, below ...string) []string {
	paths := []string{m.config(append([]string{e.local, "User"}, below...)...)}
	for _, folder := range e.packaged {
		if isFolder(m.home(folder)) {
			paths = append(paths, m.home(append([]string{folder, "User"}, below...)...))
		}
	}
	for _, folder := range e.remote {
		if isFolder(m.home(folder)) {
			paths = append(paths, m.home(append([]string{folder, "data", "User"}, below...)...))
		}
	}
	if len(paths) > 1 && !isFolder(m.config(e.local)) {
		slices.Reverse(paths)
	}
	return paths
}

// isRemote reports whether the editor was on this machine from another one.
func (e editor) isRemote(m Machine) bool {
	return slices.ContainsFunc(e.remote, func(folder string) bool { return isFolder(m.home(folder)) })
}

// extensionFiles returns a path in the folder of an extension, in each editor that has it, VS Code for none.
func extensionFiles(m Machine, extension string, below ...string) []string {
	var paths []string
	for _, e := range editors {
		for _, folder := range e.files(m, "globalStorage", extension) {
			if isFolder(folder) {
				paths = append(paths, filepath.Join(append([]string{folder}, below...)...))
			}
		}
	}
	if paths == nil {
		return []string{filepath.Join(append([]string{vsCode.files(m, "globalStorage", extension)[0]}, below...)...)}
	}
	return paths
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
