// Package memory is a transport to servers inside of the test's own process, by
// which the kit itself is tested: nothing of an operating system's is in between
// but two pipes.
package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/script"
)

// Transport reaches the servers that were added to it. Safe for concurrent use.
type Transport struct {
	log *slog.Logger

	mu      sync.Mutex
	scripts map[string]script.Script
	links   map[*link]bool // those that are open
}

var _ ports.Transport = (*Transport)(nil)

// New returns a transport that reaches no server yet.
func New(log *slog.Logger) *Transport {
	return &Transport{log: log, scripts: map[string]script.Script{}, links: map[*link]bool{}}
}

// Add makes a server that plays the script, reached by its name.
func (t *Transport) Add(name string, s script.Script) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.scripts[name] = s
}

// Break breaks every connection.
func (t *Transport) Break() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for link := range t.links {
		link.cut()
	}
}

// Open counts the connections that are open.
func (t *Transport) Open() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.links)
}

// settings is what the configuration says about one server of this kind.
type settings struct {
	Name string `json:"name"`
}

// Keys implements ports.Transport.
func (*Transport) Keys() []string { return []string{"name"} }

// Check implements ports.Transport.
func (*Transport) Check(raw json.RawMessage) error {
	var members map[string]any
	if err := json.Unmarshal(raw, &members); err != nil {
		return &domain.SettingError{Found: "something else", Wanted: "an object"}
	}
	if name, ok := members["name"].(string); !ok || name == "" {
		return &domain.SettingError{Key: []string{"name"}, Found: fmt.Sprintf("%T", members["name"]), Wanted: "the name of a server"}
	}
	return nil
}

// Connect implements ports.Connector.
func (t *Transport) Connect(ctx context.Context, server domain.Server, host ports.Host) (ports.Session, error) {
	var settings settings
	if err := json.Unmarshal(server.Settings, &settings); err != nil {
		return nil, mcpclient.Unavailable(ctx, server, err)
	}
	t.mu.Lock()
	s, ok := t.scripts[settings.Name]
	t.mu.Unlock()
	if !ok {
		return nil, mcpclient.Unavailable(ctx, server, errors.New("nobody added it"))
	}
	messages := mcpclient.NewServerMessages(server, host, t.log)
	link, err := t.dial(s, messages, server.Limits.MessageSize)
	if err != nil {
		return nil, mcpclient.Unavailable(ctx, server, err)
	}
	session, err := mcpclient.Connect(ctx, link, messages, mcpclient.Identity{Name: "workbench", Version: "test"})
	if err != nil {
		link.cut()
		_ = link.Close(ctx) // the reason for the failure is at hand already
		return nil, err
	}
	return session, nil
}
