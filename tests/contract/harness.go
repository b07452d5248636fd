package contract

import (
	"encoding/json"

	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/script"
)

// Harness is what a kind of transport brings along. Every spec has one of its
// own, made inside of the spec, so that it may use GinkgoT and DeferCleanup.
type Harness interface {
	// Transport returns the transport.
	Transport() ports.Transport
	// Serve makes a server that plays the script and returns the settings that
	// reach it. Every connect is a new run of the script.
	Serve(s script.Script) json.RawMessage
	// Unreachable returns settings with nothing wrong in them that reach no server.
	Unreachable() json.RawMessage
	// Wrong returns settings that the transport refuses.
	Wrong() []Wrong
	// Break ends every connection to the servers at once, as when they crash.
	Break()
	// Running counts what the transport keeps alive: processes, connections.
	Running() int
}

// Wrong is settings that a transport refuses.
type Wrong struct {
	// Because says what is wrong.
	Because  string
	Settings string
	// Keys lead to each value that is wrong, as domain.SettingError has them.
	Keys [][]string
}
