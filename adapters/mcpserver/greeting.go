package mcpserver

import (
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonscan"
)

// identity is how the workbench introduces itself, in both eras.
type identity struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (i identity) json() json.RawMessage {
	return slices.Concat([]byte(`{"name":`), jsonscan.Quote(i.Name), []byte(`,"version":`), jsonscan.Quote(i.Version), []byte("}"))
}

// declares returns the capabilities of the workbench: its tools change in dynamic
// mode only.
func (s *Server) declares() json.RawMessage {
	tools := "{}"
	if s.dynamic != nil {
		tools = `{"listChanged":true}`
	}
	return json.RawMessage(`{"logging":{},"resources":{"subscribe":true,"listChanged":true},"tools":` + tools + `}`)
}

// initialize answers the handshake of the eras that have one.
func (s *Server) initialize(_ *exchange, p params) answer {
	s.host.shakeHands()
	s.host.declare(p.capabilities)
	version := jsonscan.Text(p.protocolVersion)
	if version == "" || mcp.IsModernProtocol(version) || !mcp.IsValidProtocolVersion(version) {
		version = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	}
	// By hand, since the start waits for it: the first use of reflection takes longer
	// than all the rest.
	members := appendMember(nil, "protocolVersion", jsonscan.Quote(version))
	members = appendMember(members, "capabilities", s.declares())
	members = appendMember(members, "serverInfo", s.identity.json())
	members = appendMember(members, "instructions", jsonscan.Quote(s.instructions))
	return answer{result: slices.Concat([]byte("{"), members, []byte("}"))}
}

func (*Server) ping(*exchange, params) answer {
	return answer{result: json.RawMessage("{}")}
}

// discover answers what takes the place of the handshake since 2026-07-28.
func (s *Server) discover(*exchange, params) answer {
	return answer{result: mustMarshal(struct {
		cacheable
		SupportedVersions []string        `json:"supportedVersions"`
		Capabilities      json.RawMessage `json:"capabilities"`
		Instructions      string          `json:"instructions"`
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
