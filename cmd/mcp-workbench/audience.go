package main

import (
	"cmp"
	"crypto/rand"
	"log/slog"
	"sync/atomic"

	"mcp-workbench/adapters/downstream/oauth/login"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/mcpserver/httpserver"
	record "mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/logs"
	"mcp-workbench/adapters/observe/metrics"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/observe/telemetry"
	"mcp-workbench/application"
	"mcp-workbench/application/results"
	"mcp-workbench/domain"
)

// audience holds what differs between hosts: what each sees of the process and how it is served.
type audience struct {
	// current and program contain only the toolboxes that the host can see.
	current    *application.Current
	program    *mcpserver.Program
	userLogins *login.Logins                 // nil if no user at the host can log in
	observers  application.ActivityObservers // of calls, starts and ends
	numbers    *status.Numbers               // for the board, nil without one
	recorded   *record.Host                  // nil without a record
	opensOnUse application.OpensOnUse
	isShared   results.SharedHost
	caller     caller
	described  *description // of the host, for the log and the record
	log        *slog.Logger
	tracing    *telemetry.Host
}

// caller is what has a share of what all hosts use: an identity, or a host without one.
type caller string

// newCaller returns the caller with an identity, a new one without.
func newCaller(identity string) caller { return caller(cmp.Or(identity, rand.Text())) }

// description is the host's description of itself, which is known once its server is wired.
type description struct {
	server atomic.Pointer[mcpserver.Server]
}

func (d *description) info() domain.HostInfo {
	if server := d.server.Load(); server != nil {
		return server.HostInfo()
	}
	return domain.HostInfo{}
}

// onStandardInput returns the audience of a host on standard input and output, which sees
// every toolbox.
func (p *process) onStandardInput(userLogins *login.Logins) audience {
	return p.audience(userLogins, "")
}

// audience returns the audience of a host that calls with an identity and sees every toolbox.
func (p *process) audience(userLogins *login.Logins, identity string) audience {
	described := &description{}
	host := audience{
		current: p.current, program: p.program, userLogins: userLogins, opensOnUse: application.OpensOnUse(p.configuration.OpenOnUse || p.configuration.FindTool),
		tracing: p.telemetry.NewHost(false, ""), recorded: p.record.Host(identity, described.info), caller: newCaller(identity),
		described: described, log: logs.ForHost(p.log, "", "", described.info),
	}
	if p.board != nil {
		host.numbers = &status.Numbers{}
		host.observers = append(host.observers, host.numbers)
	}
	if host.recorded != nil {
		host.observers = append(host.observers, host.recorded)
	}
	return host
}

// overHTTP returns the audience of a host over HTTP, which sees the toolboxes of its caller.
// The logins are those of the operator. A host of protocol 2026-07-28 has no session in which it
// could open a toolbox, so using a tool opens its toolbox.
func (p *process) overHTTP(want httpserver.Want, page *metrics.Page) audience {
	host := p.audience(nil, want.Access.Identity)
	host.log = logs.ForHost(p.log, want.Access.Identity, want.Session, host.described.info)
	host.tracing = p.telemetry.NewHost(true, want.Session)
	host.observers = append(host.observers, page.CallsOf(want.Access.Identity))
	host.opensOnUse = host.opensOnUse || application.OpensOnUse(want.Modern)
	host.isShared = results.SharedHost(want.Modern)
	if want.Access.Toolboxes == nil {
		return host
	}
	var names []domain.ToolboxName
	for _, name := range want.Access.Toolboxes {
		names = append(names, domain.ToolboxName(name))
	}
	host.current = p.current.Limited(names)
	host.program = p.program.Showing(application.NewInstructionsBuilder(host.current, p.descriptions))
	return host
}
