package doctor

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/domain"
)

// checkPrograms finds programs and scripts of servers that every user can change.
//
// Decision: the group and the owner of a program do not count, since package managers share
// programs between the administrators of a machine.
func checkPrograms(_ context.Context, d *Doctor) []Finding {
	if runtime.GOOS == "windows" {
		return nil
	}
	var findings []Finding
	for server := range d.servers {
		for _, program := range programsOf(server) {
			if finding, ok := openProgram(program); ok {
				finding = finding.redacted(server)
				finding.Found += ", which " + server.ID.Path() + " runs"
				findings = append(findings, finding)
			}
		}
	}
	return findings
}

// openProgram reports whether every user can change or replace a program.
func openProgram(program string) (Finding, bool) {
	info, err := os.Stat(program)
	if err != nil {
		return Finding{}, false
	}
	if changeableByAll(info) {
		return Finding{codeWritable, program, "every user on this machine can change the program", domain.QuotedCommand("chmod go-w " + domain.ShellWord(program))}, true
	}
	return openFolder(program, false)
}

// scripts are the extensions of files that interpreters run.
var scripts = []string{".js", ".mjs", ".cjs", ".ts", ".py", ".sh", ".rb"}

// programsOf returns the program of a server, and the scripts among its arguments.
func programsOf(server domain.Server) []string {
	started := programOf(server)
	if started.Command == "" {
		return nil
	}
	program := started.Command
	if !filepath.IsAbs(program) {
		program = programs.Find(pathOf(started), program)
	}
	programs := []string{program}
	for _, arg := range started.Args {
		if filepath.IsAbs(arg) && slices.Contains(scripts, strings.ToLower(filepath.Ext(arg))) {
			programs = append(programs, arg)
		}
	}
	return programs
}
