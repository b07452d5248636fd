package mcpserver

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/application/shares"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Name is the name of the workbench for hosts and servers.
const Name = "mcp-workbench"

// Version is the version of the workbench.
type Version string

// Settings bound the resources that a host can use, and say what it is offered.
type Settings struct {
	// MessageSize is the size of the largest message of the host, in bytes.
	MessageSize int64
	// InFlight is the number of requests of the host that can be under way at once.
	InFlight int
	// InputReply is the longest time a host of 2026-07-28 can take to send the input that a server asks
	// for during a call.
	InputReply time.Duration
	// Skills says that skills of servers are passed on to hosts that declare the extension (SEP-2640).
	Skills bool
	// UsualPlaces is set if logins are looked for in the usual place of this system, although a variable that is not set
	// could name another one.
	UsualPlaces bool
}

// Program is the part of the workbench that hosts share. A process has one for all hosts, and one for each
// selection of toolboxes that only some hosts see. Safe for concurrent use.
type Program struct {
	// serverInfo describes the workbench completely. Lists begin with the members of cacheable, which describe it
	// without the parts that hosts show only once.
	serverInfo, cacheable json.RawMessage
	settings              Settings
	definitions           func() definitions.Settings
	log                   *slog.Logger
	list                  func() *listing // makes the listing of the current configuration
	current               atomic.Pointer[listing]
	making                *shares.Turns // of answers with lists
}

// NewProgram returns a program of that version. It shows the toolboxes of the instructions, and as much of their
// tools as the definitions allow.
func NewProgram(
	version Version, instructions ports.InstructionsBuilder, definitions func() definitions.Settings, settings Settings, log *slog.Logger,
) *Program {
	list := rawjson.MustMarshal(cacheable(describeShortly(version)))
	p := &Program{
		serverInfo: describe(version), cacheable: list[1 : len(list)-1], settings: settings, definitions: definitions, log: log,
		making: shares.NewTurns(maxMaking, 0, maxMakingWaiting),
	}
	return p.Showing(instructions)
}

// Showing returns the same program with other instructions, which have the toolboxes that some hosts may see.
func (p *Program) Showing(instructions ports.InstructionsBuilder) *Program {
	shown := &Program{serverInfo: p.serverInfo, cacheable: p.cacheable, settings: p.settings, definitions: p.definitions, log: p.log, making: p.making}
	shown.list = func() *listing {
		return newListing(instructions.BuildInstructions(), shown.definitions())
	}
	shown.current.Store(shown.list())
	return shown
}

var _ ports.Listing = (*Program)(nil)

// Refresh implements ports.Listing.
func (p *Program) Refresh() (changed bool) {
	after := p.list()
	before := p.current.Swap(after)
	return !bytes.Equal(before.ownTools(wording.Registration{}), after.ownTools(wording.Registration{}))
}

func (p *Program) listing() *listing { return p.current.Load() }
