package doctor

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/domain"
)

// desktopPaths are the PATHs that systems give to programs that no shell starts, by GOOS:
// hosts that are started from a desktop have them. Windows gives all programs the same PATH.
var desktopPaths = map[string]string{
	"linux":  "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	"darwin": "/usr/bin:/bin:/usr/sbin:/sbin",
}

// unknownCommands warns about servers whose command is not in the PATH, or not in the PATH
// of a desktop. It skips commands with a folder, and servers with a PATH of their own.
func unknownCommands(file string, servers iter.Seq[domain.Server], path string) []config.Problem {
	var warnings []config.Problem
	for server := range servers {
		var settings struct {
			Command string
			Env     map[string]json.RawMessage
		}
		// Settings of other transports have any shape, and no command.
		_ = json.Unmarshal(server.Configured, &settings)
		if _, hasPath := pathIn(settings.Env); hasPath || settings.Command == "" || strings.ContainsAny(settings.Command, `/\$`) {
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
			key := config.KeyPath("toolboxes", string(server.ID.Toolbox), "mcpServers", string(server.ID.Server), "command")
			warnings = append(warnings, config.Problem{File: file, KeyPath: key, Message: message})
		}
	}
	return warnings
}

// pathIn returns the PATH in variables. Its name has no case on Windows.
func pathIn[V any](variables map[string]V) (path V, ok bool) {
	for name, value := range variables {
		if name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH") {
			return value, true
		}
	}
	return path, false
}

// findIn returns the path of a program in the folders of a PATH, or "". On Windows the
// command may lack its extension.
func findIn(path, command string) string {
	for _, folder := range filepath.SplitList(path) {
		if found, err := exec.LookPath(filepath.Join(folder, command)); err == nil {
			return found
		}
	}
	return ""
}

// launch is how a server's program is started.
type launch struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	Cwd     string            `json:"cwd"`
}

// launchOf returns how a server's program is started, or a zero launch for a server without
// a program and for one that lacks a variable.
func launchOf(server domain.Server) launch {
	var l launch
	// Settings of other transports have any shape.
	if server.Unset != nil || json.Unmarshal(server.Settings, &l) != nil {
		return launch{}
	}
	return l
}

// path returns the PATH in which the program is found.
func (l launch) path() string {
	if path, ok := pathIn(l.Env); ok {
		return path
	}
	return os.Getenv("PATH")
}
