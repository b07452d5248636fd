package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/httpserver"
	"mcp-workbench/adapters/httpserver/metrics"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
)

// mcpPath is where hosts find the workbench, livePath and readyPath where probes do.
const (
	mcpPath   = "/mcp"
	livePath  = "/livez"
	readyPath = "/readyz"
)

const (
	// idleServers is how long a server of a host over HTTP may be unused where the
	// configuration does not say it: such hosts come back without having said goodbye.
	idleServers = 30 * time.Minute
	// maxSessions bounds the hosts that are served at once where the configuration does not.
	maxSessions = 64
	// maxSessionsOfOne bounds those of one identity where the configuration does not, unless a
	// quarter of all is more.
	maxSessionsOfOne = 16
	// drainHTTP is how long calls under way may take at the end. With the time that servers
	// get it is less than the ten seconds after which container engines kill.
	drainHTTP = 5 * time.Second
	// lastStreams is the longest time that hosts get to read the last messages.
	lastStreams = time.Second
)

// address returns where to listen for hosts, "" for nowhere, and the flag or the variable
// that says so.
func (o options) address() (text, from string) {
	if o.http != "" {
		return o.http, "--http"
	}
	return os.Getenv(config.ListenVariable), config.ListenVariable
}

// serveHTTP serves hosts at the address of the options, each with a workbench of its own, until a signal
// comes. With --stdio it serves one on standard input and output too, whose end ends
// nothing else. The configuration is followed until the second context ends.
func (p *preparation) serveHTTP(ctx, following context.Context, shared *process) error {
	serving, stopping, stop := untilSignals(ctx)
	defer stop()
	page := newMetrics()
	hosts := p.hostsOver(stopping, shared, page)
	guarded, err := p.guarded(ctx, hosts, page)
	if err != nil {
		return err
	}
	p.followConfiguration(following, shared)
	listener, err := new(net.ListenConfig).Listen(ctx, guarded.listen.Network, guarded.listen.Listen)
	if err != nil {
		return &exitError{code: exitFailure, err: fmt.Errorf("listen for hosts: %w", err)}
	}
	console.Err.Printf("mcp-workbench: listening on %s; %s\n", guarded.url(listener.Addr()), guarded.note)
	server := httpserver.NewServer(guarded.handler, p.log)
	server.TLSConfig = guarded.tls
	failed := make(chan error, 1)
	go func() {
		if guarded.tls != nil {
			failed <- server.ServeTLS(listener, "", "")
		} else {
			failed <- server.Serve(listener)
		}
	}()
	besides := make(chan struct{})
	go func() {
		defer close(besides)
		if p.options.stdio {
			p.serveBesides(serving, stopping, shared)
		}
	}()
	select {
	case <-serving.Done():
	case err = <-failed:
		stop()
	}
	end := time.Now().Add(drainHTTP + p.configuration.Limits.Shutdown)
	drain, cancel := context.WithTimeout(stopping, drainHTTP)
	defer cancel()
	hosts.Drain(drain)
	hosts.Close()
	<-besides
	// Streams ended before the servers did, so that little is left to be written.
	rest := min(lastStreams, max(time.Until(end), lastStreams/10))
	last, cancelLast := context.WithTimeout(context.WithoutCancel(ctx), rest)
	defer cancelLast()
	hosts.WaitForStreams(last)
	if shutdown := server.Shutdown(last); shutdown != nil {
		_ = server.Close() // what is left of it is connections
	}
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return &exitError{code: exitFailure, err: fmt.Errorf("serve hosts over HTTP: %w", err)}
	}
	return nil
}

// hostsOver returns what answers hosts over HTTP. When the context ends, servers that are
// still exiting are killed.
func (p *preparation) hostsOver(stopping context.Context, shared *process, page *metrics.Page) *httpserver.Handler {
	open := func(want httpserver.Want) *httpserver.Host {
		workbench := newWorkbench(shared, shared.overHTTP(want, page))
		remove, forget := shared.reloader.Add(workbench.reloaded), page.Watch(workbench.servers)
		return &httpserver.Host{Server: workbench.server, Close: func() {
			defer forget()
			remove()
			workbench.close(stopping, time.Now(), shared.current)
		}}
	}
	return httpserver.New(open, newSessionLimits(p.configuration), httpserver.Versions{WithoutModern: p.configuration.ToolMode == config.Dynamic})
}

func newSessionLimits(configuration *config.Configuration) httpserver.Limits {
	all := cmp.Or(configuration.HTTP.MaxSessions, maxSessions)
	return httpserver.Limits{
		Sessions: all, SessionsPerIdentity: cmp.Or(configuration.HTTP.MaxSessionsPerIdentity, max(maxSessionsOfOne, all/4)), MessageSize: configuration.Limits.MessageSize,
	}
}

// serveBesides serves one host on standard input and output until it is gone.
func (p *preparation) serveBesides(serving, stopping context.Context, shared *process) {
	workbench := newWorkbench(shared, shared.onStandardInput(p.people))
	defer shared.reloader.Add(workbench.reloaded)()
	output := mcpserver.Output{Writer: os.Stdout, Attempt: jsonrpc.NonblockingWrite(os.Stdout)}
	ended, err := workbench.server.Serve(serving, os.Stdin, output)
	if err != nil {
		p.log.Warn("the host on standard input is gone", "error", err)
	}
	workbench.close(stopping, ended, shared.current)
}
