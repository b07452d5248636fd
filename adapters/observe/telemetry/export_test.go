package telemetry

import (
	"log/slog"
	"net/http"
)

// StartOver is Start with a transport that is used instead of the network.
func StartOver(transport http.RoundTripper, getenv func(string) string, links bool, log *slog.Logger) *Telemetry {
	return start(getenv, "v1", links, log, transport)
}
