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
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"mcp-workbench/tests/measurements/bench/wire"
)

// web is a host on one of the rows that use only HTTP.
type web struct {
	front   *process // the process that the host calls
	behind  *process // the server, nil if the host calls it
	url     string
	client  *http.Client
	session string
	row     row
}

// listen starts a program that listens and returns its URL.
func (l *lab) listen(ctx context.Context, argv ...string) (*process, string, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, "", err
	}
	p, err := start(ctx, write, argv)
	write.Close()
	if err != nil {
		read.Close()
		return nil, "", err
	}
	lines := bufio.NewReader(read)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			p.abandon()
			read.Close()
			return nil, "", fmt.Errorf("%s ended without listening", argv[0])
		}
		if _, address, found := strings.Cut(line, wire.Listening); found {
			go func() {
				_, _ = io.Copy(l.stderr, lines) // until it ends
				read.Close()
			}()
			url, _, _ := strings.Cut(strings.TrimSpace(address), ";")
			return p, url, nil
		}
	}
}

// reach starts the programs of a row. There is no session yet.
func (l *lab) reach(ctx context.Context, r row) (*web, error) {
	if runtime.GOOS == "windows" { // Windows has no signal that ends a program that listens
		return nil, errors.ErrUnsupported
	}
	server, url, err := l.listen(ctx, l.server, "-http")
	if err != nil {
		return nil, err
	}
	w := &web{front: server, url: url, row: r, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1024}}}
	switch r {
	case relay:
		w.behind = server
		w.front, w.url, err = l.listen(ctx, l.relay, "-to", url)
	case workbench:
		w.behind = server
		w.front, w.url, err = l.serve(ctx, map[string]any{"url": url, "transport": "http"})
	}
	if err != nil {
		server.abandon()
		return nil, err
	}
	return w, nil
}

// measure calls a function, and ends the programs in any case.
func (w *web) measure(do func() ([]float64, error)) ([]float64, error) {
	values, err := do()
	return values, w.end(err)
}

// end ends the programs, and returns err joined with the errors of ending them.
func (w *web) end(err error) error {
	w.client.CloseIdleConnections()
	if w.row == workbench {
		err = errors.Join(err, w.front.cmd.Process.Signal(syscall.SIGTERM)) // it does not end at the end of its input
	}
	if err != nil {
		w.front.abandon()
	} else {
		err = w.front.stop()
	}
	if w.behind != nil {
		err = errors.Join(err, w.behind.stop())
	}
	return err
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

// open begins the session for the calls, and opens the toolbox if there is one.
func (w *web) open() (err error) {
	if w.session, err = w.shakeHands(); err != nil || w.row != workbench {
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

// httpExperiments are about hosts and servers over HTTP. The relay is a
// reverse proxy.
func httpExperiments() []experiment {
	return []experiment{
		{
			figures: []figure{{name: "over HTTP, one call", unit: duration, against: relay}},
			rows:    everyRow,
			run: func(ctx context.Context, l *lab, r row) ([]float64, error) {
				return throughHTTP(ctx, l, r, func(w *web) (float64, error) { return w.oneByOne(l.pace) })
			},
		},
		{
			figures: []figure{{name: "over HTTP, 64 in flight, calls", unit: rate, against: relay}},
			rows:    everyRow,
			run: func(ctx context.Context, l *lab, r row) ([]float64, error) {
				return throughHTTP(ctx, l, r, func(w *web) (float64, error) { return w.inFlight(l.pace, 64) })
			},
		},
		{
			figures: []figure{{name: "memory, each idle host over HTTP", unit: kibibyte, against: none}},
			rows:    alone,
			share:   half,
			run:     idleHosts,
		},
	}
}

// throughHTTP starts the programs of a row, and measures them after a first time, which is the slowest.
func throughHTTP(ctx context.Context, l *lab, r row, do func(*web) (float64, error)) ([]float64, error) {
	w, err := l.reach(ctx, r)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		if err := w.open(); err != nil {
			return nil, err
		}
		if _, err := do(w); err != nil {
			return nil, err
		}
		value, err := do(w)
		return []float64{value}, err
	})
}

// oneByOne returns the median time of a call when each follows the previous answer.
func (w *web) oneByOne(p pace) (float64, error) {
	c := w.echo()
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

// echo returns the call of a row.
func (w *web) echo() toolCall { return route{through: w.row == workbench}.echo(wire.Text(small)) }

// inFlight keeps a number of small calls under way and returns calls per second.
func (w *web) inFlight(p pace, width int) (float64, error) {
	begin := time.Now()
	calls, err := w.flight(width, p.measure)
	return float64(calls) / time.Since(begin).Seconds(), err
}

// flight keeps width calls under way for a while and returns how many were answered.
func (w *web) flight(width int, length time.Duration) (int64, error) {
	var calls atomic.Int64
	failures := make([]error, width)
	until := time.Now().Add(length)
	var lanes sync.WaitGroup
	for lane := range width {
		lanes.Go(func() {
			c := w.echo()
			for id := firstID + int64(lane); failures[lane] == nil && time.Now().Before(until); id += int64(width) {
				c.number(id)
				failures[lane] = w.call(c)
				calls.Add(1)
			}
		})
	}
	lanes.Wait()
	return calls.Load(), errors.Join(failures...)
}

// idleHosts connects many hosts, each with the stream for
// notifications, and returns the additional memory for each.
func idleHosts(ctx context.Context, l *lab, r row) ([]float64, error) {
	w, err := l.reach(ctx, r)
	if err != nil {
		return nil, err
	}
	return w.measure(func() ([]float64, error) {
		ctx, cut := context.WithCancel(ctx)
		defer cut()
		if err := w.joinIdle(ctx); err != nil { // excludes the shared cost of the first one
			return nil, err
		}
		before, _, err := memory(w.front.pid())
		if err != nil {
			return nil, err
		}
		for range l.hosts {
			if err := w.joinIdle(ctx); err != nil {
				return nil, err
			}
		}
		time.Sleep(l.settle)
		now, _, err := memory(w.front.pid())
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
