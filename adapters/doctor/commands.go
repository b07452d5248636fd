package doctor

import (
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
		program := server.Shown.Program
		if _, hasPath := pathIn(program.Env); hasPath || program.Command == "" || strings.ContainsAny(program.Command, `/\$`) {
			continue
		}
		message := ""
		if found := findIn(path, program.Command); found == "" {
			message = fmt.Sprintf("command '%s' is not in the PATH here", program.Command)
		} else if desktop, known := desktopPaths[runtime.GOOS]; known && findIn(desktop, program.Command) == "" {
			message = fmt.Sprintf("command '%s' is not in the PATH of programs that are started from a desktop (%s); write %s",
				program.Command, desktop, found)
		}
		if message != "" {
			key := config.KeyPath("toolboxes", string(server.ID.Toolbox), "mcpServers", string(server.ID.Server), "command")
			warnings = append(warnings, config.Problem{File: file, KeyPath: key, Message: message})
		}
	}
	return warnings
}

// pathIn returns the PATH in variables. Its name has no case on Windows.
func pathIn(variables map[string]string) (path string, ok bool) {
	for name, value := range variables {
		if name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH") {
			return value, true
		}
	}
	return "", false
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

// programOf returns the program of a server, or none for a server that is not one and for one
// that lacks a variable.
func programOf(server domain.Server) domain.Program {
	if server.Unset != nil {
		return domain.Program{}
	}
	return server.Traits.Program
}

// pathOf returns the PATH in which a program is found.
func pathOf(program domain.Program) string {
	if path, ok := pathIn(program.Env); ok {
		return path
	}
	return os.Getenv("PATH")
}
