package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/system/filewatch"
	"mcp-workbench/application"
	"mcp-workbench/domain"
)

// followAfter is the delay before the configuration is watched, so that the threads for that do
// not slow down the start. Earlier signals are kept.
const followAfter = 100 * time.Millisecond

// readLockAfter is the delay before the lock is read, so that it is known even if its file is
// removed before a toolbox is opened. The start does not wait for it.
const readLockAfter = time.Second

// followConfiguration reloads the configuration whenever its file changes or a signal asks for it,
// until the context ends. It returns at once.
func (p *preparation) followConfiguration(ctx context.Context, shared *process, asked <-chan os.Signal) {
	time.AfterFunc(followAfter, func() { p.follow(ctx, shared, asked) })
}

// follow is followConfiguration, until the context ends.
func (p *preparation) follow(ctx context.Context, shared *process, asked <-chan os.Signal) {
	changed := make(chan struct{}, 1)
	watch := func(path string, seen fs.FileInfo) {
		go filewatch.Watch(ctx, path, seen, func() {
			select {
			case changed <- struct{}{}:
			default: // the reload that is due reads this change too
			}
		})
	}
	if path, _ := p.configuration.Again(); path != "" {
		watch(path, p.configuration.File)
	}
	p.options.consent(console.Err).Watch(p.configuration, watch)
	if lock := shared.file.Path(); lock != "" {
		// The lock is also read again when it is needed; this reports a change soon.
		go filewatch.Watch(ctx, lock, nil, func() { shared.pinning.Packages() })
	}
	started := time.NewTimer(readLockAfter)
	defer started.Stop()
	for {
		select {
		case <-started.C:
			shared.pinning.Packages()
			continue
		case <-changed:
		case <-asked:
		case <-ctx.Done():
			return
		}
		shared.reloader.Reload(func() (application.Configuration, []domain.ConfigurationProblem) {
			configuration, problems := p.read()
			if p.trusted != nil && shared.file.Move(p.trusted.Path) {
				shared.pinning.Begin() // the user trusted the file that this lock belongs to
			}
			return configuration, problems
		})
	}
}

// read reloads the configuration from the same file and by the same rules, except that a mistake
// in it is a failure.
func (p *preparation) read() (application.Configuration, []domain.ConfigurationProblem) {
	configuration, err := p.loadAgain()
	if err == nil {
		p.stderr.Hide(configuration)
		p.level.Set(configuration.LogLevel)
		if p.reloaded != nil {
			p.reloaded(configuration)
		}
		for _, warning := range configuration.Warnings {
			p.log.Warn(warning.String())
		}
		return inUse(configuration), nil
	}
	console.Err.Printf("mcp-workbench: the configuration as it is now cannot be used:\n%v\n", err)
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		return application.Configuration{}, invalid.Concerns
	}
	if untrusted, ok := errors.AsType[*config.UntrustedError](err); ok {
		return application.Configuration{}, []domain.ConfigurationProblem{untrusted.Concern()}
	}
	return application.Configuration{}, []domain.ConfigurationProblem{{All: true, Text: "it cannot be read; standard error says why"}}
}

// inUse returns a configuration as the use cases know it.
func inUse(configuration *config.Configuration) application.Configuration {
	return application.Configuration{
		Catalog:     configuration.Catalog,
		Definitions: configuration.Definitions,
		Pinning:     configuration.Pinning,
		Packages:    configuration.Packages,
		LogPayloads: configuration.LogPayloads,
		Approvals:   configuration.Approvals,
		AtStart: []application.Setting{
			{Key: "toolMode", Value: string(configuration.ToolMode)},
			{Key: "openOnUse", Value: strconv.FormatBool(configuration.OpenOnUse)},
			{Key: "limits.messageSize (of the host)", Value: strconv.FormatInt(configuration.Limits.MessageSize, 10)},
			{Key: "limits.inputReply", Value: configuration.Limits.InputReply.String()},
		},
	}
}

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
