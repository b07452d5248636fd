package packages

import (
	"slices"
	"strings"
)

// Programs that start the program that their arguments name.
var (
	// shells take a whole line as one word.
	shells = []string{"sh", "bash", "dash", "ash", "ksh", "zsh", "fish", "cmd", "powershell", "pwsh", "wsl"}
	// runners take a program and its arguments as words of their own.
	runners = []string{
		"env", "exec", "nice", "nohup", "setsid", "stdbuf", "timeout", "sudo", "doas", "xvfb-run", "caffeinate", "systemd-run", "firejail", "bwrap",
		"tini", "dumb-init", "mise", "asdf", "volta", "fnm", "nvm", "corepack", "direnv", "dotenv", "dotenvx", "op", "doppler", "infisical",
		"aws-vault", "chamber",
	}
	// launchers fetch what they start.
	launchers = []string{
		"npx", "npm", "uvx", "uv", "bunx", "bun", "pnpx", "pnpm", "yarn", "deno", "pipx", "dnx", "jbang", "docker", "podman", "nerdctl",
	}
)

// wrapped returns the launcher that another program is told to start, "" for none.
func wrapped(name string, args []string) string {
	isShell := slices.Contains(shells, name)
	if !isShell && !slices.Contains(runners, name) {
		return ""
	}
	for _, arg := range args {
		words := []string{arg}
		if isShell {
			words = strings.FieldsFunc(arg, func(r rune) bool { return strings.ContainsRune(" \t\r\n;&|(){}<>`$\"'", r) })
		}
		for _, word := range words {
			if launcher := programName(word); slices.Contains(launchers, launcher) {
				return launcher
			}
		}
	}
	return ""
}

// fetches reports whether a program that does other things as well is told to start what
// it fetches first.
func fetches(name string, args []string) bool {
	first := ""
	if len(args) > 0 {
		first = args[0]
	}
	switch name {
	case "go": // a module with a version; another one is of this machine
		return first == "run" && slices.ContainsFunc(args[1:], func(arg string) bool { return !isOption(arg) && strings.Contains(arg, "@") })
	case "dotnet":
		return first == "dnx" || first == "tool"
	case "nix":
		return first == "run" || first == "shell"
	case "node":
		return slices.Contains([]string{"npx-cli", "npm-cli"}, strings.TrimSuffix(programName(first), ".js"))
	case "python", "python3", "py":
		return first == "-m" && len(args) > 1 && slices.Contains([]string{"uv", "pipx"}, args[1])
	}
	return false
}
