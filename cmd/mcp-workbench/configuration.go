package main

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/httpserver/endpoint"
	"mcp-workbench/adapters/trust/consent"
	"mcp-workbench/ports"
)

// options are the flags that every command has.
type options struct {
	config   string
	origin   config.Origin // of config, if it is not the flag --config
	logLevel string
	logFile  string            // of serve
	strict   bool              // of serve
	http     string            // likewise: the address to listen at, "" for none
	stdio    bool              // likewise: serve standard input and output as well
	chosen   []string          // likewise: the toolboxes to serve, nil for all
	access   endpoint.Settings // likewise: the flags about who can call over HTTP
	// reportsWarnings is set by a command whose report has the warnings about the configuration.
	reportsWarnings bool
	// serves is set by serve, which keeps its log in a file if the configuration says so.
	serves bool
	// lenient uses the valid part of a configuration with problems.
	lenient bool
	// makesLock is set by commands that compare tools with a lock that need not exist yet.
	makesLock bool
	// untrusted is how to treat a file of the working directory that is not trusted.
	untrusted config.UntrustedFile
	// accepted holds what the user trusted at the terminal; nil for commands that do not ask.
	accepted *consent.Accepted
	// allowsForeign permits a named file that others can change.
	allowsForeign bool
	colour        string
	// window is the host of a background workbench whose options these are, nil for this process.
	window *window
	// visits is set by commands that use servers for the user of a terminal.
	visits bool
}

// load finds and reads the configuration. A command that starts something asks the user about a
// file of the working directory that is not trusted.
func (o options) load(transports map[string]ports.Transport) (*config.Configuration, error) {
	from, err := o.sources()
	if err != nil {
		return nil, err
	}
	return o.consent(o.screen()).Load(from, transports)
}

// sources returns where the configuration may be.
func (o options) sources() (config.Options, error) {
	place, err := o.place()
	if err != nil {
		return config.Options{}, err
	}
	flags := map[string]string{}
	if o.logLevel != "" {
		flags["logLevel"] = o.logLevel
	}
	if o.logFile != "" {
		if flags["logFile"] = o.logFile; !filepath.IsAbs(o.logFile) {
			flags["logFile"] = filepath.Join(place.Folder, o.logFile)
		}
	}
	if o.strict {
		flags["strict"] = "true"
	}
	var idle time.Duration
	if address, _ := o.address(); address != "" {
		idle = idleServers
	}
	return config.Options{
		IdleTimeout: idle,
		Path:        o.config, Origin: o.origin, Flags: flags, Environ: place.Environ,
		WorkDir: place.Folder, UserConfigDir: place.ConfigFolder, Lenient: o.lenient, MakesLock: o.makesLock, Toolboxes: o.chosen,
		Trusts: o.consent(o.screen()).Trusts, Untrusted: o.untrusted, AllowForeign: o.allowsForeign,
	}, nil
}

// announce prints on stderr which configuration is in use, at any log level.
func (o options) announce(configuration *config.Configuration) {
	if o.window != nil && o.window.Announced {
		return
	}
	for _, line := range configuration.Announcement(o.visits) {
		o.screen().Print("mcp-workbench: " + line)
	}
}

// printWarnings prints the warnings about the configuration for the user of a command, whose report
// has them otherwise.
func printWarnings(configuration *config.Configuration, log *slog.Logger) {
	for _, warning := range configuration.Warnings {
		if log.Enabled(context.Background(), slog.LevelWarn) {
			console.Err.Printf("mcp-workbench: warning: %s\n", warning)
		}
	}
}
