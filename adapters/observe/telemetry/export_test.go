package telemetry

import "net/http"

// Over returns the settings with a transport that is used instead of the network.
func Over(settings Settings, transport http.RoundTripper) Settings {
	settings.transport = transport
	return settings
}
