package contract

import (
	"encoding/json"

	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/script"
)

// A Harness connects the kit to a kind of transport. Each spec creates its own, so a harness can
// use GinkgoT and DeferCleanup.
type Harness interface {
	// Transport returns the transport.
	Transport() ports.Transport
	// Serve starts a server that plays the script, and returns the settings that reach it. Each
	// connection is a new run of the script.
	Serve(s script.Script) json.RawMessage
	// Unreachable returns valid settings that reach no server.
	Unreachable() json.RawMessage
	// Wrong returns settings that the transport refuses.
	Wrong() []Wrong
	// Break ends all connections to the servers at once, as a crash would.
	Break()
	// Running counts the processes or connections that the transport keeps.
	Running() int
}

// Wrong are settings that a transport refuses.
type Wrong struct {
	// Because says what is wrong.
	Because  string
	Settings string
	// Keys are the keys of each wrong value, as in domain.SettingError.
	Keys [][]string
}
