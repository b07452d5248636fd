package sessions_test

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

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// fixture is the sessions of one host with servers in memory, all of the toolbox "dev".
type fixture struct {
	t          *testing.T
	sessions   *sessions.Sessions
	known      *sessions.KnownTools
	host       *fakeHost
	configured map[domain.ServerName]domain.Server
	servers    map[domain.ServerName]*fakeServer
	activities *activities
}

// activities records what the observer of the sessions is told.
type activities struct {
	mu   sync.Mutex
	list []domain.Activity
}

// Observe implements ports.ActivityObserver.
func (a *activities) Observe(activity domain.Activity) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, activity)
}

// recorded returns the activities so far.
func (a *activities) recorded() []domain.Activity {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.list)
}

// start returns the sessions, which end with the bubble. Each server has the tool "read".
func start(t *testing.T, servers ...domain.Server) *fixture {
	f := &fixture{
		t: t, known: sessions.NewKnownTools(), host: &fakeHost{},
		configured: map[domain.ServerName]domain.Server{}, servers: map[domain.ServerName]*fakeServer{}, activities: &activities{},
	}
	for _, server := range servers {
		f.configured[server.ID.Server] = server
		f.servers[server.ID.Server] = &fakeServer{id: server.ID, tools: []string{"read"}}
	}
	f.sessions = sessions.New(f, f.host, nil, nil, f.known, sessions.NewOwnership(sessions.Share{}), nil, f.activities, slog.New(slog.DiscardHandler))
	t.Cleanup(func() { f.close(time.Hour) })
	return f
}

// server returns a server of the toolbox "dev".
func server(name domain.ServerName) domain.Server {
	return domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: name}, Limits: domain.DefaultLimits()}
}

// idleServer returns a server that is stopped after ten minutes.
func idleServer(name domain.ServerName) domain.Server {
	idle := server(name)
	idle.Limits.Idle = 10 * time.Minute
	return idle
}

// Connect implements ports.Connector.
func (f *fixture) Connect(ctx context.Context, server domain.Server, host ports.Host, _ ports.ServerPolicy) (ports.Session, error) {
	return f.servers[server.ID.Server].connect(ctx, host)
}

// connect connects to a server and refreshes its tools.
func (f *fixture) connect(name domain.ServerName) (*sessions.Connection, error) {
	connection, err := f.sessions.Connect(f.t.Context(), f.configured[name])
	if err == nil {
		connection.Refresh(f.t.Context())
	}
	return connection, err
}

// uses calls the tool "read" of a server, as use cases do, and waits for the outcome.
func (f *fixture) uses(name domain.ServerName) error {
	var outcome error
	f.use(name, func(err error) { outcome = err })
	synctest.Wait()
	return outcome
}

// use calls the tool "read" of a server. Done is called with the outcome.
func (f *fixture) use(name domain.ServerName, done func(error)) {
	connection, err := f.connect(name)
	for err == nil && !connection.Enter() {
		connection, err = f.connect(name)
	}
	if err != nil {
		done(err)
		return
	}
	listed, _, err := connection.Find(domain.ToolIdentifier{Toolbox: "dev", Server: name, Tool: "read"}, nil)
	Expect(err).NotTo(HaveOccurred())
	called := connection.CallTool(f.t.Context(), listed.ToolInfo, nil, ports.ToolCall{Name: "read"}, func(_ ports.Answer, err error) {
		err = connection.RecordOutcome(err)
		connection.Leave()
		done(err)
	})
	Expect(called).To(BeTrue())
}

// close ends the sessions and gives servers that much time.
func (f *fixture) close(patience time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	f.sessions.Close(ctx)
}

// fakeHost records what it is told.
type fakeHost struct {
	asked func(reply ports.Reply) // is called with each request

	mu    sync.Mutex
	notes []string
}

func (*fakeHost) Capabilities() json.RawMessage { return json.RawMessage("{}") }

func (h *fakeHost) Notify(server domain.ServerID, notification ports.Notification) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notes = append(h.notes, string(server.Server)+": "+notification.Kind.String())
}

func (h *fakeHost) Request(_ context.Context, _ domain.ServerID, _ ports.Message, reply ports.Reply) {
	h.asked(reply)
}

// Restarted implements ports.RestartWatcher.
func (h *fakeHost) Restarted(server domain.ServerID, _ error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notes = append(h.notes, string(server.Server)+": restarted")
}

// recorded returns the notices to the host.
func (h *fakeHost) recorded() []string {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.notes)
}
