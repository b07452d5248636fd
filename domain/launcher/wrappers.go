package launcher

import (
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Programs that start the program in their arguments.
var (
	// shells accept a whole line as one word.
	shells = []string{"sh", "bash", "dash", "ash", "ksh", "zsh", "fish", "cmd", "powershell", "pwsh", "wsl"}
	// runners accept a program and its arguments as separate words.
	runners = []string{
		"env", "exec", "nice", "nohup", "setsid", "stdbuf", "timeout", "sudo", "doas", "xvfb-run", "caffeinate", "systemd-run", "firejail", "bwrap",
		"tini", "dumb-init", "mise", "asdf", "volta", "fnm", "nvm", "corepack", "direnv", "dotenv", "dotenvx", "op", "doppler", "infisical",
		"aws-vault", "chamber",
	}
)

// wrappedLine returns the command line of the launcher that a shell or runner starts, or nil.
func wrappedLine(program string, args []string) []string {
	isShell := slices.Contains(shells, program)
	if !isShell && !slices.Contains(runners, program) {
		return nil
	}
	if !isShell {
		return fromLauncher(args)
	}
	for i, arg := range args {
		words := strings.FieldsFunc(arg, func(r rune) bool { return strings.ContainsRune(" \t\r\n;&|(){}<>`$\"'", r) })
		if len(words) == 1 { // the arguments of the launcher are words of their own
			words = slices.Concat(words, args[i+1:])
		}
		if found := fromLauncher(words); found != nil {
			return found
		}
	}
	return nil
}

// fromLauncher returns the words from the first launcher on, or nil.
func fromLauncher(words []string) []string {
	at := slices.IndexFunc(words, func(word string) bool {
		_, ok := grammarOf(domain.ProgramName(word))
		return ok && !isInterpreter(word)
	})
	if at < 0 {
		return nil
	}
	return words[at:]
}

// fetches reports whether a program that is more than a launcher fetches what it starts with these
// arguments.
func fetches(program string, args []string) bool {
	first := ""
	if len(args) > 0 {
		first = args[0]
	}
	switch program {
	case "go": // a module with a version; others are on this machine
		return first == "run" && slices.ContainsFunc(args[1:], func(arg string) bool { return !isOption(arg) && strings.Contains(arg, "@") })
	case "dotnet":
		return first == "dnx" || first == "tool"
	case "nix":
		return first == "run" || first == "shell"
	case "node":
		return slices.Contains([]string{"npx-cli", "npm-cli"}, strings.TrimSuffix(domain.ProgramName(first), ".js"))
	case "python", "python3", "py":
		return first == "-m" && len(args) > 1 && slices.Contains([]string{"uv", "pipx"}, args[1])
	}
	return false
}
