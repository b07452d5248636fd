package doctor

import (
	"cmp"
	"context"
	"os"
	"strconv"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/domain"
)

// checkCommands finds programs that cannot be started as they are configured.
func checkCommands(_ context.Context, d *Doctor) []Finding {
	var findings []Finding
	for _, problem := range programs.Problems(d.servers) {
		if problem.Prevents {
			d.prevented[problem.Server] = true
		}
		code := codePath
		if problem.Unfound {
			code = codeCommand
		}
		fix := cmp.Or(problem.Fix, "install it, or write its absolute path")
		findings = append(findings, Finding{Code: code, About: d.keyOf(problem), Found: problem.Found, Fix: fix})
	}
	return findings
}

// keyOf returns the path of the key that has a problem.
func (d *Doctor) keyOf(problem programs.Problem) string {
	path := ""
	for server := range d.servers {
		if server.ID == problem.Server {
			path = config.KeyPathOf(server)
		}
	}
	for _, step := range problem.Key {
		switch step := step.(type) {
		case int:
			path += "[" + strconv.Itoa(step) + "]"
		case string:
			path += "." + tree.KeyPath(step)
		}
	}
	return path
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
	if path, ok := programs.PathIn(program.Env); ok {
		return path
	}
	return os.Getenv("PATH")
}
