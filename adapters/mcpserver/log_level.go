package mcpserver

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// setLevel answers logging/setLevel.
func (n *notifications) setLevel(_ *request, p params) ports.Answer {
	level := rawjson.Text(p.member("level"))
	if !domain.IsLogLevel(level) {
		return failure(mcp.INVALID_PARAMS, "level must be one of debug, info, notice, warning, error, critical, alert and emergency")
	}
	n.host.SetLogLevel(level)
	n.announcer.SetLogLevel(level)
	return ports.Answer{Result: json.RawMessage("{}")}
}
