package programs

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// A Problem keeps the program of a server from starting, or from working as it is configured.
type Problem struct {
	Server domain.ServerID
	// Key leads to the key of the server that has the problem: names and, in a list, an index.
	Key []any
	// Found says what was found, and Fix what to do, "" if that is not known.
	Found, Fix string
	// Unfound reports whether no folder that is searched has the command, rather than that a path is wrong.
	Unfound bool
	// Prevents reports whether the server cannot start here.
	Prevents bool
}

// String returns the problem without its key.
func (p Problem) String() string {
	if p.Fix == "" {
		return p.Found
	}
	return p.Found + "; " + p.Fix
}

// Problems returns the problems of the programs of servers without starting them: commands and working directories
// that do not exist, and text that a shell would have expanded. It skips servers that lack a variable, and shows settings
// as they are written.
func Problems(servers iter.Seq[domain.Server]) []Problem {
	var problems []Problem
	for server := range servers {
		if server.Unset == nil && server.Traits.Program.Command != "" {
			c := check{server: server, program: server.Traits.Program, shown: server.Shown.Program}
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

// check examines the program of one server.
type check struct {
	server         domain.Server
	program, shown domain.Program
	problems       []Problem
}

func (c *check) run() []Problem {
	c.checkDirectory()
	c.checkCommand()
	c.checkScript()
	c.checkContainer()
	for i, arg := range c.shown.Args {
		value := arg
		if option, joined, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(option, "-") {
			value = joined
		}
		c.checkHome(value, "args", i)
		if !c.machine("").TakesPathsOf(c.program.Command) {
			c.foreign(value, value, "the path", c.add, "args", i)
		}
		if fix := launcher.Unescaped(value); fix != "" {
			c.add(Problem{Found: fmt.Sprintf("the path '%s' has control characters", value), Fix: fix}, "args", i)
		}
	}
	if number, found := launcher.InterpretedByCmd(c.program.Command, c.program.Args); number > 0 && runtime.GOOS == "windows" {
		c.prevent(Problem{Found: fmt.Sprintf("it contains %s, which cmd.exe would interpret", found), Fix: `leave out "cmd" and "/c"`}, "args", number-1)
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
func (c *check) add(p Problem, key ...any) {
	p.Server, p.Key = c.server.ID, key
	p.Found, p.Fix = domain.LineText(p.Found), domain.LineText(p.Fix) // settings can have any character
	c.problems = append(c.problems, p)
}

// prevent is add for a problem with which the server cannot start here.
func (c *check) prevent(p Problem, key ...any) {
	p.Prevents = true
	c.add(p, key...)
}

// foreign notes a path of the other side of WSL than this machine, and reports whether it is one.
func (c *check) foreign(path, shown, what string, note func(p Problem, key ...any), key ...any) bool {
	found, fix := c.machine("").Foreign(path)
	if found == "" {
		return false
	}
	if path != shown {
		fix = "write a path of this system" // the value of a variable is not shown
	}
	note(Problem{Found: fmt.Sprintf("%s '%s' %s", what, shown, found), Fix: fix}, key...)
	return true
}

func (c *check) checkDirectory() {
	if c.foreign(c.program.Cwd, c.shown.Cwd, "the working directory", c.prevent, "cwd") {
		return
	}
	if !filepath.IsAbs(c.program.Cwd) && !launcher.IsHome(c.shown.Cwd) || c.server.Data != "" {
		return // unset, relative to the folder of the host, or made for a plugin
	}
	info, err := os.Stat(c.program.Cwd)
	var p Problem
	switch {
	case err == nil && info.IsDir():
		return
	case err == nil:
		p.Found = fmt.Sprintf("the working directory '%s' is not a directory", c.shown.Cwd)
	case os.IsNotExist(err):
		p.Found, p.Fix = fmt.Sprintf("the working directory '%s' does not exist", c.shown.Cwd), "create it, or correct the path"
		if advice := c.machine("").Advice(c.shown.Cwd); launcher.IsHome(c.shown.Cwd) || c.machine("").Expanded(c.shown.Cwd) != c.shown.Cwd {
			p.Fix = advice
		}
	default:
		return // the start of the server will show it
	}
	c.prevent(p, "cwd")
}

func (c *check) checkCommand() {
	command := c.program.Command
	if _, err := os.Stat(command); err != nil && c.foreign(command, c.shown.Command, "command", c.prevent, "command") {
		return
	}
	if strings.ContainsAny(command, `/\`) {
		c.checkPath(command)
		return
	}
	path, hasOwn := PathIn(c.program.Env)
	path = cmp.Or(path, os.Getenv("PATH"))
	found := Find(path, command)
	if found == "" {
		which := "PATH here"
		if hasOwn {
			which = `PATH of its "env"`
		}
		c.prevent(Problem{Unfound: true, Found: fmt.Sprintf("command '%s' is not in the %s", c.shown.Command, which), Fix: c.advice(path)}, "command")
		return
	}
	if desktop, known := desktopPaths[runtime.GOOS]; !hasOwn && known && Find(desktop, command) == "" {
		c.add(Problem{
			Unfound: true, Found: fmt.Sprintf("command '%s' is not in the PATH of programs that are started from a desktop (%s)", c.shown.Command, desktop),
			Fix: "write " + found,
		}, "command")
	}
}

// checkPath checks a command that is the path of a program.
func (c *check) checkPath(command string) {
	switch {
	case filepath.IsAbs(command):
	case filepath.IsAbs(c.program.Cwd):
		command = filepath.Join(c.program.Cwd, command)
	case c.advice("") == "":
		return // relative to the folder of the host
	}
	c.checkInterpreter(command)
	if _, err := os.Stat(command); err == nil || !os.IsNotExist(err) || Find(filepath.Dir(command), filepath.Base(command)) != "" {
		return // the start of the server will show the rest
	}
	c.prevent(Problem{
		Found: fmt.Sprintf("command '%s' does not exist", c.shown.Command), Fix: cmp.Or(c.advice(""), "correct the path, or install the program"),
	}, "command")
}

// checkInterpreter checks that a script finds the program that its first line names.
func (c *check) checkInterpreter(command string) {
	if info, err := os.Stat(command); err != nil || !info.Mode().IsRegular() {
		return // a pipe would not end
	}
	file, err := os.Open(command)
	if err != nil {
		return
	}
	defer func() { _ = file.Close() }()
	var line [128]byte
	n, _ := io.ReadFull(file, line[:]) // a shorter file is a script too
	named := interpreter.FindSubmatch(line[:n])
	path, _ := PathIn(c.program.Env)
	path = cmp.Or(path, os.Getenv("PATH"))
	if named == nil || Find(path, string(named[1])) != "" {
		return
	}
	name := string(named[1])
	fix := c.machine(path).Advice(name)
	if found := Find(filepath.Dir(command), name); found != "" {
		fix = c.machine(path).InFolder(filepath.Dir(found))
	}
	c.prevent(Problem{Unfound: true, Found: fmt.Sprintf("command '%s' needs '%s', which is not in the PATH here", c.shown.Command, name), Fix: fix}, "command")
}

// interpreter matches the first line of a script that finds its program in the PATH.
var interpreter = regexp.MustCompile(`^#!\s*/usr/bin/env (?:-S )?([A-Za-z0-9._-]+)`)

// checkContainer checks that a container gets the messages of the workbench, and the variables that its line names.
func (c *check) checkContainer() {
	line := launcher.Read(c.program.Command, c.program.Args)
	if line.LacksInput() {
		c.add(Problem{Found: "the input of the container is closed without -i, so that the server ends", Fix: `add "-i" behind "run"`}, "args")
	}
	for _, option := range line.Options {
		name := option.Value
		_, isGiven := c.program.Env[name]
		if _, isSet := os.LookupEnv(name); isSet || isGiven || !line.StartsContainer() || !slices.Contains([]string{"-e", "--env"}, option.Name) || strings.Contains(name, "=") {
			continue
		}
		c.add(Problem{Found: fmt.Sprintf("the container gets no %s, which is not set here", name), Fix: "set it where hosts are started"}, "args")
	}
}

// checkHome checks a value that a shell would have expanded.
func (c *check) checkHome(value string, key ...any) {
	if c.server.Data != "" {
		return // the texts of a plugin are not the user's
	}
	if launcher.IsHome(value) {
		c.add(Problem{
			Found: "it begins with '~', which is not expanded", Fix: "write " + c.machine("").Home(value) + ", unless the server itself expands it",
		}, key...)
	} else if written := c.machine("").Expanded(value); written != value {
		c.add(Problem{
			Found: "it has variables of a shell, which are not expanded", Fix: "write " + strconv.Quote(written) + ", unless the server itself expands them",
		}, key...)
	}
}

// checkSubsystem checks that the variables of a server that runs in the Linux of Windows reach it.
func (c *check) checkSubsystem() {
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
		c.add(Problem{
			Found: "variables do not reach Linux unless WSLENV names them: " + strings.Join(missing, ", "),
			Fix:   `add "WSLENV": ` + strconv.Quote(strings.Join(append(passed, missing...), ":")),
		}, "env")
	}
}

// advice returns what to do about the command. For a command with a variable it returns "", since the
// value may be secret.
func (c *check) advice(path string) string {
	if strings.Contains(c.shown.Command, "${") {
		return ""
	}
	return c.machine(path).Advice(c.shown.Command)
}

func (c *check) machine(path string) launcher.Machine {
	return Machine(path)
}

// PathIn returns the PATH in variables. On Windows the case of its name does not matter.
func PathIn(variables map[string]string) (path string, ok bool) {
	for name, value := range variables {
		if name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH") {
			return value, true
		}
	}
	return "", false
}
