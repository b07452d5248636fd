package doctor

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// A ProgramProblem keeps the program of a server from starting, or from working as it is configured. It is about a key
// in the configuration. Its fix is "" if none is known.
type ProgramProblem struct {
	Finding
	server domain.ServerID
	// Prevents reports whether the server cannot start here.
	Prevents bool
}

// String returns the problem without its key.
func (p ProgramProblem) String() string {
	if p.Fix == "" {
		return p.Found
	}
	return p.Found + "; " + p.Fix
}

// ProgramProblems returns the problems of the programs of servers without starting them: commands and working directories
// that do not exist, and text that a shell would have expanded. It skips servers that lack a variable, and shows settings
// as they are written.
func ProgramProblems(servers iter.Seq[domain.Server]) []ProgramProblem {
	var problems []ProgramProblem
	for server := range servers {
		if server.Unset == nil && server.Traits.Program.Command != "" {
			c := programCheck{server: server, program: server.Traits.Program, shown: server.Shown.Program}
			problems = append(problems, c.run()...)
		}
	}
	return problems
}

// desktopPaths are the PATHs, by GOOS, that systems give to programs that are not started by a shell,
// such as hosts that are started from a desktop. Windows gives all programs the same PATH.
var desktopPaths = map[string]string{
	"linux":  "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	"darwin": "/usr/bin:/bin:/usr/sbin:/sbin",
}

// programCheck examines the program of one server.
type programCheck struct {
	server         domain.Server
	program, shown domain.Program
	problems       []ProgramProblem
}

func (c *programCheck) run() []ProgramProblem {
	c.checkDirectory()
	c.checkCommand()
	c.checkScript()
	for i, arg := range c.shown.Args {
		value := arg
		if option, joined, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(option, "-") {
			value = joined
		}
		c.checkHome(value, "args", i)
		if fix := launcher.Unescaped(value); fix != "" {
			c.add(Finding{Found: fmt.Sprintf("the path '%s' has control characters", value), Fix: fix}, "args", i)
		}
	}
	if number, found := launcher.InterpretedByCmd(c.program.Command, c.program.Args); number > 0 && runtime.GOOS == "windows" {
		c.prevent(Finding{Found: fmt.Sprintf("it contains %s, which cmd.exe would interpret", found), Fix: `leave out "cmd" and "/c"`}, "args", number-1)
	}
	c.checkSubsystem()
	for _, name := range slices.Sorted(maps.Keys(c.shown.Env)) {
		if launcher.IsHome(c.shown.Env[name]) {
			c.checkHome("~/…", "env", name) // no value of a variable is shown
		}
	}
	return c.problems
}

// add notes a problem of the value at a key of the server.
func (c *programCheck) add(f Finding, key ...any) {
	id := c.server.ID
	f.Code, f.Found, f.Fix = cmp.Or(f.Code, codePath), domain.LineText(f.Found), domain.LineText(f.Fix) // settings can have any character
	f.About = config.KeyPath("toolboxes", string(id.Toolbox), "mcpServers", string(id.Server), key[0].(string))
	for _, step := range key[1:] {
		switch step := step.(type) {
		case int:
			f.About += "[" + strconv.Itoa(step) + "]"
		case string:
			f.About += "." + config.KeyPath(step)
		}
	}
	c.problems = append(c.problems, ProgramProblem{Finding: f, server: id})
}

// prevent is add for a problem with which the server cannot start here.
func (c *programCheck) prevent(f Finding, key ...any) {
	c.add(f, key...)
	c.problems[len(c.problems)-1].Prevents = true
}

func (c *programCheck) checkDirectory() {
	if !filepath.IsAbs(c.program.Cwd) && !launcher.IsHome(c.shown.Cwd) {
		return // unset, or relative to the folder of the host
	}
	info, err := os.Stat(c.program.Cwd)
	var f Finding
	switch {
	case err == nil && info.IsDir():
		return
	case err == nil:
		f.Found = fmt.Sprintf("the working directory '%s' is not a directory", c.shown.Cwd)
	case os.IsNotExist(err):
		f.Found, f.Fix = fmt.Sprintf("the working directory '%s' does not exist", c.shown.Cwd), "create it, or correct the path"
		if advice := c.machine("").Advice(c.shown.Cwd); launcher.IsHome(c.shown.Cwd) || c.machine("").Expanded(c.shown.Cwd) != c.shown.Cwd {
			f.Fix = advice
		}
	default:
		return // the start of the server will show it
	}
	c.prevent(f, "cwd")
}

func (c *programCheck) checkCommand() {
	command := c.program.Command
	if strings.ContainsAny(command, `/\`) {
		c.checkPath(command)
		return
	}
	path, hasOwn := pathIn(c.program.Env)
	path = cmp.Or(path, os.Getenv("PATH"))
	found := programs.Find(path, command)
	if found == "" {
		which := "PATH here"
		if hasOwn {
			which = `PATH of its "env"`
		}
		c.prevent(Finding{Code: codeCommand, Found: fmt.Sprintf("command '%s' is not in the %s", c.shown.Command, which), Fix: c.advice(path)}, "command")
		return
	}
	if desktop, known := desktopPaths[runtime.GOOS]; !hasOwn && known && programs.Find(desktop, command) == "" {
		c.add(Finding{
			Code: codeCommand, Found: fmt.Sprintf("command '%s' is not in the PATH of programs that are started from a desktop (%s)", c.shown.Command, desktop),
			Fix: "write " + found,
		}, "command")
	}
}

// checkPath checks a command that is the path of a program.
func (c *programCheck) checkPath(command string) {
	switch {
	case filepath.IsAbs(command):
	case filepath.IsAbs(c.program.Cwd):
		command = filepath.Join(c.program.Cwd, command)
	case c.advice("") == "":
		return // relative to the folder of the host
	}
	if _, err := os.Stat(command); err == nil || !os.IsNotExist(err) || programs.Find(filepath.Dir(command), filepath.Base(command)) != "" {
		return // the start of the server will show the rest
	}
	c.prevent(Finding{
		Found: fmt.Sprintf("command '%s' does not exist", c.shown.Command), Fix: cmp.Or(c.advice(""), "correct the path, or install the program"),
	}, "command")
}

// checkHome checks a value that a shell would have expanded.
func (c *programCheck) checkHome(value string, key ...any) {
	if launcher.IsHome(value) {
		c.add(Finding{
			Found: "it begins with '~', which is not expanded", Fix: "write " + c.machine("").Home(value) + ", unless the server itself expands it",
		}, key...)
	} else if written := c.machine("").Expanded(value); written != value {
		c.add(Finding{
			Found: "it has variables of a shell, which are not expanded", Fix: "write " + strconv.Quote(written) + ", unless the server itself expands them",
		}, key...)
	}
}

// checkSubsystem checks that the variables of a server that runs in the Linux of Windows reach it.
func (c *programCheck) checkSubsystem() {
	if domain.ProgramName(c.program.Command) != "wsl" {
		return
	}
	passed := strings.FieldsFunc(cmp.Or(c.program.Env["WSLENV"], os.Getenv("WSLENV")), func(r rune) bool { return r == ':' })
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(c.program.Env)) {
		isPassed := slices.ContainsFunc(passed, func(entry string) bool {
			of, _, _ := strings.Cut(entry, "/")
			return of == name
		})
		if !isPassed && name != "WSLENV" {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		c.add(Finding{
			Found: "variables do not reach Linux unless WSLENV names them: " + strings.Join(missing, ", "),
			Fix:   `add "WSLENV": ` + strconv.Quote(strings.Join(append(passed, missing...), ":")),
		}, "env")
	}
}

// advice returns what to do about the command. For a command with a variable it returns "", since the
// value may be secret.
func (c *programCheck) advice(path string) string {
	if strings.Contains(c.shown.Command, "${") {
		return ""
	}
	return c.machine(path).Advice(c.shown.Command)
}

func (c *programCheck) machine(path string) launcher.Machine {
	return launcher.Machine{System: runtime.GOOS, Programs: func() []string { return programs.Names(path) }}
}

// pathIn returns the PATH in variables. On Windows the case of its name does not matter.
func pathIn(variables map[string]string) (path string, ok bool) {
	for name, value := range variables {
		if name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH") {
			return value, true
		}
	}
	return "", false
}
