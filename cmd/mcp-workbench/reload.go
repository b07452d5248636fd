package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/filewatch"
	"mcp-workbench/application"
	"mcp-workbench/domain"
)

// followAfter is how long after the start the configuration is followed, so that the
// threads for it do not make the start longer. Signals that come before are kept.
const followAfter = 100 * time.Millisecond

// readLockAfter is how long after the start the lock is read, so that it is known though
// its file is removed before a toolbox is opened. The start does not wait for it.
const readLockAfter = time.Second

// followConfiguration reads the configuration again whenever its file changes or a signal
// asks for it, until the context ends. It returns at once.
func (p *preparation) followConfiguration(ctx context.Context, shared *process) {
	asked := make(chan os.Signal, 1)
	if len(reloadSignals) > 0 { // none would mean all
		signal.Notify(asked, reloadSignals...)
	}
	time.AfterFunc(followAfter, func() {
		defer signal.Stop(asked)
		p.follow(ctx, shared, asked)
	})
}

// follow is followConfiguration, until the context ends.
func (p *preparation) follow(ctx context.Context, shared *process, asked <-chan os.Signal) {
	path, origin := p.configuration.Again()
	changed := make(chan struct{}, 1)
	if path != "" && origin != config.FromWorkingDirectory {
		go filewatch.Watch(ctx, path, p.configuration.File, func() {
			select {
			case changed <- struct{}{}:
			default: // the one that is waiting reads this change too
			}
		})
	}
	if lock := shared.file.Path(); lock != "" {
		// It is read again when it is needed, too. This is so that a change is told soon.
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
		shared.reloader.Reload(p.read)
	}
}

// read reads the configuration again, from the same file and by the same rules, but with
// no mistake in it.
func (p *preparation) read() (application.Configuration, []domain.ConfigurationProblem) {
	configuration, err := p.loadAgain()
	if err == nil {
		p.stderr.hide(configuration)
		p.level.Set(configuration.LogLevel)
		if p.reread != nil {
			p.reread(configuration)
		}
		for _, warning := range configuration.Warnings {
			p.log.Warn(warning.String())
		}
		return inUse(configuration), nil
	}
	fmt.Fprintf(console.Err, "mcp-workbench: the configuration as it is now cannot be used:\n%v\n", err)
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		return application.Configuration{}, invalid.Concerns
	}
	return application.Configuration{}, []domain.ConfigurationProblem{{All: true, Text: "it cannot be read; standard error says why"}}
}

// loadAgain loads the configuration. How the host sees tools cannot change while the
// program runs, so the names of toolboxes and servers have to fit the tool mode that it
// started with.
func (p *preparation) loadAgain() (*config.Configuration, error) {
	from, err := p.options.sources()
	if err != nil {
		return nil, err
	}
	from.Path, from.Origin = p.configuration.Again()
	from.Lenient = false
	configuration, err := config.Load(from, p.transports)
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

// inUse returns what the use cases know of a configuration.
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
