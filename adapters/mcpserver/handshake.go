package mcpserver

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain/apps"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/domain/skills"
	"mcp-workbench/ports"
)

// capabilities are those that the workbench declares. Its tools change with its configuration, and
// in dynamic mode with the open toolboxes. Prompts, completions and resources are those of servers
// in open toolboxes.
const capabilities = `{"completions":{},"logging":{},"prompts":{"listChanged":true},` +
	`"resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true}}`

// tasksExtension is the extension of tasks since 2026-07-28 (SEP-2663).
const tasksExtension = "io.modelcontextprotocol/tasks"

// capabilities returns the capabilities to declare to the host. Extensions are used only if both sides declare
// them (SEP-2133). So it declares those that the workbench passes on and the host declared, as long as there are
// servers that may have them.
func (s *Server) capabilities(modern bool) json.RawMessage {
	var extensions rawjson.Object
	if s.rendersPages() {
		extensions = extensions.Raw(apps.Extension, []byte("{}"))
	}
	if s.usesSkills() {
		extensions = extensions.Raw(skills.Extension, []byte(`{"directoryRead":true}`))
	}
	if modern && rawjson.HasMember(s.host.Capabilities(), "extensions", tasksExtension) {
		extensions = extensions.Raw(tasksExtension, []byte("{}"))
	}
	if extensions.IsEmpty() || len(s.program.listing().servers) == 0 {
		return json.RawMessage(capabilities)
	}
	return rawjson.With([]byte(capabilities), "extensions", extensions.JSON())
}

// initialize answers the handshake of protocol versions before 2026-07-28.
func (s *Server) initialize(_ *request, p params) ports.Answer {
	s.host.Initialize()
	s.host.Declare(p.member("capabilities"))
	name := clientName(p.member("clientInfo"))
	s.clientName.Store(&name)
	s.noteHostInfo(p.member("clientInfo"))
	version := rawjson.Text(p.member("protocolVersion"))
	if version == "" || mcp.IsModernProtocol(version) || !mcp.IsValidProtocolVersion(version) {
		version = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	}
	return ports.Answer{Result: rawjson.Object{}.
		Text("protocolVersion", version).
		Raw("capabilities", s.capabilities(false)).
		Raw("serverInfo", s.program.serverInfo).
		Text("instructions", s.program.listing().instructions(name)).
		JSON()}
}

func (*Server) ping(*request, params) ports.Answer {
	return ports.Answer{Result: json.RawMessage("{}")}
}

// hostConnected starts the servers that must be up when their toolboxes are opened. It is called when the host has
// declared its capabilities: in the handshake or, since 2026-07-28, with its first request about the workbench.
func (s *Server) hostConnected() { s.connected.Do(s.useCases.Starter.StartServers) }

// discover answers server/discover, which replaces the handshake since 2026-07-28.
func (s *Server) discover(_ *request, p params) ports.Answer {
	s.hostConnected()
	return ports.Answer{Result: s.cacheableWith(s.program.serverInfo).
		Texts("supportedVersions", mcp.ValidProtocolVersions).
		Raw("capabilities", s.capabilities(true)).
		Text("instructions", s.program.listing().instructions(clientName(p.meta.clientInfo))).
		JSON()}
}

// cacheable begins the result of a list or a description with the members that it must have since
// 2026-07-28. It tells hosts not to cache the result, since a repeated request costs almost nothing.
func (s *Server) cacheable() rawjson.Object { return s.cacheableWith(s.program.shortInfo) }

func (*Server) cacheableWith(serverInfo json.RawMessage) rawjson.Object {
	return rawjson.Object{}.
		Text("resultType", string(mcp.ResultTypeComplete)).
		Raw("_meta", rawjson.Object{}.Raw(mcp.MetaKeyServerInfo, serverInfo).JSON()).
		Int("ttlMs", 0).
		Text("cacheScope", string(mcp.CacheScopePrivate))
}

// knownHost describes the host. A host of 2026-07-28 sends its name with every
// request, others in the handshake.
func (s *Server) knownHost(p params) wording.Host {
	name := clientName(p.meta.clientInfo)
	if fromHandshake := s.clientName.Load(); name == "" && fromHandshake != nil {
		name = *fromHandshake
	}
	return wording.HostNamed(name)
}
