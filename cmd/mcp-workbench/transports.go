package main

import (
	"log/slog"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/downstream/sse"
	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/adapters/downstream/streamablehttp"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/ports"
)

// newTransports returns the transports by the kinds that a configuration names. Servers that are
// processes run in the place and under the guard; servers behind URLs use the logins. Guard and logins
// may be nil.
func newTransports(guard *processtree.Guard, place stdio.Place, logins *oauth.Client, log *slog.Logger) map[string]ports.Transport {
	identity := mcpclient.Identity{Name: mcpserver.Name, Version: version}
	older := sse.New(identity, logins, log)
	return map[string]ports.Transport{
		"stdio": stdio.New(identity, guard, place, log),
		"http":  streamablehttp.New(identity, older, logins, log),
		"sse":   older,
	}
}

// watchdogArgument makes the program the watchdog of a workbench. Users never type it.
const watchdogArgument = "__watchdog"

// newGuard returns the guard whose watchdog is this program.
func newGuard(log *slog.Logger) *processtree.Guard {
	return processtree.NewGuard(log, func() []string { return []string{programs.OwnPath(), watchdogArgument} })
}

// giveUpOnRegistries makes programs give up soon on a package registry that is out of reach.
func giveUpOnRegistries(transports map[string]ports.Transport) {
	transports["stdio"].(*stdio.Transport).GiveUpOnRegistries()
}

// checkingTransports returns transports that only check configurations.
func checkingTransports() map[string]ports.Transport {
	return newTransports(nil, stdio.Place{}, nil, slog.New(slog.DiscardHandler))
}

// clientName is the name that authorization servers show to users.
const clientName = "MCP Workbench"

// newOAuthClient returns the client for logins at remote servers, with the user's logins; nil
// without a state directory. Every token is added to secrets. No file is read yet.
func newOAuthClient(secrets *oauth.Secrets, log *slog.Logger) *oauth.Client {
	directory, err := safefile.InStateFolder("logins")()
	if err != nil {
		log.Info("there is no place for logins at remote servers", "error", err)
		return nil
	}
	return oauth.New(logins.New(directory, log, secrets.Learn), clientName, secrets, log)
}
