package stdio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// A launch is everything that is needed to start one server.
type launch struct {
	program domain.Program
	// shown is the program before variables were expanded, for messages.
	shown domain.Program
	path  string   // of the program that is started
	args  []string // of that program
	line  string   // the whole command line, for programs of Windows that need other quoting; or ""
	env   []string
	own   []string // the environment of the workbench
	// download names the packages that the program may have to download first; "" for none.
	download string
	// container says that the program is the client of a container.
	container bool
}

// prepare finds the program of a server. Its errors are written for a model and contain no
// expanded value.
func prepare(server domain.Server, place Place) (launch, error) {
	l := launch{program: server.Traits.Program, shown: server.Shown.Program}
	l.own = place.environ()
	l.env = systemVariables().childEnvironment(l.own, server.Traits)
	l.program.Cwd = place.resolve(l.program.Cwd)
	if err := makeData(server.Data, l.program.Cwd); err != nil {
		return launch{}, err
	}
	if err := l.checkDirectory(); err != nil {
		return launch{}, err
	}
	path, err := l.findProgram()
	if err != nil {
		return launch{}, err
	}
	l.path, l.args = path, l.program.Args
	if err := l.adaptToSystem(); err != nil {
		return launch{}, err
	}
	return l, nil
}

// makeData makes the private folder of a server, "" for none, and its working directory if that is in the folder.
func makeData(folder, cwd string) error {
	if folder == "" {
		return nil
	}
	made := []string{folder}
	if inside, err := filepath.Rel(folder, cwd); err == nil && filepath.IsLocal(inside) {
		made = append(made, cwd)
	}
	for _, path := range made {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return fmt.Errorf("its folder for data '%s' cannot be made: %s", path, cause(err))
		}
	}
	return nil
}

func (l *launch) checkDirectory() error {
	if l.program.Cwd == "" {
		return nil
	}
	info, err := os.Stat(l.program.Cwd)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("its working directory '%s' does not exist%s", l.shown.Cwd, l.homeAdvice())
	case err != nil:
		return fmt.Errorf("its working directory '%s' cannot be used: %s", l.shown.Cwd, cause(err))
	case !info.IsDir():
		return fmt.Errorf("its working directory '%s' is not a directory", l.shown.Cwd)
	}
	return nil
}

// findProgram finds the program of the command. It looks for a name in the PATH of the
// server's environment; a path is relative to the server's working directory.
func (l *launch) findProgram() (string, error) {
	command := l.program.Command
	if !strings.ContainsAny(command, separators) {
		if path := programs.Find(l.searchPath(), command); path != "" {
			return path, nil
		}
		return "", fmt.Errorf("command '%s' not found in PATH%s", l.shown.Command, l.advice())
	}
	path := command
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.program.Cwd, path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("command '%s' cannot be used: %s", l.shown.Command, cause(err))
	}
	if found, ok := executable(path); ok {
		return found, nil
	}
	return "", l.programProblem(path)
}

// searchPath returns the PATH of the server's environment.
func (l *launch) searchPath() string { return systemVariables().lookup(l.env, "PATH") }

// advice returns, as the end of a message, what to do about a command that was not found. For a
// command with a variable it returns "", since the value may be secret.
func (l *launch) advice() string {
	if strings.Contains(l.shown.Command, "${") {
		return ""
	}
	return ending(l.machine().Advice(l.shown.Command))
}

// homeAdvice returns how to write a working directory that begins with "~".
func (l *launch) homeAdvice() string {
	if !launcher.IsHome(l.shown.Cwd) && l.machine().Expanded(l.shown.Cwd) == l.shown.Cwd {
		return ""
	}
	return ending(l.machine().Advice(l.shown.Cwd))
}

func (l *launch) machine() launcher.Machine {
	return programs.Machine(l.searchPath())
}

// ending returns advice as the end of a message.
func ending(advice string) string {
	if advice == "" {
		return ""
	}
	return "; " + advice
}

// programProblem says why the file at path cannot be started.
func (l *launch) programProblem(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("command '%s' does not exist%s", l.shown.Command, l.advice())
	case err != nil:
		return fmt.Errorf("command '%s' cannot be used: %s", l.shown.Command, cause(err))
	case info.IsDir():
		return fmt.Errorf("command '%s' is a directory", l.shown.Command)
	}
	return fmt.Errorf("command '%s' %s", l.shown.Command, notExecutable())
}

// executable returns the file of the program at path. On Windows it has an extension
// of PATHEXT, which the path may lack.
func executable(path string) (string, bool) {
	found, err := exec.LookPath(path)
	return found, err == nil
}

// cause returns the system's reason for a file error without the path, which may
// contain an expanded value.
func cause(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	return "unknown reason"
}

// startFailure says why a program that exists could not be started.
func (l *launch) startFailure(err error) error {
	if wrongFormat(err) {
		return fmt.Errorf("command '%s' cannot be started: it is not a Windows program; name the program that runs it as the command", l.shown.Command)
	}
	return fmt.Errorf("command '%s' cannot be started: %s", l.shown.Command, cause(err))
}
