package downstream

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Registry is the connector over all kinds of transports. Safe for concurrent
// use.
type Registry struct{ transports map[string]ports.Transport }

// NewRegistry returns the connector over transports by the kind that a server's
// configuration names. The map must not change afterwards.
func NewRegistry(transports map[string]ports.Transport) *Registry {
	return &Registry{transports: transports}
}

// Connect implements ports.Connector.
func (r *Registry) Connect(ctx context.Context, server domain.Server, host ports.Host) (ports.Session, error) {
	transport, ok := r.transports[server.Transport]
	if !ok {
		known := strings.Join(slices.Sorted(maps.Keys(r.transports)), ", ")
		reason := fmt.Errorf("no transport of the kind '%s' (known: %s)", server.Transport, known)
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: reason}
	}
	return transport.Connect(ctx, server, host)
}
