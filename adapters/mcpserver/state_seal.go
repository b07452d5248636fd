package mcpserver

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// stateSeal seals the requestState of servers for one host, so that no host continues a request of
// another: a host can send any state that it made or found (2026-07-28, basic/patterns/mrtr). A
// sealed state contains the server's bytes and a code over them and their owner, under a key that
// the host never sees. It is valid as long as the host's session. Safe for concurrent use.
//
// Decision: the code does not cover the arguments of a call. The server gets them with its state
// and can compare them itself; the host is the same.
type stateSeal struct {
	key [sha256.Size]byte
	// everything is set if there are other hosts: every state is sealed. Otherwise results keep
	// their bytes, except for a state of another workbench behind this one.
	everything bool
	questions  inputOwners
}

// stateOwner is the request for which a server gave a state.
type stateOwner struct {
	method mcp.MCPMethod
	server domain.ServerID
	name   string // of the tool, prompt or other object of the method
	// called is the name in the host's request, if it can belong to another server when the host
	// continues the request; "" if the host names the server.
	called string
}

const (
	requestStateKey = "requestState"
	// sealedPrefix begins a sealed state.
	sealedPrefix = workbenchPrefix + "-sealed:"
	// workbenchPrefix begins every state of a workbench.
	workbenchPrefix = "mcp-workbench"
)

func newStateSeal() *stateSeal {
	s := &stateSeal{}
	_, _ = rand.Read(s.key[:]) // never fails
	return s
}

// seal seals the state of an answer that asks for input, and remembers its server if the owner has
// a name that the host called. All other bytes are kept.
func (s *stateSeal) seal(answer ports.Answer, owner stateOwner) ports.Answer {
	if !host.AsksForInput(answer) {
		return answer
	}
	state := rawjson.Member(answer.Result, requestStateKey)
	if !rawjson.IsNull(state) && (s.everything || strings.HasPrefix(rawjson.Text(state), workbenchPrefix)) {
		state = rawjson.Quote(s.sealed(state, owner))
		answer.Result = withOnly(answer.Result, requestStateKey, state)
	}
	if owner.called != "" {
		s.questions.asked(owner, state)
	}
	return answer
}

// resume returns the owner of the request that the host continues, and the state as the server gave
// it; an absent or null state is unchanged. An owner without a server gets the one that asked.
// resume returns false for a state or input that the owner did not ask for.
func (s *stateSeal) resume(given continuation, owner stateOwner) (stateOwner, json.RawMessage, bool) {
	if owner.called != "" && (!rawjson.IsNull(given.requestState) || !rawjson.IsNull(given.inputResponses)) {
		server, known := s.questions.server(owner, given.requestState)
		if !known || owner.server != server && owner.server != (domain.ServerID{}) {
			return owner, nil, false
		}
		owner.server = server
	}
	state, ok := s.open(given.requestState, owner)
	return owner, state, ok
}

// open returns a state of the host as the server gave it; an absent or null state is unchanged. It
// returns false if the state was not given to the host for the owner's request.
func (s *stateSeal) open(given json.RawMessage, owner stateOwner) (state json.RawMessage, ok bool) {
	if rawjson.IsNull(given) {
		return given, true
	}
	text := rawjson.Text(given)
	encoded, isSealed := strings.CutPrefix(text, sealedPrefix)
	if !isSealed {
		return given, !s.everything
	}
	decoded, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || len(decoded) < sha256.Size {
		return nil, false
	}
	state = decoded[sha256.Size:]
	// The whole text is compared, since several texts decode to the same bytes.
	return state, hmac.Equal([]byte(s.sealed(state, owner)), []byte(text))
}

func (s *stateSeal) sealed(state json.RawMessage, owner stateOwner) string {
	code := hmac.New(sha256.New, s.key[:])
	for _, part := range []string{string(owner.method), string(owner.server.Toolbox), string(owner.server.Server), owner.name} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		code.Write(length[:])
		code.Write([]byte(part))
	}
	code.Write(state)
	return sealedPrefix + base64.RawURLEncoding.EncodeToString(append(code.Sum(nil), state...))
}

// opened returns parameters with an opened state. A server may ignore the case of names, so other
// spellings of the member are removed if every state is sealed.
func (s *stateSeal) opened(params, state json.RawMessage) json.RawMessage {
	if s.everything {
		var others []string
		_ = rawjson.EachMember(params, func(name, _ []byte) error { // they are an object
			if text := string(name); text != requestStateKey && strings.EqualFold(text, requestStateKey) {
				others = append(others, text)
			}
			return nil
		})
		for _, name := range others {
			params = rawjson.Without(params, name)
		}
	}
	if state == nil {
		return params
	}
	return withOnly(params, requestStateKey, state)
}
