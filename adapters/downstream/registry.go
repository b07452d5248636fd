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

// Registry connects with the transport of each server. Safe for concurrent use.
type Registry struct{ transports map[string]ports.Transport }

// NewRegistry returns a registry of transports by kind, as servers name it
// (domain.Server.Transport). The map must not change afterwards.
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
