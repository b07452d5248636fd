package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/mcpserver/httpserver"
	"mcp-workbench/adapters/observe/metrics"
	"mcp-workbench/adapters/system/ownprocess"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

const (
	// maxSessions is the default maximum number of hosts.
	maxSessions = 64
	// maxSessionsOfOne is the default maximum for one identity, unless a quarter of all sessions
	// is more.
	maxSessionsOfOne = 16
)

// serveHTTP serves hosts at the address of the options, each with a workbench of its own, until a
// signal arrives. With --stdio it also serves one on standard input and output, whose end does not
// end the others.
func (p *preparation) serveHTTP(ctx, serving, stopping context.Context, received *ownprocess.Serving, shared *process) error {
	page := newMetrics(p.configuration)
	settings := p.options.access
	settings.Address, settings.From = p.options.address()
	settings.Access, settings.Toolboxes = p.configuration.HTTP, shared.current.Names
	if pages := shared.pages(); pages != nil {
		settings.Pages = pages
		defer pages.Close()
		defer context.AfterFunc(serving, pages.Close)() // their streams would delay the end
	}
	served, err := newEndpoint(ctx, settings, p.hostsOver(stopping, shared, page), page, p.log)
	if err != nil {
		return err
	}
	p.reloaded = func(configuration *config.Configuration, isAsked bool) { served.Reload(configuration.HTTP, isAsked) }
	_, unfollow := p.followConfiguration(ctx, shared, received.Reloads)
	defer unfollow()
	listener, err := served.Listen(ctx)
	if err != nil {
		return fmt.Errorf("listen for hosts: %w", err)
	}
	shared.board.SetAddress(served.URL(listener))
	console.Err.Printf("mcp-workbench: listening on %s; %s\n", served.URL(listener), served.Note())
	stdioEnded := make(chan struct{})
	go func() {
		defer close(stdioEnded)
		if p.options.stdio {
			if err := p.serveStandardInput(serving, stopping, shared); err != nil {
				p.log.Warn("the host on standard input is gone", "error", err)
			}
		}
	}()
	if err = served.Serve(serving, listener); err != nil {
		received.Stop()
	} else {
		served.Leave(stopping)
	}
	served.Close(stopping, p.configuration.Limits.Shutdown, func() { <-stdioEnded })
	return err
}

// hostsOver returns the handler for hosts over HTTP. When the context ends, servers that are still
// exiting are killed.
func (p *preparation) hostsOver(stopping context.Context, shared *process, page *metrics.Page) *httpserver.Handler {
	open := func(want httpserver.Want) *httpserver.Host {
		seen := shared.overHTTP(want, page)
		workbench := shared.workbench(seen)
		hide := shared.show(workbench, seen, "http", want.Access.Identity)
		remove, forget := shared.reloader.Add(workbench.reloaded), page.Watch(workbench.servers)
		return &httpserver.Host{Server: workbench.server, Close: func() {
			defer forget()
			remove()
			hide()
			workbench.close(stopping, time.Now(), shared)
		}}
	}
	return httpserver.New(open, hostLimits(p.configuration), httpserver.Versions{WithoutModern: p.configuration.ToolMode == config.Dynamic})
}

// hostLimits returns the limits of hosts over HTTP. Limits that the configuration does not set have
// defaults.
func hostLimits(configuration *config.Configuration) httpserver.Limits {
	sessions := cmp.Or(configuration.HTTP.MaxSessions, maxSessions)
	return httpserver.Limits{
		Sessions: sessions, SessionsPerIdentity: cmp.Or(configuration.HTTP.MaxSessionsPerIdentity, max(maxSessionsOfOne, sessions/4)),
		MessageSize: configuration.Limits.MessageSize,
		Arriving:    configuration.Limits.Arriving, UnderWay: configuration.Limits.UnderWay, Sending: configuration.Limits.Sending,
	}
}

// newMetrics returns the page with metrics about hosts over HTTP.
func newMetrics(configuration *config.Configuration) *metrics.Page {
	build := readBuildInfo(release)
	settings := metrics.Settings{
		ByTool: configuration.HTTP.MetricsByTool, ByIdentity: configuration.HTTP.MetricsByIdentity, Version: build.Version, Commit: build.Commit,
		Process: ownprocess.Read, States: domain.Texts(sessions.States()),
	}
	return metrics.NewPage(settings)
}

// servers calls each with every server of the host and its state.
func (w *workbench) servers(each func(server domain.Server, state string)) {
	w.sessions.Statuses(func(status ports.ServerStatus) { each(status.Server, status.State) })
}
