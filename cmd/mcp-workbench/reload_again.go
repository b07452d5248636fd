package main

import (
	"io/fs"
	"os"

	"mcp-workbench/adapters/config"
)

// loadAgain loads the configuration. The tool mode cannot change while the program runs, so the
// names of toolboxes and servers must fit the one that it started with.
func (p *preparation) loadAgain() (*config.Configuration, error) {
	from, err := p.options.sources()
	if err != nil {
		return nil, err
	}
	switch {
	case p.trusted != nil:
		from.Path, from.Origin = p.trusted.Again()
	case p.configuration.Untrusted == nil:
		from.Path, from.Origin = p.configuration.Again()
	}
	if from.Path != "" { // a trusted file is not replaced by another
		from.Untrusted = config.Refused
	}
	from.Lenient = false
	configuration, err := config.Load(from, p.transports)
	if err == nil && configuration.Origin == config.FromWorkingDirectory {
		p.trusted = configuration
	}
	if err != nil || configuration.ToolMode == p.configuration.ToolMode {
		return configuration, err
	}
	wanted := configuration.ToolMode
	from.Flags["toolMode"] = string(p.configuration.ToolMode)
	configuration, err = config.Load(from, p.transports)
	if err == nil {
		configuration.ToolMode = wanted
	}
	return configuration, err
}

// watchTrust watches a file that was found in the working directory, and the record that the user
// trusts it. Without such a file it watches nothing.
func (p *preparation) watchTrust(watch func(path string, seen fs.FileInfo)) {
	path, isTrusted := p.configuration.Path, p.configuration.Origin == config.FromWorkingDirectory
	if p.configuration.Untrusted != nil {
		path, isTrusted = p.configuration.Untrusted.Path, false
		seen, _ := os.Stat(path) // a missing file counts once it is there again
		watch(path, seen)
	}
	if path == "" || !isTrusted && p.configuration.Untrusted == nil {
		return
	}
	record, err := p.options.consent(console.Err).Records.Place(path)
	if err != nil {
		return // then trust cannot be recorded
	}
	var seen fs.FileInfo
	if isTrusted { // otherwise a record that is there already may be newer than the start
		if seen, err = os.Stat(record); err != nil {
			seen = p.configuration.File // it was there at the start, so this counts as a change
		}
	}
	watch(record, seen)
}
