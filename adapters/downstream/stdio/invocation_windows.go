package stdio

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"

	"mcp-workbench/adapters/system/programs"
)

const separators = `/\:`

// adaptToSystem changes how batch files are started, since cmd.exe interprets their
// arguments. Instead of those of npm it starts the script that they run; others get
// arguments that are quoted for cmd.exe.
func (l *launch) adaptToSystem() error {
	if err := checkForWindows(l.program); err != nil {
		return err
	}
	if !isBatchFile(l.path) {
		return nil
	}
	if isOnShare(l.program.Cwd) {
		return fmt.Errorf("command '%s' is a batch file, and cmd.exe cannot run one in the working directory '%s': "+
			"map the share to a drive letter", l.shown.Command, l.shown.Cwd)
	}
	if script, ok := npmScript(l.path); ok {
		if node, ok := l.nodeBeside(l.path); ok {
			l.path, l.args = node, append([]string{script}, l.args...)
			return nil
		}
	}
	line, err := batchCommandLine(l.path, l.args)
	if err != nil {
		return fmt.Errorf("command '%s' is a batch file, and %w", l.shown.Command, err)
	}
	system, err := windows.GetSystemDirectory()
	if err != nil {
		return fmt.Errorf("command '%s' is a batch file, and cmd.exe was not found: %s", l.shown.Command, cause(err))
	}
	l.path, l.line = filepath.Join(system, "cmd.exe"), line
	return nil
}

// nodeBeside finds Node where npm's batch files look for it: beside them, then in
// PATH.
func (l *launch) nodeBeside(shim string) (string, bool) {
	if node, ok := executable(filepath.Join(filepath.Dir(shim), "node.exe")); ok {
		return node, true
	}
	node := programs.Find(l.searchPath(), "node.exe")
	return node, node != ""
}

// notExecutable says why an existing file is not a program.
func notExecutable() string {
	extensions := cmp.Or(os.Getenv("PATHEXT"), ".COM;.EXE;.BAT;.CMD")
	return "is not a program: Windows starts files by their extension, one of " + extensions
}

// wrongFormat reports whether a file could not be started because it is not a Windows
// program.
func wrongFormat(err error) bool { return errors.Is(err, windows.ERROR_BAD_EXE_FORMAT) }
