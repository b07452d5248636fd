package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// The versions that the SDKs of MCP require, for packages that do not say what they require.
//
// Decision: only this machine is examined, never the network: the package in the project, in
// npm's cache of npx, or installed globally. uvx is left out, since uv fetches a Python that
// fits the package.
const (
	minNode   = ">=18"
	minPython = ">=3.10"
)

// runtimes are the versions of interpreters, nil for an interpreter that did not print one.
type runtimes struct {
	output func(ctx context.Context, server domain.Server, limit int64) ([]byte, error)
	known  map[interpreter]*version
}

// An interpreter is a program as a server runs it. What it prints may depend on its surroundings, and no server's
// interpreter gets the environment of another.
type interpreter struct{ path, surroundings string }

// checkRuntimes finds servers whose Node or Python is too old. It starts these as it starts the servers, to ask for
// their versions, if it may start anything.
func checkRuntimes(ctx context.Context, d *Doctor) []Finding {
	if d.surroundings.Output == nil {
		return nil
	}
	_, lock := d.pins()
	known := runtimes{d.surroundings.Output, map[interpreter]*version{}}
	var findings []Finding
	for server := range d.servers {
		id := server.ID
		if pin, isPinned := lock.Package(id); isPinned {
			if started, err := d.surroundings.Packages.Pinned(server, pin); err == nil {
				server = started
			}
		}
		if finding, ok := known.check(ctx, server); ok {
			findings = append(findings, finding)
		}
	}
	return findings
}

// requirement is the interpreter of a server, and the versions that the server requires.
type requirement struct {
	language, program string
	wanted            string
	by                string // names what requires them, with its verb
}

// requirementOf returns the version of Node or Python that a server requires. It reports
// false for other programs.
func requirementOf(started domain.Program) (requirement, bool) {
	const inGeneral = "MCP servers in general want"
	line := launcher.Read(started.Command, started.Args)
	switch {
	case line.Program == "npx", line.Program == "node":
		r := requirement{"Node", line.Path, minNode, inGeneral}
		if line.Program == "npx" {
			r.program = "node" // npx is a script of Node
		}
		if name, engines := enginesOf(line, started); engines != "" {
			r.wanted, r.by = engines, name+" wants"
		}
		return r, true
	case line.Program == "python", line.Program == "python3", strings.HasPrefix(line.Program, "python3."):
		return requirement{"Python", line.Path, minPython, inGeneral}, true
	}
	return requirement{}, false
}

func (r runtimes) check(ctx context.Context, server domain.Server) (Finding, bool) {
	started := programOf(server)
	required, ok := requirementOf(started)
	if !ok {
		return Finding{}, false
	}
	program := required.program
	if !filepath.IsAbs(program) {
		program = programs.Find(pathOf(started), program)
	}
	installed := r.version(ctx, server, program)
	if installed == nil || installed.compare(oldest(required.wanted)) >= 0 {
		return Finding{}, false
	}
	found := fmt.Sprintf("it runs with %s %s (%s), and %s %s", required.language, installed, program, required.by, required.wanted)
	return Finding{
		codeRuntime, server.ID.Path(), found,
		fmt.Sprintf("install a newer %s, or put the folder of one in front: \"env\": {\"PATH\": \"…\"}", required.language),
	}.redacted(server), true
}

// version asks the interpreter of a server for its version. It returns nil if the program does not print one.
func (r runtimes) version(ctx context.Context, server domain.Server, program string) *version {
	if program == "" {
		return nil
	}
	traits := server.Traits
	key := interpreter{program, fmt.Sprintf("%q %t %t %q %q", traits.Program.Cwd, traits.InheritsAll, traits.InheritsLeast, traits.Inherits, traits.Program.Env)}
	if installed, isKnown := r.known[key]; isKnown {
		return installed
	}
	r.known[key] = nil
	const timeout, limit = 10 * time.Second, 64 << 10
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	server.Traits.Program.Command, server.Traits.Program.Args = program, []string{"--version"}
	printed, err := r.output(limited, server, limit)
	if err != nil {
		return nil // the start of the server will show it
	}
	if installed, isKnown := parseVersion(string(printed)); isKnown {
		r.known[key] = &installed
	}
	return r.known[key]
}
