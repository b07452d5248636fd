package launcher

import (
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// codeOptions are the options that are code, or that load code, for many programs.
var codeOptions = []string{
	"--call", "-c", "-e", "--eval", "--node-options", "-p", "--print", "-pe", "-r", "--require", "--import", "--loader", "--experimental-loader", "-m", "--exec",
}

// CodeOption returns the option in a word that is code, or that names code which is loaded, for many programs: alone, with "=" or
// with its value behind it; "" for other words.
func CodeOption(word string) string {
	name, _, _ := strings.Cut(word, "=")
	if fields := strings.Fields(name); len(fields) > 0 {
		name = fields[0]
	}
	if slices.Contains(codeOptions, name) {
		return name
	}
	const letters = 2 // what is joined to a short option may be a secret
	if len(name) > letters && slices.Contains([]string{"-c", "-e", "-p", "-r"}, name[:letters]) {
		return name[:letters]
	}
	return ""
}

// shellCode matches the option with which shells run code, joined to others.
var shellCode = regexp.MustCompile(`^-[a-zA-Z]*c$`)

// CodeOptions returns the options of a command line that are code, each once. Those of a launcher before its package have other
// meanings, but for two of npm, and a module is what runs.
func CodeOptions(command string, args []string) []string {
	line := Read(command, args)
	running := line.Running(args)
	var found []string
	if started := line.Words; line.Launcher && len(started) > 0 && isInterpreter(started[0]) {
		found, args = CodeOptions(started[0], started[1:]), args[:running]
	}
	for i, word := range args {
		option := CodeOption(word)
		if line.IsShell() && line.RunsCode(args) && option == "" && shellCode.MatchString(word) {
			option = word
		}
		isOfLauncher := i < running && line.Launcher && option != "--call" && option != "--node-options"
		isModule := option == "-m" && len(line.Named) > 0 && i < running
		if option != "" && !isOfLauncher && !isModule && !slices.Contains(found, option) {
			found = append(found, option)
		}
	}
	return found
}

// isInterpreter reports whether a word is a program that runs a script, a module or code.
func isInterpreter(word string) bool {
	g, ok := grammarOf(domain.ProgramName(word))
	return ok && g.interpreter
}
