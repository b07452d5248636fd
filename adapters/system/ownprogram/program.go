package ownprogram

import (
	"os"
	"os/exec"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// Name is the usual name of the program.
const Name = "mcp-workbench"

// demoServer is the subcommand with which the program is an ordinary server.
const demoServer = "demo-server"

// maxProgram is the size in bytes up to which a file is examined. The program is a third as large.
const maxProgram = 64 << 20

// Runs reports whether a command runs the workbench: this file, also through links, another build of the
// program under any name, or its npm package. A command that cannot be examined, such as a script or a
// missing file, is recognised by the usual name, or by the name of this file.
func Runs(command string, args []string) bool {
	line := launcher.Read(command, args)
	if slices.Contains(args, demoServer) || slices.Contains(line.Wrapped, demoServer) {
		return false
	}
	return line.NPMPackage() == Name || IsProgram(line.Path)
}

// IsProgram reports whether a command is the program, with any arguments.
func IsProgram(command string) bool {
	own, _ := os.Executable() // "" if it is not known
	name := domain.ProgramName(command)
	isNamed := name == Name || name != "" && name == domain.ProgramName(own)
	path, err := exec.LookPath(command)
	if err != nil {
		return isNamed || strings.HasPrefix(name, Name) // such as mcp-workbench-1.2, which was removed
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
