package programs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// script returns the file that an interpreter runs and its index among the arguments, "" for other programs.
func script(program domain.Program) (file string, at int) {
	line := launcher.Read(program.Command, program.Args)
	return line.Script(), len(program.Args) - len(line.Words)
}

// checkScript checks the file that an interpreter runs. A file without an extension is not checked, since
// the interpreter may add one.
func (c *check) checkScript() {
	file, at := script(c.program)
	if !filepath.IsAbs(file) || filepath.Ext(file) == "" {
		return
	}
	if _, err := os.Stat(file); os.IsNotExist(err) {
		c.prevent(Problem{Found: fmt.Sprintf("'%s' does not exist", c.shown.Args[at]), Fix: "correct the path"}, "args", at)
	}
}

// RelativeWarning returns a warning about a server whose program is a relative path, "" if there is nothing to
// warn about. Folder is the one in which the user configures the server: hosts start servers elsewhere.
func RelativeWarning(server domain.Server, folder string) string {
	program, shown, what := server.Traits.Program, server.Shown.Program, "command"
	path, text := program.Command, shown.Command
	if file, at := script(program); file != "" {
		path, text, what = file, shown.Args[at], "file"
	}
	isPath := strings.HasPrefix(filepath.ToSlash(path), "./") || strings.HasPrefix(filepath.ToSlash(path), "../")
	if !isPath || filepath.IsAbs(program.Cwd) || server.Unset != nil {
		return ""
	}
	whole := filepath.Join(folder, path)
	if _, err := os.Stat(whole); os.IsNotExist(err) {
		return fmt.Sprintf("%s '%s' does not exist in %s; write its absolute path, since each host starts servers in a folder of its own", what, text, folder)
	}
	return fmt.Sprintf("%s '%s' is relative, and each host starts servers in a folder of its own; write %s, or give the folder with '--cwd'", what, text, whole)
}
