package mcpserver

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
)

// identity is how the workbench introduces itself, in both eras.
type identity struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// capabilities is what the workbench declares.
type capabilities struct {
	Logging   struct{}             `json:"logging"`
	Resources resourceCapabilities `json:"resources"`
	Tools     toolCapabilities     `json:"tools"`
}

type toolCapabilities struct {
	ListChanged bool `json:"listChanged,omitempty"`
}

type resourceCapabilities struct {
	Subscribe   bool `json:"subscribe"`
	ListChanged bool `json:"listChanged"`
}

// declares returns what the workbench declares: that its tools change in dynamic
// mode only.
func (s *Server) declares() capabilities {
	return capabilities{
		Resources: resourceCapabilities{Subscribe: true, ListChanged: true},
		Tools:     toolCapabilities{ListChanged: s.dynamic != nil},
	}
}

// initialize answers the handshake of the eras that have one.
func (s *Server) initialize(_ *exchange, p params) answer {
	s.host.shakeHands()
	s.host.declare(p.capabilities)
	version := jsonrpc.Text(p.protocolVersion)
	if version == "" || mcp.IsModernProtocol(version) || !mcp.IsValidProtocolVersion(version) {
		version = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	}
	return answer{result: mustMarshal(struct {
		ProtocolVersion string       `json:"protocolVersion"`
		Capabilities    capabilities `json:"capabilities"`
		ServerInfo      identity     `json:"serverInfo"`
		Instructions    string       `json:"instructions"`
	}{version, s.declares(), s.identity, s.instructions})}
}

func (*Server) ping(*exchange, params) answer {
	return answer{result: json.RawMessage("{}")}
}

// discover answers what takes the place of the handshake since 2026-07-28.
func (s *Server) discover(*exchange, params) answer {
	return answer{result: mustMarshal(struct {
		cacheable
		SupportedVersions []string     `json:"supportedVersions"`
		Capabilities      capabilities `json:"capabilities"`
		Instructions      string       `json:"instructions"`
	}{s.cacheable(), mcp.ValidProtocolVersions, s.declares(), s.instructions})}
}

// cacheable is what lists and descriptions carry since 2026-07-28. Nothing is
// promised: asking again costs next to nothing.
type cacheable struct {
	ResultType string              `json:"resultType"`
	Meta       map[string]identity `json:"_meta"`
	TTL        int                 `json:"ttlMs"`
	Scope      mcp.CacheScope      `json:"cacheScope"`
}

func (s *Server) cacheable() cacheable {
	return cacheable{
		ResultType: string(mcp.ResultTypeComplete),
		Meta:       map[string]identity{mcp.MetaKeyServerInfo: s.identity},
		Scope:      mcp.CacheScopePrivate,
	}
}
