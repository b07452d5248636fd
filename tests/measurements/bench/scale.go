package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

const (
	times   unit = "times"
	threads unit = "threads"
)

// crowds are the numbers of hosts that have opened a shared server.
var crowds = []int{10, 100, 1000}

// scaleExperiments are about many hosts, sessions, connections, toolboxes and servers in one workbench.
func scaleExperiments() []experiment {
	var opening []figure
	for _, crowd := range crowds {
		opening = append(opening,
			figure{name: fmt.Sprintf("scale, begin a session, up to %d hosts", crowd), unit: duration, against: none},
			figure{name: fmt.Sprintf("scale, open a shared server, up to %d hosts", crowd), unit: duration, against: none},
			figure{name: fmt.Sprintf("scale, memory of each of %d hosts that opened it", crowd), unit: kibibyte, against: none},
		)
	}
	return []experiment{
		{figures: opening, rows: alone, share: once, run: openedHosts},
		{
			figures: []figure{{name: "over HTTP, 200 hosts open a shared server", unit: duration, against: direct}},
			rows:    []row{direct, workbench}, share: half, run: openTogether,
		},
		{
			figures: []figure{
				{name: "scale, begin a session beside 20,000, against beside 10", unit: times, against: none},
				{name: "scale, memory of each of 20,000 sessions", unit: kibibyte, against: none},
			},
			rows: alone, share: once, run: crowdedSessions,
		},
		{
			figures: []figure{{name: "memory, each idle host over HTTP", unit: kibibyte, against: none}},
			rows:    alone, share: half, run: idleHosts,
		},
		{
			figures: []figure{
				{name: "scale, memory of each of 10,000 idle connections", unit: kibibyte, against: none},
				{name: "scale, one call beside them", unit: duration, against: none},
			},
			rows: alone, share: once, run: idleConnections,
		},
		{
			figures: []figure{
				{name: "scale, 1,000 servers in 200 toolboxes, spawn to initialize answered", unit: duration, against: none},
				{name: "scale, memory of them", unit: mebibyte, against: none},
				{name: "scale, bytes before the first call of them", unit: size, against: none},
			},
			rows: alone, share: once, run: manyToolboxes,
		},
		{
			figures: []figure{
				{name: "scale, open 100 servers of 20 tools", unit: duration, against: none},
				{name: "scale, memory with them", unit: mebibyte, against: none},
				{name: "scale, threads for each of them", unit: threads, against: none},
			},
			rows: alone, share: once, run: manyServers,
		},
	}
}

// openedHosts connects hosts one after the other, each of which opens the same shared server, and returns for
// each crowd the times of a handshake and of an opening, and the additional memory for each host.
func openedHosts(ctx context.Context, l *lab, _ row) ([]float64, error) {
	w, err := l.serveMany(ctx)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		if _, _, err := w.openTimed(); err != nil { // excludes the shared cost of the first one
			return nil, err
		}
		before, _, err := memory(w.pid())
		if err != nil {
			return nil, err
		}
		var values, begins, opens []float64
		for _, crowd := range crowds {
			for len(begins) < min(crowd, l.hosts) {
				begun, opened, err := w.openTimed()
				if err != nil {
					return nil, err
				}
				begins, opens = append(begins, begun), append(opens, opened)
			}
			time.Sleep(l.settle)
			now, _, err := memory(w.pid())
			if err != nil {
				return nil, err
			}
			values = append(values, median(begins), median(opens), (now-before)/1024/float64(len(begins)))
		}
		return values, nil
	})
}

// openTimed connects a host that opens the toolbox, and returns how long each took.
func (w *web) openTimed() (begun, opened float64, err error) {
	begin := time.Now()
	session, err := w.shakeHands()
	if err != nil {
		return 0, 0, err
	}
	connected := time.Now()
	err = w.openIn(session)
	return float64(connected.Sub(begin)), float64(time.Since(connected)), err
}

// crowdedSessions returns how much longer a handshake takes beside a crowd than beside few sessions, and the
// additional memory for each session of the crowd.
func crowdedSessions(ctx context.Context, l *lab, _ row) ([]float64, error) {
	w, err := l.serveMany(ctx)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		beside := func(sessions int) (float64, error) {
			var all []float64
			for range sessions {
				begin := time.Now()
				if _, err := w.shakeHands(); err != nil {
					return 0, err
				}
				all = append(all, float64(time.Since(begin)))
			}
			return median(all[max(0, sessions-200):]), nil
		}
		if _, err := beside(10); err != nil {
			return nil, err
		}
		before, _, err := memory(w.pid())
		if err != nil {
			return nil, err
		}
		few, err := beside(200)
		if err != nil {
			return nil, err
		}
		crowd, err := beside(20 * l.hosts)
		if err != nil {
			return nil, err
		}
		now, _, err := memory(w.pid())
		return []float64{crowd / few, (now - before) / 1024 / float64(20*l.hosts)}, err
	})
}

// idleConnections opens connections without requests, and returns the additional memory for each, and how long
// a call takes beside them.
func idleConnections(ctx context.Context, l *lab, _ row) ([]float64, error) {
	w, err := l.serveMany(ctx)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		if err := w.open(); err != nil {
			return nil, err
		}
		before, _, err := memory(w.pid())
		if err != nil {
			return nil, err
		}
		address := strings.TrimSuffix(strings.TrimPrefix(w.url, "http://"), "/mcp")
		count := 10 * l.hosts
		for range count {
			connection, err := net.Dial("tcp", address)
			if err != nil {
				return nil, err
			}
			defer connection.Close()
		}
		answered, err := w.oneByOne(l.pace)
		if err != nil {
			return nil, err
		}
		now, _, err := memory(w.pid())
		return []float64{(now - before) / 1024 / float64(count), answered}, err
	})
}

// manyToolboxes starts a workbench with 1,000 servers in 200 toolboxes and returns how long that takes, its
// memory, and the size of the text about them that a model reads before its first call.
func manyToolboxes(ctx context.Context, l *lab, _ row) ([]float64, error) {
	path, err := l.manyConfiguration()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	s, err := dial(ctx, l.stderr, []string{l.workbench, "--config", path})
	if err != nil {
		return nil, err
	}
	spawned := time.Since(begin)
	w := route{session: s, through: true}
	return w.measure(func() ([]float64, error) {
		hello, err := w.call(newRequest("initialize", handshake))
		if err != nil {
			return nil, err
		}
		list, err := w.listTools(2)
		if err != nil {
			return nil, err
		}
		now, _, err := memory(w.pid())
		return []float64{float64(spawned), now / mib, float64(len(hello) + len(list))}, err
	})
}

// manyConfiguration writes the configuration with 1,000 servers in 200 toolboxes.
func (l *lab) manyConfiguration() (string, error) {
	argv := l.serverCommand(oneServer)
	toolboxes := map[string]any{}
	for box := range 200 {
		servers := map[string]any{}
		for i := range 5 {
			servers[serverName(i+1)] = map[string]any{"command": argv[0], "args": argv[1:]}
		}
		toolboxes[fmt.Sprintf("toolbox-%03d", box)] = map[string]any{
			"description": fmt.Sprintf("Servers of the benchmark for the work of group %d: its files, tickets and pages", box), "mcpServers": servers,
		}
	}
	return l.write("many", map[string]any{"toolboxes": toolboxes})
}

// manyServers opens a toolbox with 100 servers and returns how long that takes, the memory of the workbench then,
// and its number of threads for each server.
func manyServers(ctx context.Context, l *lab, r row) ([]float64, error) {
	dev := toolbox{servers: 100, tools: 20}
	w, err := l.dial(ctx, r, dev)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		before, err := countThreads(w.pid())
		if err != nil {
			return nil, err
		}
		begin := time.Now()
		if _, err := w.openToolbox(dev); err != nil {
			return nil, err
		}
		opened := time.Since(begin)
		after, err := countThreads(w.pid())
		if err != nil {
			return nil, err
		}
		now, _, err := memory(w.pid())
		return []float64{float64(opened), now / mib, float64(after-before) / float64(dev.servers)}, err
	})
}

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
