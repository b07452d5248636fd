package mcpserver

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// inputOwners remembers which server asked the host for input in place of a result. The host
// continues such a request by a name (of a prompt, a registered tool, a resource) that may
// lead to another server by then, so what it sends goes to the server that asked or to none.
// Old questions are forgotten, and what continues them is refused. Safe for concurrent use.
type inputOwners struct {
	mu      sync.Mutex // guards servers
	servers domain.Recent[questionKey, domain.ServerID]
}

// questionKey stands for what continues a request: its method, its name and the state as the
// host has it, nothing for a question without a state.
type questionKey [sha256.Size]byte

// maxQuestions is how many questions are remembered before old ones are forgotten.
const maxQuestions = 2_000

// asked notes that a server asked for input and gave the host that state. What two servers
// asked in the same way belongs to neither.
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

// server returns the server that a request of the host continues a question of, and whether
// there is one. Of the owner everything but the server counts.
func (o *inputOwners) server(owner stateOwner, state json.RawMessage) (domain.ServerID, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	server, _ := o.servers.Get(owner.question(state))
	return server, server != domain.ServerID{}
}

// question returns the key of a state that was given for a request. Two ways to write one
// text are the same.
func (o stateOwner) question(state json.RawMessage) (key questionKey) {
	hash := sha256.New()
	for _, part := range []string{o.method, o.called, rawjson.Text(state), kindOf(state)} {
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		hash.Write([]byte(part))
	}
	hash.Sum(key[:0])
	return key
}

// kindOf sets an absent state apart from an empty text, and what is no text from both.
func kindOf(state json.RawMessage) string {
	switch {
	case rawjson.IsNull(state):
		return ""
	case rawjson.Kind(state) == '"':
		return `"`
	}
	return string(state)
}
