package doctor

import (
	"cmp"
	"context"
	"os"

	"mcp-workbench/domain"
)

// checkCommands finds programs that cannot be started as they are configured.
func checkCommands(_ context.Context, d *Doctor) []Finding {
	var findings []Finding
	for _, problem := range ProgramProblems(d.servers) {
		if problem.Prevents {
			d.prevented[problem.server] = true
		}
		problem.Fix = cmp.Or(problem.Fix, "install it, or write its absolute path")
		findings = append(findings, problem.Finding)
	}
	return findings
}

// programOf returns the program of a server, or none for a server that is not one and for one
// that lacks a variable.
func programOf(server domain.Server) domain.Program {
	if server.Unset != nil {
		return domain.Program{}
	}
	return server.Traits.Program
}

// pathOf returns the PATH in which a program is found.
func pathOf(program domain.Program) string {
	if path, ok := pathIn(program.Env); ok {
		return path
	}
	return os.Getenv("PATH")
}
