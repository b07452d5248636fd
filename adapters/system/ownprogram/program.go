package ownprogram

import (
	"os"
	"os/exec"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Name is the usual name of the program.
const Name = "mcp-workbench"

// demoServer is the subcommand with which the program is a server like every other.
const demoServer = "demo-server"

// maxProgram is the size in bytes up to which a file is examined. The program has a third of it.
const maxProgram = 64 << 20

// Runs reports whether a command runs the workbench: this file, through links too, or another build of the
// program under any name, or its npm package. What cannot be examined, such as a script or a file that is gone, is recognised
// by the usual name, or that of this file.
func Runs(command string, args []string) bool {
	command, args = behindCmd(command, args)
	return !slices.Contains(args, demoServer) && (isPackage(command, args) || IsProgram(command))
}

// isPackage reports whether a command runs the package of the program from npm, in whatever version.
func isPackage(command string, args []string) bool {
	switch domain.ProgramName(command) {
	case "npx", "bunx", "pnpx":
	default:
		return false
	}
	at := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	if at < 0 {
		return false
	}
	name, _, _ := strings.Cut(args[at], "@")
	return name == Name
}

// IsProgram reports whether a command is the program, whatever it is told to do.
func IsProgram(command string) bool {
	own, _ := os.Executable() // "" if it is not known
	name := domain.ProgramName(command)
	isNamed := name == Name || name != "" && name == domain.ProgramName(own)
	path, err := exec.LookPath(command)
	if err != nil {
		return isNamed || strings.HasPrefix(name, Name) // such as mcp-workbench-1.2, which is gone
	}
	info, err := os.Stat(path)
	if err != nil {
		return isNamed
	}
	if ownInfo, err := os.Stat(own); err == nil && os.SameFile(info, ownInfo) {
		return true
	}
	if !info.Mode().IsRegular() || info.Size() > maxProgram {
		return isNamed
	}
	isBinary, isBuild := examine(path)
	return isBuild || !isBinary && isNamed
}

// behindCmd returns the command that "cmd /c" runs.
func behindCmd(command string, args []string) (string, []string) {
	if domain.ProgramName(command) != "cmd" {
		return command, args
	}
	at := slices.IndexFunc(args, func(arg string) bool { return strings.EqualFold(arg, "/c") })
	if at < 0 || at+1 >= len(args) {
		return command, args
	}
	return args[at+1], args[at+2:]
}
