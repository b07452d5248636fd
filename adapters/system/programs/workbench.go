package programs

import (
	"os"
	"os/exec"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// WorkbenchName is the usual name of this program.
const WorkbenchName = "mcp-workbench"

// demoServer is the subcommand with which the program is an ordinary server.
const demoServer = "demo-server"

// maxProgram is the size in bytes up to which a file is examined. This program has a third of that.
const maxProgram = 64 << 20

// StartsWorkbench reports whether a command starts the workbench: this file, also through links, another build of the
// program under any name, or its npm package. A command that cannot be examined, such as a script or a
// missing file, is recognised by the usual name, or by the name of this file.
func StartsWorkbench(command string, args []string) bool {
	line := launcher.Read(command, args)
	if slices.Contains(args, demoServer) || slices.Contains(line.Wrapped, demoServer) {
		return false
	}
	return line.NPMPackage() == WorkbenchName || IsWorkbench(line.Path)
}

// IsWorkbench reports whether a command is this program, with any arguments.
func IsWorkbench(command string) bool {
	own, _ := os.Executable() // "" if it is not known
	name := domain.ProgramName(command)
	isNamed := name == WorkbenchName || name != "" && name == domain.ProgramName(own)
	path, err := exec.LookPath(command)
	if err != nil {
		return isNamed || strings.HasPrefix(name, WorkbenchName) // such as mcp-workbench-1.2, which was removed
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
