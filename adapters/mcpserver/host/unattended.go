package host

import (
	"context"
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/ports"

	"github.com/mark3labs/mcp-go/mcp"
)

// Unattended is a host without a user or a model, for inspecting servers. It has no roots, declines
// what servers ask a user, and refuses what they ask a model.
type Unattended struct {
	// IsCapable says that the host declares all capabilities, not none.
	IsCapable bool
}

// allCapabilities are all capabilities that the protocol names (2025-11-25, ClientCapabilities).
// Extensions are left out, since no list of them is complete.
const allCapabilities = `{"roots":{"listChanged":true},"sampling":{"context":{},"tools":{}},"elicitation":{"form":{},"url":{}},` +
	`"tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}}}`

var _ ports.Host = Unattended{}

// Capabilities implements ports.Host.
func (u Unattended) Capabilities() json.RawMessage {
	if u.IsCapable {
		return json.RawMessage(allCapabilities)
	}
	return json.RawMessage("{}")
}

// Notify implements ports.Host. Notifications are ignored.
func (Unattended) Notify(domain.ServerID, ports.Notification) {}

// codeDeclined is the code in the specification's example of a refusal by the user.
const codeDeclined = -1

// Request implements ports.Host.
func (Unattended) Request(_ context.Context, _ domain.ServerID, request ports.Message, reply ports.Reply) {
	switch mcp.MCPMethod(request.Method) {
	case mcp.MethodListRoots:
		reply(ports.Answer{Result: json.RawMessage(`{"roots":[]}`)}, nil)
	case mcp.MethodElicitationCreate:
		reply(ports.Answer{Result: json.RawMessage(`{"action":"decline"}`)}, nil)
	case mcp.MethodSamplingCreateMessage:
		reply(refusal(codeDeclined, "no model is there to answer"), nil)
	default:
		reply(refusal(mcp.METHOD_NOT_FOUND, "no host is there to answer"), nil)
	}
}
