package main

import (
	"os"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/mcpserver/background"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/terminal"
)

// options are the flags of a command, and what the command wants of its configuration.
type options struct {
	flags config.Flags
	// from holds what the command sets itself: everything that is neither a flag nor a property of the process.
	from   config.Options
	http   string           // of serve: the address to listen at, "" for none
	stdio  bool             // of serve: serve standard input and output as well
	access endpointSettings // of serve: the flags about who can call over HTTP
	colour string
	// reportsWarnings is set by a command whose report has the problems and warnings of the configuration.
	reportsWarnings bool
	// namesPlace is set by a command that names a server or a tool: only warnings about its toolbox are for the user.
	namesPlace bool
	// serves is set by serve, which keeps its log in a file if the configuration says so.
	serves bool
	// visits says that the command uses or shows servers for the user of a terminal, so the usual file is not announced.
	visits bool
	// accepted holds what the user trusted at the terminal; nil for commands that do not ask.
	accepted *trust.Accepted
	// window is the host that the options are for, in a background workbench; nil in other processes.
	window *window
}

// window is a host of a background workbench.
type window struct {
	background.Window
	err   *terminal.Output   // standard error of its bridge
	guard *processtree.Guard // of all hosts
}

// address returns the address at which hosts are served, "" for none, and the flag or variable
// that sets it.
func (o options) address() (text, from string) {
	if o.http != "" {
		return o.http, "--http"
	}
	return os.Getenv(config.ListenVariable), config.ListenVariable
}

// screen returns the output for messages to the user.
func (o options) screen() *terminal.Output {
	if o.window != nil {
		return o.window.err
	}
	return console.Err
}

// place returns the environment and the folders of the host: those of this process, or those of its bridge.
func (o options) place() (background.Window, error) {
	if o.window != nil {
		return o.window.Window, nil
	}
	return background.OwnWindow()
}

// servers returns where servers are started.
func (o options) servers() stdio.Place {
	if o.window == nil {
		return stdio.Place{}
	}
	return stdio.Place{Environ: o.window.Environ, Folder: o.window.Folder}
}

// consent returns the files that the user trusts, and asks on a screen. It reads them at first use.
func (o options) consent(screen *terminal.Output) trust.Consent {
	return trust.Consent{
		Records: trust.New(safefile.InStateFolder("trust")), Accepted: o.accepted, Screen: screen, Colour: o.colour,
		Masked: func(text []byte) []byte { return setup.Masked(text, checkingTransports()) },
	}
}

// inForce returns the options of a command that shows or uses what hosts use: mistakes leave out only their part of the
// configuration.
//
// Decision: list, call, doctor, describe, login, calls, usage and ui agree with serve about what is in force, and say on
// standard error (doctor in its report) what is left out. lock and connect refuse a file with mistakes or without trust,
// since a lock or a host's file would lose what is left out.
func (o options) inForce() options {
	o.from.Lenient, o.from.JoinsProject, o.visits = true, true, true
	return o
}

// visiting is inForce for a command that starts or contacts servers. The user is asked whether a file of the working
// directory is trusted. Without their trust it is not used, as for hosts.
func (o options) visiting() options {
	o = o.inForce()
	o.namesPlace = true
	o.from.Untrusted, o.accepted = config.Refused, &trust.Accepted{UsesOwn: true}
	return o
}

// trusting returns the options of a command that needs the trust of the user in a file of the working directory.
func (o options) trusting() options {
	o.from.Untrusted, o.accepted = config.Refused, &trust.Accepted{}
	return o
}

// looking returns the options of validate, which starts nothing and so may read any file. The other commands use what
// hosts would.
func (o options) looking() options {
	o.from.Untrusted, o.from.JoinsProject = config.LookedAt, true
	return o
}
