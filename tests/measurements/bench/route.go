package main

import (
	"bytes"
	"context"
	"fmt"
)

// row is a way from the host to a server.
type row int

const (
	direct    row = iota // the host starts the server itself
	relay                // with one process between them that copies bytes
	workbench            // with the workbench between them
	again                // direct once more: its distance from direct is noise
	none      row = -1   // for figures without a comparison
)

// The rows that take part in an experiment: most have all of them, some need what a host can do itself, or what is
// between a host and a server.
var (
	everyRow     = []row{direct, relay, workbench, again}
	withoutRelay = []row{direct, workbench, again}
	between      = []row{relay, workbench}
	alone        = []row{workbench}
)

func (r row) String() string {
	switch r {
	case direct:
		return "direct"
	case relay:
		return "relay"
	case workbench:
		return "workbench"
	case again:
		return "direct again"
	default:
		return "-"
	}
}

// route is a session on one of the rows.
type route struct {
	*session
	through bool // the calls go through the workbench
}

// dial starts the process under test of a row and waits for the answer of `initialize`. The
// workbench has opened no toolbox then.
func (l *lab) dial(ctx context.Context, r row, dev toolbox) (route, error) {
	argv := l.serverCommand(dev)
	switch r {
	case relay:
		argv = append([]string{l.relay}, argv...)
	case workbench:
		path, err := l.configuration(dev)
		if err != nil {
			return route{}, err
		}
		argv = []string{l.workbench, "--config", path}
	}
	s, err := dial(ctx, l.stderr, argv)
	return route{session: s, through: r == workbench}, err
}

// connect dials and, on the workbench's row, opens the toolbox, so that tools can be
// called.
func (l *lab) connect(ctx context.Context, r row, dev toolbox) (route, error) {
	w, err := l.dial(ctx, r, dev)
	if err == nil && w.through {
		if _, err = w.openToolbox(dev); err != nil {
			w.abandon()
		}
	}
	return w, err
}

// measure calls a function with the session, and ends the session in any case.
func (w route) measure(do func() ([]float64, error)) ([]float64, error) {
	values, err := do()
	if err != nil {
		w.abandon()
		return nil, err
	}
	return values, w.close()
}

// openToolbox opens the toolbox through the workbench and returns the answer if
// all of its servers and tools are in it.
func (w route) openToolbox(dev toolbox) ([]byte, error) { return w.openWith(dev, dev.servers) }

// openWith does the same when that many of its servers are running.
func (w route) openWith(dev toolbox, servers int) ([]byte, error) {
	line, err := w.call(newRequest("tools/call", fmt.Sprintf(
		`{"name":"open_toolbox","arguments":{"toolbox":"%s"}}`, toolboxName)))
	if err != nil {
		return nil, err
	}
	connected := fmt.Sprintf(`\"servers_connected\":%d,`, servers)
	tools := bytes.Count(line, fmt.Appendf(nil, `\"toolbox\":\"%s\"`, toolboxName)) - 1 // once for the toolbox itself
	if !bytes.Contains(line, []byte(connected)) || tools != dev.servers*dev.tools {
		return nil, fmt.Errorf("open_toolbox shows %d tools instead of %d: %s", tools, dev.servers*dev.tools, clip(line))
	}
	return line, nil
}

// listTools asks for the tools of the process under test.
func (w route) listTools(want int) ([]byte, error) {
	line, err := w.call(newRequest("tools/list", "{}"))
	if err != nil {
		return nil, err
	}
	if got := bytes.Count(line, []byte(`"inputSchema"`)); got != want {
		return nil, fmt.Errorf("tools/list shows %d tools instead of %d: %s", got, want, clip(line))
	}
	return line, nil
}

// echo returns the call that sends a text there and back: to the tool of the first server through
// the workbench, otherwise to that of the server at the end of the session.
func (w route) echo(text []byte) toolCall {
	arguments := fmt.Sprintf(`{"text":"%s"}`, text)
	params := fmt.Sprintf(`{"name":"echo","arguments":%s}`, arguments)
	if w.through {
		params = fmt.Sprintf(`{"name":"use_tool","arguments":`+
			`{"tool":{"toolbox":"%s","server":"%s","tool":"echo"},"arguments":%s}}`, toolboxName, serverName(1), arguments)
	}
	return toolCall{request: newRequest("tools/call", params), text: text}
}
