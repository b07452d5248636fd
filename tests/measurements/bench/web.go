package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"mcp-workbench/tests/measurements/bench/wire"
)

// listening comes before the URL in the output of a workbench that listens.
const listening = "listening on "

// web is a host of a workbench that listens.
type web struct {
	*process
	url     string
	client  *http.Client
	session string
}

// serveMany starts a workbench over HTTP for many hosts, which share the server of its toolbox.
func (l *lab) serveMany(ctx context.Context) (*web, error) {
	if runtime.GOOS == "windows" { // Windows has no signal that ends a program that listens
		return nil, errors.ErrUnsupported
	}
	argv := l.serverCommand(sharedBox)
	path, err := l.write("served", map[string]any{
		"http": map[string]any{"maxSessions": 32 * maxHosts}, "toolboxes": map[string]any{toolboxName: map[string]any{
			"description": "Servers of the benchmark", "mcpServers": map[string]any{
				serverName(1): map[string]any{"command": argv[0], "args": argv[1:], "shared": true},
			},
		}},
	})
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p, err := start(ctx, write, []string{l.workbench, "serve", "--config", path, "--http", "127.0.0.1:0"})
	write.Close()
	if err != nil {
		read.Close()
		return nil, err
	}
	lines := bufio.NewReader(read)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			p.abandon()
			read.Close()
			return nil, errors.New("the workbench ended without listening")
		}
		if _, address, found := strings.Cut(line, listening); found {
			go func() {
				_, _ = io.Copy(l.stderr, lines) // until it ends
				read.Close()
			}()
			url, _, _ := strings.Cut(strings.TrimSpace(address), ";")
			return &web{process: p, url: url, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: maxHosts}}}, nil
		}
	}
}

// measure calls a function, and ends the workbench in any case.
func (w *web) measure(do func() ([]float64, error)) ([]float64, error) {
	values, err := do()
	w.client.CloseIdleConnections()
	err = errors.Join(err, w.cmd.Process.Signal(syscall.SIGTERM)) // it does not end at the end of its input
	if err != nil {
		w.abandon()
		return nil, err
	}
	return values, w.stop()
}

// shakeHands makes the handshake of a session.
func (w *web) shakeHands() (session string, err error) {
	response, err := w.post("", newRequest("initialize", handshake).line)
	if err != nil {
		return "", err
	}
	session = response.Header.Get("Mcp-Session-Id")
	if _, err := read(response); err != nil {
		return "", fmt.Errorf("initialize: %w", err)
	}
	response, err = w.post(session, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	if err == nil {
		response.Body.Close()
	}
	return session, err
}

// open begins the session for the calls, and opens the toolbox.
func (w *web) open() (err error) {
	if w.session, err = w.shakeHands(); err != nil {
		return err
	}
	return w.openIn(w.session)
}

// openIn opens the toolbox in a session.
func (w *web) openIn(session string) error {
	response, err := w.post(session, newRequest("tools/call", fmt.Sprintf(
		`{"name":"open_toolbox","arguments":{"toolbox":"%s"}}`, toolboxName)).line)
	if err != nil {
		return err
	}
	body, err := read(response)
	if err == nil && !bytes.Contains(body, []byte(`\"servers_connected\":1,`)) {
		err = fmt.Errorf("open_toolbox: %s", clip(body))
	}
	return err
}

// post makes a request of a session.
func (w *web) post(session string, body []byte) (*http.Response, error) {
	request, err := http.NewRequest(http.MethodPost, w.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	w.head(request, session)
	return w.client.Do(request)
}

// head sets the headers of every request of a session.
func (w *web) head(request *http.Request, session string) {
	request.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		request.Header.Set("Mcp-Session-Id", session)
		request.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	}
}

// read returns the body of an answer.
func read(response *http.Response) ([]byte, error) {
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, clip(body))
	}
	return body, err
}

// call makes a call and checks its answer.
func (w *web) call(c toolCall) error {
	response, err := w.post(w.session, c.line)
	if err != nil {
		return err
	}
	body, err := read(response)
	if err != nil {
		return err
	}
	return c.verify(body, true)
}

// maxHosts is the largest number of simultaneous hosts.
const maxHosts = 1000

// oneByOne returns the median time of a call when each follows the previous answer.
func (w *web) oneByOne(p pace) (float64, error) {
	c := route{through: true}.echo(wire.Text(small))
	var times []float64
	for begun := time.Now(); len(times) < p.minCalls || time.Since(begun) < p.measure; {
		called := time.Now()
		if err := w.call(c); err != nil {
			return 0, err
		}
		times = append(times, float64(time.Since(called)))
	}
	return median(times), nil
}

// idleHosts connects many hosts, each with the stream for
// notifications, and returns the additional memory for each.
func idleHosts(ctx context.Context, l *lab, _ row) ([]float64, error) {
	w, err := l.serveMany(ctx)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		ctx, cut := context.WithCancel(ctx)
		defer cut()
		if err := w.joinIdle(ctx); err != nil { // excludes the shared cost of the first one
			return nil, err
		}
		before, _, err := memory(w.pid())
		if err != nil {
			return nil, err
		}
		for range l.hosts {
			if err := w.joinIdle(ctx); err != nil {
				return nil, err
			}
		}
		time.Sleep(l.settle)
		now, _, err := memory(w.pid())
		return []float64{(now - before) / 1024 / float64(l.hosts)}, err
	})
}

// joinIdle connects one more host, which listens until the context ends.
func (w *web) joinIdle(ctx context.Context) error {
	session, err := w.shakeHands()
	if err != nil {
		return err
	}
	stream, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url, nil)
	if err != nil {
		return err
	}
	w.head(stream, session)
	listening, err := w.client.Do(stream)
	if err == nil && listening.StatusCode != http.StatusOK {
		listening.Body.Close()
		err = fmt.Errorf("listen: %s", listening.Status)
	}
	return err
}
