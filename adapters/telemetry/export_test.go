package telemetry

import "net/http"

// Over returns the settings with a transport in place of the network.
func Over(settings Settings, transport http.RoundTripper) Settings {
	settings.transport = transport
	return settings
}
