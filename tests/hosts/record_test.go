package hosts_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// record holds the messages between a host and the workbench.
type record struct {
	// name and version are the host's own, and protocol is the version that it
	// proposes.
	name, version, protocol string
	capabilities            []string
	instructions            string
	// asksForProgress reports whether a call of a tool that reports progress carried a
	// token, and progress whether a notification was sent.
	asksForProgress, progress bool
	// elicitation is the answer of the host, "" if it was not asked.
	elicitation string
}

func (r record) declares(capability string) bool { return slices.Contains(r.capabilities, capability) }

// message is a recorded line.
type message struct {
	ID     json.RawMessage
	Method string
	Params struct {
		ProtocolVersion string
		Capabilities    map[string]json.RawMessage
		ClientInfo      struct{ Name, Version string }
		Name            string
		Arguments       struct{ Tool struct{ Tool string } }
		Meta            struct {
			ProgressToken json.RawMessage
			// These members are in each request of 2026-07-28.
			Protocol     string                         `json:"io.modelcontextprotocol/protocolVersion"`
			ClientInfo   struct{ Name, Version string } `json:"io.modelcontextprotocol/clientInfo"`
			Capabilities map[string]json.RawMessage     `json:"io.modelcontextprotocol/clientCapabilities"`
		} `json:"_meta"`
		InputResponses map[string]struct{ Action string }
	}
	Result struct {
		Action, Instructions string
	}
}

// readRecord reads the file of the recorder of an account.
func readRecord(d account) record {
	GinkgoHelper()
	var r record
	for _, m := range messagesIn(d.read("from-host")) {
		switch {
		case m.Method == "initialize":
			r.name, r.version = m.Params.ClientInfo.Name, m.Params.ClientInfo.Version
			r.protocol = m.Params.ProtocolVersion
			r.capabilities = slices.Sorted(maps.Keys(m.Params.Capabilities))
		case m.Method == "server/discover":
			meta := m.Params.Meta
			r.name, r.version, r.protocol = meta.ClientInfo.Name, meta.ClientInfo.Version, meta.Protocol
			r.capabilities = slices.Sorted(maps.Keys(meta.Capabilities))
		case len(m.Params.InputResponses) > 0:
			for _, response := range m.Params.InputResponses {
				r.elicitation = response.Action
			}
		case m.Method == "tools/call" && m.Params.Arguments.Tool.Tool == "echo":
			r.asksForProgress = m.Params.Meta.ProgressToken != nil
		case m.Method == "" && m.Result.Action != "":
			r.elicitation = m.Result.Action
		}
	}
	for _, m := range messagesIn(d.read("to-host")) {
		if m.Result.Instructions != "" {
			r.instructions = m.Result.Instructions
		}
		r.progress = r.progress || m.Method == "notifications/progress"
	}
	Expect(r.protocol).NotTo(BeEmpty(), "the host did not connect")
	return r
}

func messagesIn(text string) []message {
	GinkgoHelper()
	var messages []message
	for line := range strings.Lines(text) {
		var m message
		// Other members of a line may have any type.
		_ = json.Unmarshal([]byte(line), &m)
		messages = append(messages, m)
	}
	return messages
}
