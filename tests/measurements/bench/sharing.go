package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"time"
)

// sharedBox is the toolbox that all hosts of one workbench open.
var sharedBox = toolbox{servers: 1, tools: 20}

// openTogether makes hosts connect and open the toolbox simultaneously, and returns how long that takes. Directly each
// of them starts the server itself.
func openTogether(ctx context.Context, l *lab, r row) ([]float64, error) {
	hosts := min(200, l.hosts)
	if r != workbench {
		return toolbox{servers: hosts, tools: sharedBox.tools}.openDirect(ctx, l, r)
	}
	w, err := l.serveMany(ctx)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		failures := make([]error, hosts)
		var wg sync.WaitGroup
		begin := time.Now()
		for i := range hosts {
			wg.Go(func() {
				session, err := w.shakeHands()
				if err == nil {
					err = w.openIn(session)
				}
				failures[i] = err
			})
		}
		wg.Wait()
		return []float64{float64(time.Since(begin))}, errors.Join(failures...)
	})
}

// serveMany starts a workbench over HTTP for many hosts, which share the server of its toolbox.
func (l *lab) serveMany(ctx context.Context) (*web, error) {
	argv := l.serverCommand(sharedBox)
	front, url, err := l.serve(ctx, map[string]any{"command": argv[0], "args": argv[1:], "shared": true})
	if err != nil {
		return nil, err
	}
	return &web{front: front, url: url, row: workbench, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: maxHosts}}}, nil
}

// serve starts a workbench over HTTP with one server, and returns its URL.
func (l *lab) serve(ctx context.Context, server map[string]any) (*process, string, error) {
	if runtime.GOOS == "windows" { // Windows has no signal that ends a program that listens
		return nil, "", errors.ErrUnsupported
	}
	path, err := l.write(fmt.Sprint("served-", server["shared"]), map[string]any{
		"http": map[string]any{"maxSessions": 32 * maxHosts}, "toolboxes": map[string]any{toolboxName: map[string]any{
			"description": "Servers of the benchmark", "mcpServers": map[string]any{serverName(1): server},
		}},
	})
	if err != nil {
		return nil, "", err
	}
	return l.listen(ctx, l.workbench, "serve", "--config", path, "--http", "127.0.0.1:0")
}
