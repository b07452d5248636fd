package application_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"testing"

	"mcp-workbench/application"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// BenchmarkUseTool makes calls of a tool of a server that answers at once.
func BenchmarkUseTool(b *testing.B) {
	catalog := fakeCatalog{toolbox("dev", "files")}
	ownership := sessions.NewOwnership(sessions.Share{})
	live := sessions.New(&promptServer{done: make(chan struct{})}, &fakeHost{}, nil, nil,
		sessions.NewKnownTools(), ownership, nil, nil, slog.New(slog.DiscardHandler))
	defer live.Close(b.Context())
	opened := application.NewOpened()
	opener := application.NewToolboxOpener(catalog, live, opened, &application.Openings{}, nil, nil, nil, nil)
	if _, err := opener.OpenToolbox(b.Context(), "dev"); err != nil {
		b.Fatal(err)
	}
	user := application.NewToolUser(catalog, live, opened, application.NewResourceOwners(), ownership,
		application.NewConfirmations(slog.New(slog.DiscardHandler)), nil, nil)
	tool := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}
	call := ports.ToolCall{Arguments: json.RawMessage(`{"path":"/tmp/a"}`)}
	answers := 0
	reply := func(_ ports.Answer, err error) {
		if err != nil {
			b.Fatal(err)
		}
		answers++
	}
	b.ReportAllocs()
	calls := 0
	for b.Loop() {
		calls++
		user.UseTool(b.Context(), tool, call, reply)
	}
	if answers != calls {
		b.Fatalf("%d answers to %d calls", answers, calls)
	}
}

// promptServer is a server with one tool, and its session. It has only the methods that
// calls need.
type promptServer struct {
	ports.Session
	done  chan struct{}
	close sync.Once
}

func (s *promptServer) Connect(context.Context, domain.Server, ports.Host, ports.ServerPolicy) (ports.Session, error) {
	return s, nil
}

func (*promptServer) ListTools(context.Context) (domain.ToolList, error) {
	return domain.ToolList{Tools: []domain.ToolInfo{{Name: "read", Shown: "read", Definition: json.RawMessage(`{"name":"read"}`)}}}, nil
}

func (*promptServer) CallTool(_ context.Context, _ ports.ToolCall, reply ports.Reply) {
	reply(ports.Answer{Result: json.RawMessage(`{"content":[]}`)}, nil)
}

func (s *promptServer) Close(context.Context) error {
	s.close.Do(func() { close(s.done) })
	return nil
}

func (s *promptServer) Done() <-chan struct{} { return s.done }
func (*promptServer) Err() error              { return nil }
func (*promptServer) Declares(...string) bool { return false }
func (*promptServer) SetLogLevel(string)      {}
