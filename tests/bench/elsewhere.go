package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"mcp-workbench/tests/bench/wire"
)

// elsewhereExperiments are about a server that is reached by HTTP. What it is
// compared with posts each line with the standard library's client: that is a plain
// client in the host, and one hop.
func elsewhereExperiments() []experiment {
	var list []experiment
	for _, single := range []bool{false, true} {
		name := "one call over HTTP, 100 B"
		if single {
			name += ", one CPU"
		}
		list = append(list, experiment{
			figures: []figure{{name: name, unit: duration, against: relay, bounds: bounds{goal: 1.15}}},
			rows:    between,
			oneCPU:  single,
			run:     small.elsewhere,
		})
	}
	return list
}

// elsewhere is the time of inSequence for a server that listens at a URL.
func (p payload) elsewhere(ctx context.Context, l *lab, r row) ([]float64, error) {
	server, url, err := l.listen(ctx)
	if err != nil {
		return nil, err
	}
	defer server.abandon()
	w, err := l.reach(ctx, r, url)
	if err != nil {
		return nil, err
	}
	return p.inSequence(l, w)
}

// listen starts a server that listens at a URL.
func (l *lab) listen(ctx context.Context) (server *process, url string, err error) {
	server, err = start(ctx, l.stderr, append(l.serverCommand(oneServer), "-listen"))
	if err != nil {
		return nil, "", err
	}
	line, err := wire.NewLines(server.stdout).Next()
	if err != nil {
		server.abandon()
		return nil, "", fmt.Errorf("the server does not say where it listens: %w", err)
	}
	return server, string(line), nil
}

// reach connects to that server on a row.
func (l *lab) reach(ctx context.Context, r row, url string) (route, error) {
	argv := []string{l.relay, "-post", url}
	if r == workbench {
		path := filepath.Join(l.dir, "elsewhere.json")
		text := fmt.Sprintf(`{"toolboxes":{%q:{"mcpServers":{%q:{"url":%q}}}}}`, toolboxName, serverName(1), url)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return route{}, err
		}
		argv = []string{l.workbench, "--config", path}
	}
	s, err := dial(ctx, l.stderr, argv)
	w := route{session: s, through: r == workbench}
	if err == nil && w.through {
		if _, err = w.openToolbox(oneServer); err != nil {
			w.abandon()
		}
	}
	return w, err
}
