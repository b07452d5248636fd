package mcpserver

import (
	"encoding/json"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// identity is how the workbench introduces itself, in both eras.
type identity struct{ name, version string }

func (i identity) json() json.RawMessage {
	return rawjson.Object{}.Text("name", i.name).Text("version", i.version).JSON()
}

// capabilities is what the workbench declares. Its tools change with its configuration,
// and in dynamic mode with what is open. Prompts, completions and resources are those of
// servers, so there are none before a toolbox is open.
const capabilities = `{"completions":{},"logging":{},"prompts":{"listChanged":true},` +
	`"resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true}}`

// ProtocolVersions returns the versions that hosts can speak, newest first.
func ProtocolVersions() []string { return protocol.Versions() }

// initialize answers the handshake of the eras that have one.
func (s *Server) initialize(_ *request, p params) ports.Answer {
	s.host.Initialize()
	s.host.Declare(p.member("capabilities"))
	name := clientName(p.member("clientInfo"))
	s.clientName.Store(&name)
	version := rawjson.Text(p.member("protocolVersion"))
	if version == "" || protocol.IsModern(version) || !protocol.IsKnownVersion(version) {
		version = protocol.LatestVersionWithHandshake
	}
	return ports.Answer{Result: rawjson.Object{}.
		Text("protocolVersion", version).
		Raw("capabilities", []byte(capabilities)).
		Raw("serverInfo", s.program.identity.json()).
		Text("instructions", s.program.listing().instructions(name)).
		JSON()}
}

func (*Server) ping(*request, params) ports.Answer {
	return ports.Answer{Result: json.RawMessage("{}")}
}

// hostConnected has servers started that are to be up when their toolboxes are opened. What
// the host can do is known: it was declared in the handshake, or, since 2026-07-28, with the
// request that asks what the workbench is or has.
func (s *Server) hostConnected() { s.connected.Do(s.useCases.Starter.StartServers) }

// discover answers server/discover, which replaces the handshake since 2026-07-28.
func (s *Server) discover(_ *request, p params) ports.Answer {
	s.hostConnected()
	return ports.Answer{Result: s.cacheable().
		Texts("supportedVersions", protocol.Versions()).
		Raw("capabilities", []byte(capabilities)).
		Text("instructions", s.program.listing().instructions(clientName(p.meta.clientInfo))).
		JSON()}
}

// cacheable begins the result of a list or a description with the members that it
// must have since 2026-07-28. They promise nothing: asking again costs almost
// nothing.
func (s *Server) cacheable() rawjson.Object {
	return rawjson.Object{}.
		Text("resultType", protocol.ResultComplete).
		Raw("_meta", rawjson.Object{}.Raw(protocol.MetaServerInfo, s.program.identity.json()).JSON()).
		Int("ttlMs", 0).
		Text("cacheScope", protocol.CacheScopePrivate)
}

// knownHost returns what is known of the host: a host of 2026-07-28 says its name with
// every request, others at the handshake.
func (s *Server) knownHost(p params) wording.Host {
	name := clientName(p.meta.clientInfo)
	if shaken := s.clientName.Load(); name == "" && shaken != nil {
		name = *shaken
	}
	return wording.HostNamed(name)
}
