package mcpserver

import (
	"bytes"
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// HostInfo returns what the host last said of itself, the zero value if it did not. Safe for concurrent use.
func (s *Server) HostInfo() domain.HostInfo {
	info := s.clientInfo.Load()
	if info == nil {
		return domain.HostInfo{}
	}
	return domain.HostInfo{
		Name: rawjson.Text(rawjson.Member(*info, "name")), Version: rawjson.Text(rawjson.Member(*info, "version")),
	}
}

// noteHostInfo keeps what the host says of itself. A host of 2026-07-28 says it with every request.
func (s *Server) noteHostInfo(clientInfo json.RawMessage) {
	if known := s.clientInfo.Load(); len(clientInfo) == 0 || known != nil && bytes.Equal(*known, clientInfo) {
		return
	}
	kept := json.RawMessage(bytes.Clone(clientInfo))
	s.clientInfo.Store(&kept)
}
