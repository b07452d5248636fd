package setup

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"

	"mcp-workbench/adapters/registry"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// ErrNoRegistry says that the configuration turns the registry off.
var ErrNoRegistry = errors.New(`no registry is asked, since "registry" is false ('mcp-workbench help registry')`)

// registry returns a client of the registry that the configuration names. The file of a folder that the user does
// not trust names none.
//
// Failures: ErrNoRegistry; a configuration that cannot be used; a registry whose settings cannot be used.
func (f *ownFile) registry(ctx context.Context) (*registry.Client, error) {
	configuration := f.checked
	if configuration == nil || !f.mayAsk() {
		var err error
		if configuration, err = f.check(emptyText("", false)); err != nil {
			return nil, err
		}
	}
	if configuration.Registry.Off {
		return nil, ErrNoRegistry
	}
	return f.program.AskRegistry(ctx, configuration.Registry.Server, configuration.Limits.Registry)
}

// runsHere returns the programs of this machine that can run packages.
func runsHere() registry.Machine {
	path := os.Getenv("PATH")
	machine := launcher.Machine{System: runtime.GOOS, Programs: func() []string { return programs.Names(path) }}
	return registry.Machine{
		Has:    func(program string) bool { return programs.Find(path, program) != "" },
		Advice: machine.Advice,
	}
}

// foundServer is a server in the output of search with --json.
type foundServer struct {
	Name        string `json:"name"`
	Version     string `json:"version"`
	Description string `json:"description"`
	// Runs is how the server runs here: npx, uvx, docker, podman or url. It is "" if Missing says what it needs.
	Runs    string   `json:"runs"`
	Missing []string `json:"missing"`
	Status  string   `json:"status"`
	Message string   `json:"statusMessage,omitempty"`
	// Suspicion says what may deceive in the name, "" for nothing.
	Suspicion string `json:"suspicion,omitempty"`
}

// Search prints the servers of the registry that match words best, at most limit.
//
// Failures: those of ownFile.registry; *registry.Error.
func Search(ctx context.Context, e *Editor, words []string, limit int) error {
	own, err := e.openOwnFile()
	if err != nil {
		return err
	}
	asked, err := own.registry(ctx)
	if err != nil {
		return err
	}
	defer asked.Close()
	found, err := asked.Search(ctx, words)
	if err != nil {
		return err
	}
	hasMore := found.HasMore || len(found.Servers) > limit
	listed := []foundServer{}
	for _, server := range found.Servers[:min(limit, len(found.Servers))] {
		listed = append(listed, listedServer(server, runsHere()))
	}
	if e.AsJSON {
		return e.finish(map[string]any{"servers": listed, "more": hasMore}, false)
	}
	return showFound(e, listed, hasMore, words)
}

func listedServer(server registry.Server, machine registry.Machine) foundServer {
	listed := foundServer{
		Name: server.Name, Version: server.Version, Description: server.Description, Missing: []string{},
		Status: server.Status.State, Message: server.Status.Message, Suspicion: registry.Suspicion(server.Name),
	}
	way, err := server.Way(machine, registry.Choice{})
	if none, ok := errors.AsType[*registry.NoWayError](err); ok {
		listed.Missing = append(listed.Missing, none.Missing...)
		return listed
	}
	listed.Runs = way.Label()
	return listed
}

// showFound prints a table of servers.
func showFound(e *Editor, servers []foundServer, hasMore bool, words []string) error {
	if len(servers) == 0 {
		e.say("The registry has no server for %q. It looks for each word in names: try one word, such as the name of the product, or a part of it.",
			strings.Join(words, " "))
		return e.finish(nil, false)
	}
	table := terminal.Table{Headings: []string{"NAME", "VERSION", "RUNS", "DESCRIPTION"}}
	for _, server := range servers {
		runs, about := server.Runs, domain.ReviewLine(domain.OneLine(server.Description))
		if runs == "" {
			runs = "not here"
			if len(server.Missing) > 0 {
				runs = "needs " + server.Missing[0]
			}
		}
		if server.Status == registry.Deprecated {
			about = strings.TrimSpace("deprecated: " + domain.ReviewLine(domain.OneLine(server.Message)) + " " + about)
		}
		if server.Suspicion != "" {
			about = server.Suspicion + ": " + about
		}
		table.Rows = append(table.Rows, []string{domain.ReviewLine(server.Name), domain.ReviewLine(server.Version), runs, about})
	}
	if err := table.Print(e.Console.Out, e.Console.Out.Columns(), terminal.NewPaint(e.Console.Out, e.Colour)); err != nil {
		return err
	}
	if hasMore {
		e.Console.Err.Print("mcp-workbench: the registry has more; add a word, or --limit")
	}
	return nil
}
