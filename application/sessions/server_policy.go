package sessions

import (
	"log/slog"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// serverPolicy keeps words of one server out of messages while the lock lets a model read only what is locked.
type serverPolicy struct {
	server domain.ServerID
	pins   *pinning.Pinning // nil when there is no lock to apply
	log    *slog.Logger
}

var _ ports.ServerPolicy = (*serverPolicy)(nil)

// Withholds implements ports.ServerPolicy. It logs the words that it withholds.
func (p *serverPolicy) Withholds(words string) bool {
	if !p.pins.Blocks() {
		return false
	}
	p.log.Warn("withheld text of the server, since the policy shows models only what is locked", "toolbox", p.server.Toolbox, "server", p.server.Server, "words", words)
	return true
}

// LoginRefused implements ports.ServerPolicy. The failure of the request says enough.
func (*serverPolicy) LoginRefused() {}
