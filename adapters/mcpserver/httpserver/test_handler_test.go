package httpserver_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/mcpserver/httpserver"
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

	// The servers of hosts exit when exiting is closed, or at once if it is nil.
	exiting chan struct{}

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
	limits := mcpserver.Settings{MessageSize: 1 << 20, InFlight: 100, InputReply: d.inputReply}
	program := mcpserver.NewProgram("1.2.3", noToolboxes{}, settings, limits, log)
	useCases := mcpserver.UseCases{Opener: calls, User: calls, Resources: calls, Tasks: calls, Announcer: calls, Starter: calls, Shown: calls}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hosts = append(d.hosts, calls)
	return &httpserver.Host{Server: mcpserver.New(program, useCases, nil, calls.host), Close: func() {
		if d.exiting != nil {
			<-d.exiting
		}
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
func (d *testHandler) begin(caller callers.Access, method string, headers map[string]string, body string) *response {
	return d.beginWith(caller, headers, httptest.NewRequest(method, "/mcp", strings.NewReader(body)))
}

// beginChunked makes a POST that does not say how long it is.
func (d *testHandler) beginChunked(caller callers.Access, headers map[string]string, body string) *response {
	request := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
	request.ContentLength = -1
	return d.beginWith(caller, headers, request)
}

func (d *testHandler) beginWith(caller callers.Access, headers map[string]string, request *http.Request) *response {
	r := d.startWith(caller, headers, request)
	synctest.Wait()
	return r
}

// start is begin that does not wait for anything.
func (d *testHandler) start(caller callers.Access, method string, headers map[string]string, body string) *response {
	return d.startWith(caller, headers, httptest.NewRequest(method, "/mcp", strings.NewReader(body)))
}

func (d *testHandler) startWith(caller callers.Access, headers map[string]string, request *http.Request) *response {
	ctx, cut := context.WithCancel(callers.WithAccess(context.Background(), caller))
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

// anonymous is the access of every caller without authentication.
var anonymous = callers.Access{}

// olderHost is a host with a handshake.
type olderHost struct {
	handler *testHandler
	caller  callers.Access
	session string
}

// request returns a raw request.
func request(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`
}

func initialize(version, capabilities string) string {
	return request("1", "initialize", `{"protocolVersion":"`+version+`","capabilities":`+capabilities+`,"clientInfo":{"name":"spec","version":"1"}}`)
}

// connect makes the handshake of 2025-11-25.
func (d *testHandler) connect(caller callers.Access) *olderHost {
	r := d.begin(caller, "POST", nil, initialize("2025-11-25", `{"elicitation":{}}`))
	Expect(r.code()).To(Equal(200), r.text())
	return &olderHost{handler: d, caller: caller, session: r.sent.Get("Mcp-Session-Id")}
}

func (h *olderHost) headers() map[string]string {
	return map[string]string{"Mcp-Session-Id": h.session, "Mcp-Protocol-Version": "2025-11-25"}
}

func (h *olderHost) post(body string) *response {
	return h.handler.begin(h.caller, "POST", h.headers(), body)
}

func (h *olderHost) get() *response { return h.handler.begin(h.caller, "GET", h.headers(), "") }

// resume asks for what came after an event.
func (h *olderHost) resume(event string) *response {
	headers := h.headers()
	headers["Last-Event-ID"] = event
	return h.handler.begin(h.caller, "GET", headers, "")
}

// use begins a call with progress.
func (h *olderHost) use(id string) *response { return h.post(request(id, "tools/call", using(""))) }

// using returns the params of a call, with further raw members of _meta.
func using(meta string) string {
	return `{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"files","tool":"read"}},"_meta":{"progressToken":"p"` + meta + `}}`
}

// modernMeta returns the members that every message of 2026-07-28 carries.
func modernMeta(client, capabilities string) string {
	return `,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + capabilities +
		`,"io.modelcontextprotocol/clientInfo":{"name":"` + client + `","version":"1"}`
}

// modernHeaders are those of a message of 2026-07-28.
func modernHeaders(method, name string) map[string]string {
	headers := map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method}
	if name != "" {
		headers["Mcp-Name"] = name
	}
	return headers
}

// useModern begins a call of a host of 2026-07-28.
func (d *testHandler) useModern(caller callers.Access, client, id string) *response {
	body := request(id, "tools/call", using(modernMeta(client, "{}")))
	return d.begin(caller, "POST", modernHeaders("tools/call", "use_tool"), body)
}

var eventLine = regexp.MustCompile(`(?m)^(id|data): ?(.*)$`)

// events returns the messages of a stream, each with its id in front: "1-1 {…}".
func (r *response) events() []string { return eventsOf(r.text()) }

func eventsOf(text string) []string {
	var events []string
	for block := range strings.SplitSeq(text, "\n\n") {
		var id string
		var data []string
		for _, line := range eventLine.FindAllStringSubmatch(block, -1) {
			if line[1] == "id" {
				id = line[2]
			} else {
				data = append(data, line[2])
			}
		}
		if len(data) > 0 {
			events = append(events, strings.TrimSpace(id+" "+strings.Join(data, "\n")))
		}
	}
	return events
}

// field returns a text in the answer, by the path of its names.
func (r *response) field(path ...string) string {
	raw := json.RawMessage(r.text())
	for _, name := range path {
		var members map[string]json.RawMessage
		Expect(json.Unmarshal(raw, &members)).To(Succeed(), r.text())
		raw = members[name]
	}
	var text string
	Expect(json.Unmarshal(raw, &text)).To(Succeed(), r.text())
	return text
}

// errorCode returns the code of the error in the answer.
func (r *response) errorCode() int {
	var answer struct {
		Error struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	Expect(json.Unmarshal([]byte(r.text()), &answer)).To(Succeed(), r.text())
	return answer.Error.Code
}

func modernCall() string { return request("1", "tools/call", using(modernMeta("a", "{}"))) }

func with(header, value string) func(map[string]string) {
	return func(headers map[string]string) { headers[header] = value }
}

func without(header string) func(map[string]string) {
	return func(headers map[string]string) { delete(headers, header) }
}
