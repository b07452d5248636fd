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

// handshake tells a host what the workbench is and can do.
type handshake struct{ *session }

// capabilities returns the capabilities to declare to the host. Extensions are used only if both sides declare
// them (SEP-2133). So it declares those that the workbench passes on and the host declared, as long as there are
// servers that may have them.
func (h *handshake) capabilities(modern bool) capabilities {
	var used rawjson.Object
	if h.rendersPages() {
		used = used.Raw(extensions.Apps, []byte("{}"))
	}
	if h.usesSkills() {
		used = used.Raw(extensions.Skills, []byte(`{"directoryRead":true}`))
	}
	if modern && rawjson.HasMember(h.host.Capabilities(), "extensions", tasksExtension) {
		used = used.Raw(tasksExtension, []byte("{}"))
	}
	declared := ownCapabilities()
	if !used.IsEmpty() && len(h.program.listing().servers) > 0 {
		declared.Extensions = used.JSON()
	}
	return declared
}

// initialize answers the handshake of protocol versions before 2026-07-28.
func (h *handshake) initialize(_ *request, p params) ports.Answer {
	h.host.Initialize()
	h.host.Declare(p.member("capabilities"))
	h.noteHostInfo(p.member("clientInfo"))
	// A host that asks for no version gets the last, not the one that mcp-go takes.
	version := cmp.Or(rawjson.Text(p.member("protocolVersion")), mcp.LATEST_LEGACY_PROTOCOL_VERSION)
	return ports.Answer{Result: rawjson.MustMarshal(initializeResult{
		InitializeResult: mcp.InitializeResult{ProtocolVersion: mcp.NegotiateLegacyVersion(version)},
		Capabilities:     h.capabilities(false),
		ServerInfo:       h.program.serverInfo,
		Instructions:     h.program.listing().instructions(h.knownHost()),
	})}
}

func (*handshake) ping(*request, params) ports.Answer {
	return ports.Answer{Result: json.RawMessage("{}")}
}

// discover answers server/discover, which replaces the handshake since 2026-07-28.
func (h *handshake) discover(*request, params) ports.Answer {
	h.hostConnected()
	described := cacheable(h.program.serverInfo)
	return ports.Answer{Result: rawjson.MustMarshal(discoverResult{
		ResultType:     described.ResultType,
		DiscoverResult: mcp.DiscoverResult{CacheableResult: described.CacheableResult, SupportedVersions: mcp.ValidProtocolVersions},
		Capabilities:   h.capabilities(true),
		Instructions:   h.program.listing().instructions(h.knownHost()),
	})}
}
