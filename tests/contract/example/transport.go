package example

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"strconv"
	"strings"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// settings are the keys of one server of this kind in the configuration.
type settings struct {
	Address string `json:"address" is:"shown expanded address" required:"host and port, such as \"localhost:7000\"" form:"any"`
}

// Dial connects to an address, as net.Dialer does.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Transport reaches servers at TCP addresses. Safe for concurrent use.
type Transport struct {
	identity mcpclient.Identity
	dial     Dial
	log      *slog.Logger
}

var _ ports.Transport = (*Transport)(nil)

// New returns the transport. Identity is how the workbench introduces itself
// to servers.
func New(identity mcpclient.Identity, dial Dial, log *slog.Logger) *Transport {
	return &Transport{identity: identity, dial: dial, log: log}
}

// Settings implements ports.Transport.
func (*Transport) Settings() any { return settings{} }

// Check implements ports.Transport.
func (*Transport) Check(raw json.RawMessage) error {
	text := rawjson.Text(rawjson.Member(raw, "address"))
	if text == "" || strings.Contains(text, "${") { // a variable is known once it is expanded
		return nil
	}
	if _, port, err := net.SplitHostPort(text); err != nil || port == "" {
		return &domain.SettingError{Key: []string{"address"}, Found: strconv.Quote(text), Wanted: `host and port, such as "localhost:7000"`}
	}
	return nil
}

// Traits implements ports.Transport.
func (*Transport) Traits(raw json.RawMessage) domain.Traits {
	return domain.Traits{Address: rawjson.Text(rawjson.Member(raw, "address"))}
}

// Connect implements ports.Connector.
func (t *Transport) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	log := t.log.With("toolbox", server.ID.Toolbox, "server", server.ID.Server)
	messages := mcpclient.NewServerMessages(server, host, policy, server.Redact, log)
	var settings settings
	if err := json.Unmarshal(server.Settings, &settings); err != nil {
		return nil, messages.Unavailable(ctx, err)
	}
	connection, err := t.dial(ctx, "tcp", settings.Address)
	if err != nil {
		return nil, messages.Unavailable(ctx, err)
	}
	return mcpclient.ConnectOver(ctx, connection, messages, t.identity)
}
