package httpserver_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/mcpserver/httpserver"
	"mcp-workbench/adapters/mcpserver/httpserver/access"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

// testHandler is a handler whose workbenches the spec plays. It works in one bubble only.
type testHandler struct {
	*httpserver.Handler
	versions httpserver.Versions
	limits   httpserver.Limits
	// inputReply is the longest time a host of 2026-07-28 may take to answer.
	inputReply time.Duration

	mu     sync.Mutex
	hosts  []*playedHost
	closed int
}

// playedHost is a workbench that was made for a host.
type playedHost struct {
	want httpserver.Want
	host *host.Host
	calls
}

// calls are the calls that arrived, which the spec answers.
type calls struct {
	mu    sync.Mutex
	calls []*call
	heard []string
}

// call is one of them.
type call struct {
	ports.ToolCall
	ctx   context.Context //nolint:containedctx // specs check it
	tool  domain.ToolIdentifier
	reply ports.Reply
}

func newTestHandler() *testHandler {
	return &testHandler{limits: httpserver.Limits{Sessions: 4, SessionsPerIdentity: 2, MessageSize: 1 << 20}, inputReply: time.Minute}
}

// open makes the handler.
func (d *testHandler) open() *testHandler {
	d.Handler = httpserver.New(d.makeHost, d.limits, d.versions)
	return d
}

func (d *testHandler) makeHost(want httpserver.Want) *httpserver.Host {
	log := slog.New(slog.DiscardHandler)
	calls := &playedHost{want: want, host: host.New(log)}
	settings := func() definitions.Settings { return definitions.Settings{} }
	limits := mcpserver.Limits{MessageSize: 1 << 20, InFlight: 100, InputReply: d.inputReply}
	program := mcpserver.NewProgram("1.2.3", noToolboxes{}, settings, limits, log)
	useCases := mcpserver.UseCases{Opener: calls, User: calls, Resources: calls, Tasks: calls, Announcer: calls, Starter: calls, Shown: calls}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hosts = append(d.hosts, calls)
	return &httpserver.Host{Server: mcpserver.New(program, useCases, nil, mcpserver.Extensions{}, calls.host), Close: func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.closed++
	}}
}

// host returns the workbench that was made last.
func (d *testHandler) host() *playedHost {
	GinkgoHelper()
	d.mu.Lock()
	defer d.mu.Unlock()
	Expect(d.hosts).NotTo(BeEmpty())
	return d.hosts[len(d.hosts)-1]
}

func (d *testHandler) calls() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.hosts)
}

func (d *testHandler) ended() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closed
}

func (c *calls) UseTool(ctx context.Context, tool domain.ToolIdentifier, given ports.ToolCall, reply ports.Reply) {
	given.Arguments = append(json.RawMessage(nil), given.Arguments...)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, &call{ToolCall: given, ctx: ctx, tool: tool, reply: reply})
}

// last returns the call that came last.
func (c *calls) last() *call {
	GinkgoHelper()
	c.mu.Lock()
	defer c.mu.Unlock()
	Expect(c.calls).NotTo(BeEmpty())
	return c.calls[len(c.calls)-1]
}

func (c *calls) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.calls)
}

// answer answers a call with a raw result.
func (c *call) answer(result string) {
	c.reply(ports.Answer{Result: json.RawMessage(result)}, nil)
	synctest.Wait()
}

// says passes progress on.
func (c *call) says(number string) {
	c.begin(number)
	synctest.Wait()
}

// begin is says that does not wait for what comes of it.
func (c *call) begin(number string) {
	c.Progress(ports.Progress{Before: json.RawMessage(`{"progress":` + number + `,"progressToken":`), After: json.RawMessage("}")})
}

func (*calls) OpenToolbox(context.Context, domain.ToolboxName) (domain.OpenedToolbox, error) {
	return domain.OpenedToolbox{}, &domain.ToolboxNotFoundError{Toolbox: "dev"}
}

func (*calls) ListResources(context.Context, domain.ResourceKind) ([]domain.Resource, error) {
	return nil, nil
}

func (*calls) RequestResource(_ context.Context, _ string, _ ports.ResourceRequest, _ domain.ServerID, reply ports.ServerReply) {
	reply(domain.ServerID{}, ports.Answer{Result: json.RawMessage("{}")}, nil)
}

func (*calls) RequestTask(_ context.Context, _ string, _ ports.TaskRequest, reply ports.ServerReply) {
	reply(domain.ServerID{}, ports.Answer{}, domain.ErrTaskNotFound)
}

func (c *calls) AnnounceRootsChanged() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = append(c.heard, "roots")
}

func (c *calls) announced() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.heard...)
}

func (*calls) SetLogLevel(string) {}

func (*calls) RecordShown(domain.ServerID, []domain.ToolInfo) {}

func (*calls) StartServers() {}

type noToolboxes struct{}

func (noToolboxes) BuildInstructions() domain.Instructions { return domain.Instructions{} }

// response is the answer to one HTTP request, while it arrives.
type response struct {
	cut, drop context.CancelFunc // drop does not wait for what comes of it

	mu     sync.Mutex
	header http.Header
	sent   http.Header // as they were when the status was
	status int         // 0 before
	body   strings.Builder
	over   bool
}

// Header implements http.ResponseWriter.
func (r *response) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *response) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status == 0 {
		r.status, r.sent = status, maps.Clone(r.header)
	}
}

// Write implements http.ResponseWriter.
func (r *response) Write(data []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.body.Write(data)
}

// Flush implements http.Flusher.
func (*response) Flush() {}

// text returns the body as far as it came.
func (r *response) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.body.String()
}

// isOver reports whether the response is complete.
func (r *response) isOver() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over
}

// code returns the status, 0 when there is none yet.
func (r *response) code() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// begin makes a request as a caller, and returns when nothing more happens at once.
func (d *testHandler) begin(caller access.Access, method string, headers map[string]string, body string) *response {
	return d.beginWith(caller, headers, httptest.NewRequest(method, "/mcp", strings.NewReader(body)))
}

// beginChunked makes a POST that does not say how long it is.
func (d *testHandler) beginChunked(caller access.Access, headers map[string]string, body string) *response {
	request := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
	request.ContentLength = -1
	return d.beginWith(caller, headers, request)
}

func (d *testHandler) beginWith(caller access.Access, headers map[string]string, request *http.Request) *response {
	r := d.startWith(caller, headers, request)
	synctest.Wait()
	return r
}

// start is begin that does not wait for anything.
func (d *testHandler) start(caller access.Access, method string, headers map[string]string, body string) *response {
	return d.startWith(caller, headers, httptest.NewRequest(method, "/mcp", strings.NewReader(body)))
}

func (d *testHandler) startWith(caller access.Access, headers map[string]string, request *http.Request) *response {
	ctx, cut := context.WithCancel(access.With(context.Background(), caller))
	request = request.WithContext(ctx)
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	r := &response{drop: cut, cut: func() { cut(); synctest.Wait() }, header: http.Header{}}
	go func() {
		d.ServeHTTP(r, request)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.over = true
		cut()
	}()
	return r
}
