package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// processes is the unit of numbers of processes.
const processes unit = "processes"

// sharedBox is the toolbox that all hosts of one workbench open.
var sharedBox = toolbox{servers: 1, tools: 20}

// sharingExperiments are about hosts that open the same toolbox simultaneously. Directly each of them
// starts the server itself.
func sharingExperiments() []experiment {
	const many, some = 200, 50
	return []experiment{
		{
			figures: []figure{
				{name: "over HTTP, 200 hosts open a shared server", unit: duration, against: direct, bounds: bounds{goal: 1}},
				{name: "processes of a server that 200 hosts share", unit: processes, against: none, bounds: bounds{required: 1}},
			},
			rows:  []row{direct, workbench},
			share: half,
			run: func(ctx context.Context, l *lab, r row) ([]float64, error) {
				if r == workbench {
					return openTogether(ctx, l, many, true)
				}
				times, err := toolbox{servers: many, tools: sharedBox.tools}.openDirect(ctx, l, r)
				return append(times, many), err
			},
		},
		{
			figures: []figure{
				{name: "over HTTP, 50 hosts open a server each", unit: duration, against: none},
				{name: "processes of a server that 50 hosts have each", unit: processes, against: none},
			},
			rows:  []row{workbench},
			share: half,
			run: func(ctx context.Context, l *lab, _ row) ([]float64, error) {
				return openTogether(ctx, l, some, false)
			},
		},
	}
}

// openTogether makes hosts connect and open the toolbox simultaneously. It returns how long that takes,
// and how many processes of the server there are then.
func openTogether(ctx context.Context, l *lab, hosts int, shared bool) ([]float64, error) {
	w, err := l.serveMany(ctx, shared)
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
		elapsed := time.Since(begin)
		count, err := children(w.front.pid(), l.server)
		return []float64{float64(elapsed), float64(count)}, errors.Join(append(failures, err)...)
	})
}

// serveMany starts a workbench over HTTP for many hosts, which share the server of its toolbox or have one each.
func (l *lab) serveMany(ctx context.Context, shared bool) (*web, error) {
	if runtime.GOOS == "windows" { // Windows has no signal that ends a program that listens
		return nil, errors.ErrUnsupported
	}
	path, err := l.sharedConfiguration(shared)
	if err != nil {
		return nil, err
	}
	front, url, err := l.listen(ctx, l.workbench, "serve", "--config", path, "--http", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &web{front: front, url: url, row: workbench, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: maxHosts}}}, nil
}

// sharedConfiguration writes the workbench's configuration with one server, for any number of
// hosts.
func (l *lab) sharedConfiguration(shared bool) (path string, err error) {
	argv := l.serverCommand(sharedBox)
	text, err := json.Marshal(map[string]any{"http": map[string]any{"maxSessions": 32 * maxHosts}, "toolboxes": map[string]any{toolboxName: map[string]any{
		"description": "Servers of the benchmark",
		"mcpServers":  map[string]any{serverName(1): map[string]any{"command": argv[0], "args": argv[1:], "shared": shared}},
	}}})
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(l.dir, "shared-")
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, "c.json")
	return path, os.WriteFile(path, text, 0o600)
}
