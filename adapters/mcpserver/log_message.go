package mcpserver

import (
	"encoding/json"
	"slices"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
)

// logLevels are the levels of log messages, the least first.
var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// setLevel answers logging/setLevel.
func (s *Server) setLevel(_ *exchange, p params) answer {
	level := jsonscan.Text(p.level)
	if !slices.Contains(logLevels, level) {
		return refusal(jsonrpc.CodeInvalidParams, "level must be one of debug, info, notice, warning, error, critical, alert and emergency")
	}
	s.host.mu.Lock()
	s.host.logLevel = level
	s.host.mu.Unlock()
	s.announcer.SetLogLevel(level)
	return answer{result: json.RawMessage("{}")}
}

// logMessage returns the parameters of a server's log message as the host gets
// them, with the server in front of the logger, and whether the host wants it. A
// host with a handshake gets everything until it sets a level; one of 2026-07-28
// gets what a request that is under way asks for.
func (h *Host) logMessage(c *conversation, server domain.ServerID, params json.RawMessage) (json.RawMessage, bool) {
	h.mu.Lock()
	initialized, least := h.initialized, h.logLevel
	h.mu.Unlock()
	if !initialized {
		if least = c.exchanges.logLevel(server); least == "" {
			return nil, false
		}
	}
	if severity(jsonscan.Text(jsonscan.Member(params, "level"))) < severity(least) {
		return nil, false
	}
	logger := string(server.Toolbox) + "/" + string(server.Server)
	if own := jsonscan.Text(jsonscan.Member(params, "logger")); own != "" {
		logger += "/" + own
	}
	return jsonscan.With(params, "logger", jsonscan.Quote(logger)), true
}

// severity returns the rank of a level. One that is not known passes any bound.
func severity(level string) int {
	if i := slices.Index(logLevels, level); i >= 0 || level == "" {
		return max(i, 0)
	}
	return len(logLevels)
}
