package stdio

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"mcp-workbench/domain"
)

// launch is everything that starting one server takes.
type launch struct {
	settings settings
	// shown is the settings as configured: what messages name.
	shown settings
	path  string // of the program
	env   []string
}

// prepare reads a server's settings and finds its program. The errors say what
// is wrong in words for a model and hold nothing that was expanded.
func prepare(server domain.Server, environ []string) (launch, error) {
	var l launch
	if err := json.Unmarshal(server.Settings, &l.settings); err != nil {
		return launch{}, fmt.Errorf("read the settings: %w", err)
	}
	if err := json.Unmarshal(server.Configured, &l.shown); err != nil {
		return launch{}, fmt.Errorf("read the settings: %w", err)
	}
	l.env = childEnvironment(environ, l.settings.Inherit, l.settings.Env)
	if err := l.checkDirectory(); err != nil {
		return launch{}, err
	}
	path, err := l.findProgram()
	if err != nil {
		return launch{}, err
	}
	l.path = path
	return l, nil
}

func (l *launch) checkDirectory() error {
	if l.settings.Cwd == "" {
		return nil
	}
	info, err := os.Stat(l.settings.Cwd)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("its working directory '%s' does not exist", l.shown.Cwd)
	case err != nil:
		return fmt.Errorf("its working directory '%s' cannot be used: %s", l.shown.Cwd, cause(err))
	case !info.IsDir():
		return fmt.Errorf("its working directory '%s' is not a directory", l.shown.Cwd)
	}
	return nil
}

// findProgram looks the command up as the server's own environment would: a
// name in its PATH, a path with a separator from its working directory.
func (l *launch) findProgram() (string, error) {
	command := l.settings.Command
	if !strings.ContainsAny(command, separators) {
		for _, directory := range filepath.SplitList(lookup(l.env, "PATH")) {
			if !filepath.IsAbs(directory) {
				continue
			}
			if path, ok := executable(filepath.Join(directory, command)); ok {
				return path, nil
			}
		}
		return "", fmt.Errorf("command '%s' not found in PATH", l.shown.Command)
	}
	path := command
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.settings.Cwd, path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("command '%s' cannot be used: %s", l.shown.Command, cause(err))
	}
	if found, ok := executable(path); ok {
		return found, nil
	}
	return "", l.whyNot(path)
}

// whyNot says why the program at path cannot be started.
func (l *launch) whyNot(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("command '%s' does not exist", l.shown.Command)
	case err != nil:
		return fmt.Errorf("command '%s' cannot be used: %s", l.shown.Command, cause(err))
	case info.IsDir():
		return fmt.Errorf("command '%s' is a directory", l.shown.Command)
	}
	return fmt.Errorf("command '%s' is not executable", l.shown.Command)
}

// executable returns the file that starts the program at path, with the
// extension that the system adds, if any.
func executable(path string) (string, bool) {
	found, err := exec.LookPath(path)
	return found, err == nil
}

// cause returns the innermost reason of a file error, which does not repeat the
// path: that may hold an expanded value.
func cause(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	return "unknown reason"
}

// startFailure says why a program that was found could not be started.
func (l *launch) startFailure(err error) error {
	return fmt.Errorf("command '%s' cannot be started: %s", l.shown.Command, cause(err))
}
