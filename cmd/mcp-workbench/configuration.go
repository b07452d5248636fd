package main

import (
	"log/slog"
	"strings"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// idleServers is the default idle timeout of servers of hosts over HTTP, since such hosts may
// leave without closing their session.
const idleServers = 30 * time.Minute

// load finds and reads the configuration. A command that starts something asks the user about a
// file of the working directory that is not trusted.
func (o options) load(transports map[string]ports.Transport) (*config.Configuration, error) {
	from, err := o.sources()
	if err != nil {
		return nil, err
	}
	return o.consent(o.screen()).Load(from, transports)
}

// sources returns the places where the configuration may be.
func (o options) sources() (config.Options, error) {
	place, err := o.place()
	if err != nil {
		return config.Options{}, err
	}
	from := o.from
	from.Environ, from.WorkDir, from.UserConfigDir = place.Environ, place.Folder, place.ConfigFolder
	user := o.consent(o.screen())
	from.Trusts, from.TrustsValues = user.Trusts, user.TrustsValues
	if address, _ := o.address(); address != "" {
		from.IdleTimeout = idleServers
		from.JoinsProject = false // callers over HTTP have other folders
	}
	return from.With(o.flags), nil
}

// announce prints on stderr which configuration is in use, at any log level.
func (o options) announce(configuration *config.Configuration) {
	if o.window != nil && o.window.Announced {
		return
	}
	for _, line := range configuration.Announcement(o.visits) {
		o.screen().Print("mcp-workbench: " + line)
	}
	if faults := configuration.LeftOut(); faults != "" && !o.reportsWarnings {
		o.screen().Print("mcp-workbench: " + faults + creating(configuration.Problems))
	}
}

// printWarnings prints the warnings about the configuration on stderr, for commands whose report
// does not contain them. The user saw those about plugins, and agents read what each call prints. With the name of a
// toolbox, warnings about other toolboxes are left out.
func printWarnings(configuration *config.Configuration, toolbox domain.ToolboxName) {
	for _, warning := range configuration.Warnings {
		isOther := toolbox != "" && isInOtherToolbox(warning.KeyPath, toolbox)
		if !isOther && !warning.IsReviewed && configuration.LogLevel <= slog.LevelWarn {
			console.Err.Printf("mcp-workbench: warning: %s\n", warning)
		}
	}
}

// isInOtherToolbox reports whether a key path leads into a toolbox other than the named one.
func isInOtherToolbox(keyPath string, toolbox domain.ToolboxName) bool {
	isBelow := func(parent string) bool {
		return strings.HasPrefix(keyPath, parent+".") || strings.HasPrefix(keyPath, parent+"[")
	}
	own := tree.KeyPath("toolboxes", string(toolbox))
	return isBelow("toolboxes") && keyPath != own && !isBelow(own)
}
