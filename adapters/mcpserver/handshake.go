package mcpserver

import (
	"cmp"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain/extensions"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// tasksExtension is the extension of tasks since 2026-07-28 (SEP-2663).
const tasksExtension = "io.modelcontextprotocol/tasks"

// capabilities returns the capabilities to declare to the host. Extensions are used only if both sides declare
// them (SEP-2133). So it declares those that the workbench passes on and the host declared, as long as there are
// servers that may have them.
func (s *Server) capabilities(modern bool) capabilities {
	var used rawjson.Object
	if s.rendersPages() {
		used = used.Raw(extensions.Apps, []byte("{}"))
	}
	if s.usesSkills() {
		used = used.Raw(extensions.Skills, []byte(`{"directoryRead":true}`))
	}
	if modern && rawjson.HasMember(s.host.Capabilities(), "extensions", tasksExtension) {
		used = used.Raw(tasksExtension, []byte("{}"))
	}
	declared := ownCapabilities()
	if !used.IsEmpty() && len(s.program.listing().servers) > 0 {
		declared.Extensions = used.JSON()
	}
	return declared
}

// initialize answers the handshake of protocol versions before 2026-07-28.
func (s *Server) initialize(_ *request, p params) ports.Answer {
	s.host.Initialize()
	s.host.Declare(p.member("capabilities"))
	s.noteHostInfo(p.member("clientInfo"))
	// A host that asks for no version gets the last, not the one that mcp-go takes.
	version := cmp.Or(rawjson.Text(p.member("protocolVersion")), mcp.LATEST_LEGACY_PROTOCOL_VERSION)
	return ports.Answer{Result: rawjson.MustMarshal(initializeResult{
		InitializeResult: mcp.InitializeResult{ProtocolVersion: mcp.NegotiateLegacyVersion(version)},
		Capabilities:     s.capabilities(false),
		ServerInfo:       s.program.serverInfo,
		Instructions:     s.program.listing().instructions(s.knownHost()),
	})}
}

func (*Server) ping(*request, params) ports.Answer {
	return ports.Answer{Result: json.RawMessage("{}")}
}

// hostConnected starts the servers that must be up when their toolboxes are opened. It is called when the host has
// declared its capabilities: in the handshake or, since 2026-07-28, with its first request about the workbench.
func (s *Server) hostConnected() { s.connected.Do(s.useCases.Starter.StartServers) }

// discover answers server/discover, which replaces the handshake since 2026-07-28.
func (s *Server) discover(*request, params) ports.Answer {
	s.hostConnected()
	described := cacheable(s.program.serverInfo)
	return ports.Answer{Result: rawjson.MustMarshal(discoverResult{
		ResultType:     described.ResultType,
		DiscoverResult: mcp.DiscoverResult{CacheableResult: described.CacheableResult, SupportedVersions: mcp.ValidProtocolVersions},
		Capabilities:   s.capabilities(true),
		Instructions:   s.program.listing().instructions(s.knownHost()),
	})}
}
