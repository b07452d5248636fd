package sharing_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/gomega"

	"mcp-workbench/application/sharing"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// fakeHost records what it receives.
type fakeHost struct {
	reads chan struct{} // the host reads once this is closed, nil for at once

	mu       sync.Mutex // guards the fields below
	heard    []string
	starting []string
}

func (h *fakeHost) Capabilities() json.RawMessage {
	return json.RawMessage(`{"roots":{},"sampling":{}}`)
}

func (h *fakeHost) Notify(_ domain.ServerID, notification ports.Notification) {
	h.wait()
	h.note(notification.Kind.String() + " " + string(notification.Params))
}

func (h *fakeHost) Request(_ context.Context, _ domain.ServerID, request ports.Message, reply ports.Reply) {
	h.note("asked " + request.Method)
	reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
}

func (h *fakeHost) Starting(start ports.Start) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.starting = append(h.starting, start.Installing)
}

func (h *fakeHost) wait() {
	if h.reads != nil {
		<-h.reads
	}
}

func (h *fakeHost) note(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heard = append(h.heard, what)
}

// hears returns what the host has received once all deliveries are done.
func (h *fakeHost) hears() []string {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.heard)
}

// reply records the outcome of a request.
func (h *fakeHost) reply(answer ports.Answer, err error) {
	h.wait()
	switch {
	case err != nil:
		h.note("failed: " + err.Error())
	case answer.Error != nil:
		h.note("error " + string(answer.Error))
	default:
		h.note("got " + string(answer.Result))
	}
}

// progress records progress.
func (h *fakeHost) progress(p ports.Progress) {
	h.wait()
	h.note("progress " + string(p.Before))
}

// world has hosts that share a server.
type world struct {
	*fakeConnector
	t      *testing.T
	shared *sharing.Connector
}

// guest is a host and its session.
type guest struct {
	host *fakeHost
	ports.Session
}

// hears returns what the host has received once all deliveries are done.
func (g guest) hears() []string { return g.host.hears() }

func newWorld(t *testing.T) *world {
	connector := &fakeConnector{}
	return &world{fakeConnector: connector, t: t, shared: sharing.NewConnector(connector, slog.New(slog.DiscardHandler))}
}

// inWorld returns a spec that runs in a bubble. It checks that nothing of the server is left once
// every host has left.
func inWorld(body func(w *world)) func() {
	return spec.InBubble(func(t *testing.T) {
		w := newWorld(t)
		body(w)
		synctest.Wait()
		for _, s := range w.sessions {
			s.lose("the spec is over")
		}
		_, live, _ := w.seen()
		Expect(live).To(BeZero(), "what is left")
	})
}

// joins connects one more host.
func (w *world) joins() guest {
	w.t.Helper()
	return w.joinsAs(&fakeHost{})
}

func (w *world) joinsAs(host *fakeHost) guest {
	w.t.Helper()
	session := spec.Must(w.shared.Connect(w.t.Context(), sharedServer("{}"), host, nil))
	return guest{host, session}
}

// leaves closes the session of a host.
func (g guest) leaves(t *testing.T) {
	Expect(g.Close(t.Context())).To(Succeed())
}

// calls makes a call that carries a mark.
func (g guest) calls(mark string) {
	g.CallTool(context.Background(), ports.ToolCall{Arguments: json.RawMessage(mark), Progress: g.host.progress}, g.host.reply)
}

// asks makes a request: about a resource, a task or nothing.
func (g guest) asks(method, params string) { g.asksUntil(context.Background(), method, params) }

// asksUntil makes a request that ends with a context.
func (g guest) asksUntil(ctx context.Context, method, params string) {
	asked := ports.Request{Message: ports.Message{Method: method, Params: json.RawMessage(params)}}
	var named struct{ TaskID string }
	if json.Unmarshal(asked.Params, &named) == nil {
		asked.Task = named.TaskID
	}
	switch method {
	case subscribe:
		g.Subscribe(ctx, asked, g.host.reply)
	case unsubscribe:
		g.Unsubscribe(ctx, asked, g.host.reply)
	case ping:
		g.Ping(ctx, time.Minute, func(err error) { g.host.reply(ports.Answer{Result: json.RawMessage("{}")}, err) })
	default:
		g.Request(ctx, asked, g.host.reply)
	}
}
