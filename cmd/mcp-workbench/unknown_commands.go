package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/domain"
)

// desktopPaths are the PATHs of hosts that a desktop starts, by GOOS: what the system
// gives to programs that no shell starts. Windows gives all programs the same.
var desktopPaths = map[string]string{
	"linux":  "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	"darwin": "/usr/bin:/bin:/usr/sbin:/sbin",
}

// unknownCommands warns about servers whose command is not in the PATH, or not in that
// of a desktop. A command with a folder, or of a server with a PATH of its own, is not
// looked for.
func unknownCommands(file string, toolboxes []domain.Toolbox, path string) []config.Problem {
	var warnings []config.Problem
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			var settings struct {
				Command string
				Env     map[string]json.RawMessage
			}
			// Settings of another transport may be of any shape; they have no command.
			_ = json.Unmarshal(server.Configured, &settings)
			if settings.Command == "" || strings.ContainsAny(settings.Command, `/\$`) || hasOwnPath(settings.Env) {
				continue
			}
			message := ""
			if found := findIn(path, settings.Command); found == "" {
				message = fmt.Sprintf("command '%s' is not in the PATH here", settings.Command)
			} else if desktop, known := desktopPaths[runtime.GOOS]; known && findIn(desktop, settings.Command) == "" {
				message = fmt.Sprintf("command '%s' is not in the PATH of programs that are started from a desktop (%s); write %s",
					settings.Command, desktop, found)
			}
			if message != "" {
				key := config.KeyPath("toolboxes", string(toolbox.Name), "mcpServers", string(server.ID.Server), "command")
				warnings = append(warnings, config.Problem{File: file, KeyPath: key, Message: message})
			}
		}
	}
	return warnings
}

// hasOwnPath reports whether variables have a PATH, whose name has no case on Windows.
func hasOwnPath(variables map[string]json.RawMessage) bool {
	for name := range variables {
		if name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH") {
			return true
		}
	}
	return false
}

// findIn returns the path of a program in the folders of a PATH, "" when there is none.
// On Windows the command may lack its extension.
func findIn(path, command string) string {
	for _, folder := range filepath.SplitList(path) {
		if found, err := exec.LookPath(filepath.Join(folder, command)); err == nil {
			return found
		}
	}
	return ""
}
