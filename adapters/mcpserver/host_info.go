package mcpserver

import (
	"bytes"
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// HostInfo returns the latest name and version that the host sent, the zero value if it sent none. Safe for
// concurrent use.
func (s *Server) HostInfo() domain.HostInfo {
	info := s.clientInfo.Load()
	if info == nil {
		return domain.HostInfo{}
	}
	return domain.HostInfo{
		Name: rawjson.Text(rawjson.Member(*info, "name")), Version: rawjson.Text(rawjson.Member(*info, "version")),
	}
}

// noteHostInfo keeps the clientInfo of the host. A host of 2026-07-28 sends it with every request.
func (s *Server) noteHostInfo(clientInfo json.RawMessage) {
	if known := s.clientInfo.Load(); len(clientInfo) == 0 || known != nil && bytes.Equal(*known, clientInfo) {
		return
	}
	kept := json.RawMessage(bytes.Clone(clientInfo))
	s.clientInfo.Store(&kept)
}
