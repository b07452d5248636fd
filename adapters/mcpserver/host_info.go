package mcpserver

import (
	"bytes"
	"encoding/json"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// hostInfo is a host's clientInfo.
type hostInfo struct {
	raw  json.RawMessage
	info domain.HostInfo
}

// HostInfo returns the latest name and version that the host sent, the zero value if it sent none. Safe for
// concurrent use.
func (s *session) HostInfo() domain.HostInfo {
	if known := s.hostInfo.Load(); known != nil {
		return known.info
	}
	return domain.HostInfo{}
}

// noteHostInfo keeps the clientInfo of the host. A host of 2026-07-28 sends it with every request.
func (s *session) noteHostInfo(clientInfo json.RawMessage) {
	if known := s.hostInfo.Load(); len(clientInfo) == 0 || known != nil && bytes.Equal(known.raw, clientInfo) {
		return
	}
	text := func(member string) string { return rawjson.Text(rawjson.Member(clientInfo, member)) }
	s.hostInfo.Store(&hostInfo{bytes.Clone(clientInfo), domain.HostInfo{Name: text("name"), Version: text("version")}})
}

// knownHost describes the host of a request.
func (s *session) knownHost() wording.Host { return wording.HostNamed(s.HostInfo().Name) }
