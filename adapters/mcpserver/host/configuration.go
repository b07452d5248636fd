package host

import (
	"encoding/json"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

var _ ports.ConfigurationWatcher = (*Host)(nil)

// ownLogger is the logger of what the workbench says about itself.
const ownLogger = "mcp-workbench"

// ConfigurationRead implements ports.ConfigurationWatcher. A host of 2026-07-28 asks for
// log messages with each request, and this one belongs to none, so it hears only that the
// tools changed.
func (h *Host) ConfigurationRead(read domain.ConfigurationRead) {
	if read.ToolsChanged {
		h.reportToolsChanged()
	}
	c, initialized := h.connected()
	params := configurationMessage(read)
	if c != nil && initialized && h.levels.wants(params) {
		c.Write(jsonrpc.Notification(domain.MethodNotificationMessage, params))
	}
}

// configurationMessage returns the parameters of the log message.
func configurationMessage(read domain.ConfigurationRead) json.RawMessage {
	level := "info"
	if read.Failed || read.Withheld {
		level = "warning"
	}
	return rawjson.Object{}.Text("level", level).Text("logger", ownLogger).Text("data", read.Text).JSON()
}
