package launcher

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// A Line is a parsed command line.
type Line struct {
	// Program is the name of the program, "npx" for "C:\nodejs\npx.cmd", and Path is the program as it
	// is written. For "cmd /c npx" both name npx.
	Program, Path string
	// Launcher reports whether the program fetches packages, and Fetches whether this command line
	// fetches something: 'npm run' does not.
	Launcher, Fetches bool
	// Wrapped is the command line of the launcher that the program starts, as in "sh -c 'npx server'", up to
	// its end or that of the word which has it; nil for none.
	Wrapped []string
	// ThroughCmd reports whether cmd.exe interprets the words first.
	ThroughCmd bool
	// Before are the words before the package, with subcommands and without the options in Named.
	Before []string
	// Options are the options of the program itself, without those in Named.
	Options []Option
	// Named are the packages that options name.
	Named []string
	// Words begin with the first word that is not an option: a program of the package if an option
	// names the package, otherwise the package or script itself. The others are the arguments of the
	// server.
	Words []string
}

// An Option is an option of a launcher.
type Option struct {
	// Name is written with its dashes. Short and long forms are different names.
	Name, Value string
	HasValue    bool
	// Known reports whether the effect of the option is known, and LacksValue whether its value is
	// missing.
	Known, LacksValue bool
}

// Read parses a command line.
func Read(command string, args []string) Line {
	program := domain.ProgramName(command)
	if program != "cmd" {
		return read(program, command, args)
	}
	wrapper := Line{Program: program, Path: command, Wrapped: wrappedLine(program, args)}
	at := slices.IndexFunc(args, func(arg string) bool { return strings.EqualFold(arg, "/c") })
	if at < 0 || at+1 >= len(args) || slices.ContainsFunc(args[:at], changesCmd) {
		return wrapper
	}
	line := read(domain.ProgramName(args[at+1]), args[at+1], args[at+2:])
	if wrapper.Wrapped != nil && !line.Launcher && !line.Fetches && line.Wrapped == nil {
		return wrapper
	}
	line.ThroughCmd, line.Before = true, slices.Concat(args[:at+2], line.Before)
	return line
}

// changesCmd reports whether a switch of cmd.exe may change what it starts.
func changesCmd(word string) bool {
	return !slices.Contains([]string{"/d", "/s", "/q"}, strings.ToLower(word))
}

func read(program, path string, args []string) Line {
	line := Line{Program: program, Path: path, Wrapped: wrappedLine(program, args), Fetches: fetches(program, args)}
	if g, ok := grammarOf(program); ok {
		line.Launcher = !g.interpreter
		g.read(&line, args)
	}
	return line
}

// read parses the words of a program. Options can precede its subcommand.
func (g grammar) read(line *Line, args []string) {
	hasVerbs := len(g.verbs)+len(g.runs) > 0
	line.Fetches = line.Fetches || line.Launcher && !hasVerbs
	verb := ""
	for i := 0; i < len(args); i++ {
		word := args[i]
		switch {
		case word == "--":
			line.Words = append(line.Words, args[i+1:]...)
			return
		case isOption(word):
			i += g.readOption(line, args[i:])
		case hasVerbs:
			verb = strings.TrimSpace(verb + " " + word)
			line.Before = append(line.Before, word)
			line.Fetches = slices.Contains(g.verbs, verb)
			switch {
			case line.Fetches, slices.Contains(g.runs, verb):
				hasVerbs = false
			case !slices.ContainsFunc(g.verbs, func(other string) bool { return strings.HasPrefix(other, verb+" ") }):
				line.Words = args[i:]
				return
			}
		case g.mixed:
			line.Words = append(line.Words, word)
		default:
			line.Words = args[i:]
			return
		}
	}
}

// readOption parses the option at the beginning of words, and returns how many words after it are
// its value.
func (g grammar) readOption(line *Line, words []string) (following int) {
	option, takesNext := g.option(words[0])
	switch {
	case takesNext && len(words) == 1:
		option.LacksValue = true
	case takesNext:
		option.Value, option.HasValue, following = words[1], true, 1
	}
	if slices.Contains(g.names, option.Name) && option.HasValue {
		line.Named = append(line.Named, option.Value)
		return following
	}
	line.Before = append(line.Before, words[:1+following]...)
	line.Options = append(line.Options, option)
	return following
}

// isOption reports whether a word is an option. A single dash is not one.
func isOption(word string) bool { return len(word) > 1 && word[0] == '-' }

// Target returns what the program starts, as it is written: a package with its version, an image, a
// module or a script. It returns "" for a program that is the server itself.
func (l Line) Target() string {
	switch {
	case len(l.Named) > 0:
		return l.Named[0]
	case len(l.Words) > 0:
		return l.Words[0]
	}
	return ""
}

// Targets returns the words that name what the program starts: packages, images, modules or scripts, and a program of a package.
func (l Line) Targets() []string { return slices.Concat(l.Named, l.Words[:min(1, len(l.Words))]) }

// Running returns how many of the arguments say what runs: those up to the last of the Targets, and all words of a shell or an
// interpreter without any.
func (l Line) Running(args []string) int {
	running := 0
	for _, target := range l.Targets() {
		running = max(running, 1+slices.IndexFunc(args, func(arg string) bool {
			return arg == target || strings.HasPrefix(arg, "-") && strings.HasSuffix(arg, "="+target)
		}))
	}
	if running == 0 && l.RunsCode(args) {
		return len(args)
	}
	return running
}

// RunsCode reports whether the program is a shell or an interpreter, and none of its arguments is a script or a module: they are
// code, or decide which code runs.
func (l Line) RunsCode(args []string) bool {
	isTarget := func(target string) bool { return slices.Contains(args, target) }
	g, _ := grammarOf(l.Program)
	return (g.interpreter || l.IsShell()) && !slices.ContainsFunc(l.Targets(), isTarget)
}

// Script returns the file that an interpreter runs, as it is written: the first of Words. It returns "" for
// programs, packages, modules and code.
func (l Line) Script() string {
	g, ok := grammarOf(l.Program)
	if !ok || l.Fetches || len(l.Named) > 0 || len(l.Words) == 0 {
		return ""
	}
	if !g.interpreter && path.Ext(l.Words[0]) == "" { // a subcommand, such as run
		return ""
	}
	return l.Words[0]
}

// IsShell reports whether the program is a shell, which says nothing about what it starts.
func (l Line) IsShell() bool { return slices.Contains(shells, l.Program) }

// StartsContainer reports whether the program is the client of a container that runs the server, also behind a shell.
func (l Line) StartsContainer() bool {
	if l.Wrapped != nil {
		return Read(l.Wrapped[0], l.Wrapped[1:]).StartsContainer()
	}
	return l.Fetches && slices.Contains([]string{"docker", "podman", "nerdctl"}, l.Program)
}

// LacksInput reports whether the container that the line runs gets no input, so that a server in it ends at once.
func (l Line) LacksInput() bool {
	if l.Wrapped != nil {
		return Read(l.Wrapped[0], l.Wrapped[1:]).LacksInput()
	}
	return l.StartsContainer() && !slices.ContainsFunc(l.Options, Option.isInteractive)
}

// isInteractive reports whether an option of docker keeps the input open, also among other letters, as in "-it".
func (o Option) isInteractive() bool {
	if strings.HasPrefix(o.Name, "--") {
		return o.Name == "--interactive" && o.Value != "false"
	}
	letters := strings.TrimLeft(o.Name[1:], "dDPqt")
	return strings.HasPrefix(letters, "i")
}

// Download returns the launcher and what it may download, "" for nothing. Command lines with the same
// result download the same package.
func (l Line) Download() string {
	if !l.Launcher || !l.Fetches {
		return ""
	}
	return l.Program + " " + cmp.Or(l.Target(), strings.Join(l.Before, " "))
}
