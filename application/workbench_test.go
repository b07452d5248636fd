package application_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/application/pinning"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// The use cases keep what the ports promise.
var (
	_ ports.ToolboxOpener    = (*application.ToolboxOpener)(nil)
	_ ports.ToolboxCloser    = (*application.ToolboxCloser)(nil)
	_ ports.ToolRegistry     = (*application.Registrations)(nil)
	_ ports.ToolLocker       = (*application.ToolLocker)(nil)
	_ ports.ToolLister       = (*application.ToolLister)(nil)
	_ ports.ShownDefinitions = (*application.ArgumentChecker)(nil)
	_ ports.ToolUser         = (*application.ToolUser)(nil)
	_ ports.ResourceReader   = (*application.ResourceReader)(nil)
	_ ports.PromptReader     = (*application.PromptReader)(nil)
	_ ports.Completer        = (*application.Completer)(nil)
	_ ports.TaskFollower     = (*application.TaskFollower)(nil)
	_ ports.Announcer        = (*sessions.Sessions)(nil)
)

// workbench has the use cases over servers in memory.
type workbench struct {
	patience  time.Duration // of the host
	t         *testing.T
	catalog   ports.Catalog
	current   *application.Current
	servers   fakeServers
	connector ports.Connector // nil for servers unless a spec sets it before wire
	host      *fakeHost
	log       *logged
	listings  ports.Listings // nil unless a spec sets it before wire
	known     *sessions.KnownTools
	opened    *application.Opened
	sessions  *sessions.Sessions
	opener    *application.ToolboxOpener
	user      *application.ToolUser
	gates     *application.Gates
	checker   *application.ArgumentChecker // nil unless a spec sets it before wire
	logins    *application.Logins          // nil unless a spec sets it before wire
	// opensOnUse and observers are not set unless a spec sets them before wire.
	opensOnUse application.OpensOnUse
	observers  *application.Observers
	resources  *application.ResourceReader
	prompts    *application.PromptReader
	completer  *application.Completer
	tasks      *application.TaskFollower
}

// start starts a workbench, which ends with the bubble.
func start(t *testing.T, toolboxes ...domain.Toolbox) *workbench {
	w := prepare(t, toolboxes...)
	w.wire(nil, nil)
	return w
}

// prepare returns the parts that exist before the use cases are wired.
func prepare(t *testing.T, toolboxes ...domain.Toolbox) *workbench {
	w := &workbench{
		t: t, catalog: fakeCatalog(toolboxes), current: application.NewCurrent(configurationOf(toolboxes...)), servers: fakeServers{}, host: &fakeHost{}, log: &logged{},
		known: sessions.NewKnownTools(), opened: application.NewOpened(),
	}
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			fake := &fakeServer{id: server.ID}
			fake.offer("read", "write")
			w.servers[server.ID] = fake
		}
	}
	return w
}

// wire makes the use cases, which end with the bubble. Both arguments may be nil.
func (w *workbench) wire(pins *pinning.Pinning, registrations *application.Registrations) {
	log := slog.New(slog.NewTextHandler(w.log, nil))
	var watcher sessions.Watcher
	if registrations != nil {
		watcher = registrations
	}
	ownership := sessions.NewOwnership(sessions.Share{})
	owners := application.NewResourceOwners()
	connector := w.connector
	if connector == nil {
		connector = w.servers
	}
	w.sessions = sessions.New(connector, w.host, pins, w.listings, w.known, ownership, watcher, nil, log)
	w.resources = application.NewResourceReader(w.catalog, w.sessions, owners, ownership, log)
	w.prompts = application.NewPromptReader(w.catalog, w.sessions, w.known, owners, log)
	servers := application.NewServers(w.sessions, w.logins)
	w.opener = application.NewToolboxOpener(w.catalog, servers, w.opened, pins, registrations,
		application.NewOpeningNotes(w.current, pins, fakeDefinitions{}, w.prompts, w.known, registrations), w.observers)
	w.gates = application.NewGates(w.catalog, w.opened, w.opener, w.opensOnUse, w.checker, application.NewConfirmations(log))
	w.user = application.NewToolUser(w.gates, servers, owners, ownership, w.observers)
	w.completer = application.NewCompleter(w.prompts, w.resources)
	w.tasks = application.NewTaskFollower(w.sessions, ownership)
	opened := w.sessions
	w.t.Cleanup(func() { closeWithin(opened, time.Hour) })
}

// toolbox returns a toolbox with servers of these names.
func toolbox(name domain.ToolboxName, servers ...domain.ServerName) domain.Toolbox {
	dev := domain.Toolbox{Name: name}
	for _, server := range servers {
		dev.Servers = append(dev.Servers, domain.Server{
			ID: domain.ServerID{Toolbox: name, Server: server}, Limits: domain.DefaultLimits(),
		})
	}
	return dev
}

// server returns a server of the toolbox "dev".
func (w *workbench) server(name domain.ServerName) *fakeServer {
	return w.servers[domain.ServerID{Toolbox: "dev", Server: name}]
}

func (w *workbench) open(name domain.ToolboxName) (domain.OpenedToolbox, error) {
	return w.opener.OpenToolbox(ports.WithOpening(w.t.Context(), ports.Opening{Patience: w.patience}), name)
}

// opens opens a toolbox that can be opened.
func (w *workbench) opens(name domain.ToolboxName) domain.OpenedToolbox {
	opened, err := w.open(name)
	Expect(err).NotTo(HaveOccurred())
	return opened
}

// use uses a tool of a server of the toolbox "dev".
func (w *workbench) use(server domain.ServerName, tool string) *outcome {
	return w.useWith(w.t.Context(), domain.ToolIdentifier{Toolbox: "dev", Server: server, Tool: tool}, ports.ToolCall{})
}

func (w *workbench) useWith(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall) *outcome {
	received := &outcome{}
	w.user.UseTool(ctx, tool, call, received.reply)
	return received
}

// close ends the workbench and gives servers that much time.
func (w *workbench) close(patience time.Duration) {
	closeWithin(w.sessions, patience)
}

func closeWithin(opened interface{ Close(ctx context.Context) }, patience time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	opened.Close(ctx)
}

// outcome holds the arguments of a reply.
type outcome struct {
	mu     sync.Mutex
	times  int
	answer ports.Answer
	err    error
}

func (o *outcome) reply(answer ports.Answer, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.times++
	o.answer, o.err = answer, err
	o.answer.Result, o.answer.Error = bytes.Clone(answer.Result), bytes.Clone(answer.Error)
}

// serverReply is reply as a ports.ServerReply.
func (o *outcome) serverReply(_ domain.ServerID, answer ports.Answer, err error) {
	o.reply(answer, err)
}

// received returns how often the reply was called, and its last arguments.
func (o *outcome) received() (times int, answer ports.Answer, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.times, o.answer, o.err
}

// result returns the result of a reply that was called once, without a failure.
func (o *outcome) result() string {
	times, answer, err := o.received()
	Expect(err).NotTo(HaveOccurred())
	Expect(times).To(Equal(1))
	return string(answer.Result)
}

// failure returns the failure of a reply that was called once, with a failure.
func (o *outcome) failure() error {
	times, _, err := o.received()
	Expect(times).To(Equal(1))
	Expect(err).To(HaveOccurred())
	return err
}

// fakeCatalog is a catalog in memory.
type fakeCatalog []domain.Toolbox

func (c fakeCatalog) Toolboxes() []domain.Toolbox { return c }

func (fakeCatalog) Disabled() []domain.Toolbox { return nil }

func (fakeCatalog) Problems() []domain.ConfigurationProblem { return nil }

func (c fakeCatalog) Toolbox(name domain.ToolboxName) (domain.Toolbox, error) {
	missing := &domain.ToolboxNotFoundError{Toolbox: name}
	for _, dev := range c {
		if dev.Name == name {
			return dev, nil
		}
		missing.Available = append(missing.Available, string(dev.Name))
	}
	return domain.Toolbox{}, missing
}

// fakeHost records what it is told.
type fakeHost struct {
	// asked answers requests; nil answers at once.
	asked func(ctx context.Context, reply ports.Reply)
	// hears is called with each notification, unless it is nil.
	hears func(ports.Notification)

	mu       sync.Mutex
	messages []string
	updated  []string // the parameters of updates of resources
}

func (h *fakeHost) Capabilities() json.RawMessage { return json.RawMessage("{}") }

func (h *fakeHost) Notify(server domain.ServerID, notification ports.Notification) {
	if h.hears != nil {
		h.hears(notification)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.messages = append(h.messages, string(server.Server)+": "+notification.Kind.String())
	if notification.Kind == ports.ResourceUpdated {
		h.updated = append(h.updated, string(notification.Params))
	}
}

func (h *fakeHost) Restarted(server domain.ServerID, _ error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.messages = append(h.messages, string(server.Server)+": restarted")
}

func (h *fakeHost) Request(ctx context.Context, _ domain.ServerID, _ ports.Message, reply ports.Reply) {
	if h.asked != nil {
		h.asked(ctx, reply)
		return
	}
	reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
}

func (h *fakeHost) heard() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.messages...)
}

// updates returns the parameters of the updates of resources that it was sent.
func (h *fakeHost) updates() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.updated...)
}

// logged collects log lines.
type logged struct {
	mu    sync.Mutex
	lines bytes.Buffer
}

func (l *logged) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Write(line)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}
