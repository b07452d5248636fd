package telemetry

import (
	"log/slog"
	"net/http"
)

// StartOver is Start with a transport for exports over HTTP that is used instead of the network.
func StartOver(transport http.RoundTripper, links bool, log *slog.Logger) *Telemetry {
	return start("v1", links, log, &http.Client{Transport: transport})
}
