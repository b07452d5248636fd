package mcpserver

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// inputOwners remembers which server asked the host for input instead of returning a result. The
// host continues such a request by the name of a prompt, a registered tool or a resource, which
// can belong to another server by then, so the input goes to the server that asked, or to none.
// Old questions are forgotten, and requests that continue them are refused. Safe for concurrent
// use.
type inputOwners struct {
	mu      sync.Mutex // guards servers
	servers domain.Recent[questionKey, domain.ServerID]
}

// questionKey is a hash of what continues a request: its method, its name, and the host's state if
// there is one.
type questionKey [sha256.Size]byte

// maxQuestions is the number of questions that are remembered before old ones are forgotten.
const maxQuestions = 2_000

// asked records that a server asked for input and gave the host that state. If two servers asked
// with the same key, the question belongs to neither.
func (o *inputOwners) asked(owner stateOwner, state json.RawMessage) {
	key := owner.question(state)
	o.mu.Lock()
	defer o.mu.Unlock()
	server := owner.server
	if asked, known := o.servers.Get(key); known && asked != server {
		server = domain.ServerID{}
	}
	o.servers.Put(key, server, maxQuestions)
}

// server returns the server whose question a request of the host continues, and reports whether
// there is one. It ignores the server of the owner.
func (o *inputOwners) server(owner stateOwner, state json.RawMessage) (domain.ServerID, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	server, _ := o.servers.Get(owner.question(state))
	return server, server != domain.ServerID{}
}

// question returns the key of a state that was given for a request. Escapes in a state that is a
// string make no difference.
func (o stateOwner) question(state json.RawMessage) (key questionKey) {
	hash := sha256.New()
	for _, part := range []string{string(o.method), o.called, rawjson.Text(state), kindOf(state)} {
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		hash.Write([]byte(part))
	}
	hash.Sum(key[:0])
	return key
}

// kindOf distinguishes an absent state from an empty string, and other values from both.
func kindOf(state json.RawMessage) string {
	switch {
	case rawjson.IsNull(state):
		return ""
	case rawjson.Kind(state) == '"':
		return `"`
	}
	return string(state)
}
