package mcpserver

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strings"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// stateSeal seals the requestState of servers for one host, so that nobody continues with
// a server what another host began: whoever sends a state may have made or found it
// (2026-07-28, basic/patterns/mrtr). A sealed state carries the server's bytes and a code
// over them, over what they were given for, and under a key that the host never sees. It
// lives as long as the host's session. Safe for concurrent use.
//
// Decision: the arguments of a call are not sealed in. The server gets them beside its
// state and is who knows what it makes of them; the host is the same one.
type stateSeal struct {
	key [sha256.Size]byte
	// everything is set where there are other hosts: no state leaves or comes in without a
	// seal. Otherwise results keep their bytes, and only a state that looks like one of a
	// workbench is sealed: that of a workbench behind this one.
	everything bool
	questions  inputOwners
}

// stateOwner is what a server gave a state for.
type stateOwner struct {
	method string
	server domain.ServerID
	name   string // of a tool, a prompt, or what else the method is about
	// called is the name by which the host made the request, if that name may lead to another
	// server when the host continues it; "" where the host names the server.
	called string
}

const (
	requestStateKey = "requestState"
	// sealedPrefix begins a sealed state.
	sealedPrefix = workbenchPrefix + "-sealed:"
	// workbenchPrefix begins whatever state a workbench makes.
	workbenchPrefix = "mcp-workbench"
)

func newStateSeal() *stateSeal {
	s := &stateSeal{}
	_, _ = rand.Read(s.key[:]) // which never fails
	return s
}

// seal returns an answer whose result has its state sealed, if it asks for input, and
// remembers who asks where a name alone does not say that. Every other byte stays.
func (s *stateSeal) seal(answer ports.Answer, owner stateOwner) ports.Answer {
	if !host.AsksForInput(answer.Result) {
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

// resume returns the owner of what a request of the host continues, and the state in the
// bytes that the server gave it, absent or null as it is. An owner without a server gets the
// one that asked. Resume returns false for a state or an input that the owner did not ask for.
func (s *stateSeal) resume(given continuation, owner stateOwner) (stateOwner, json.RawMessage, bool) {
	if owner.called != "" && (!rawjson.IsNull(given.state) || !rawjson.IsNull(given.responses)) {
		server, known := s.questions.server(owner, given.state)
		if !known || owner.server != server && owner.server != (domain.ServerID{}) {
			return owner, nil, false
		}
		owner.server = server
	}
	state, ok := s.open(given.state, owner)
	return owner, state, ok
}

// continuation are the members of a request that continue another one, absent in any other.
type continuation struct{ state, responses json.RawMessage }

// open returns a state that a host sends in the bytes that the server gave it, absent or
// null as it is. It returns false for one that was not given to the host for that.
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
	// The whole text is compared, since a text can be decoded that nobody encoded.
	return state, hmac.Equal([]byte(s.sealed(state, owner)), []byte(text))
}

func (s *stateSeal) sealed(state json.RawMessage, owner stateOwner) string {
	code := hmac.New(sha256.New, s.key[:])
	for _, part := range []string{owner.method, string(owner.server.Toolbox), string(owner.server.Server), owner.name} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		code.Write(length[:])
		code.Write([]byte(part))
	}
	code.Write(state)
	return sealedPrefix + base64.RawURLEncoding.EncodeToString(append(code.Sum(nil), state...))
}

// opened returns parameters that are passed on whole with a state that was opened. A server
// may read names in any case, so other spellings of the member go where states are sealed.
func (s *stateSeal) opened(params, state json.RawMessage) json.RawMessage {
	if s.everything {
		var others []string
		_ = rawjson.EachMember(params, func(name, _ []byte) error { // the caller has seen that it is an object
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
