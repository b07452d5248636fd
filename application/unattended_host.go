package application

import (
	"context"
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// unattendedHost is a host without a user or a model, for inspecting servers. It
// answers their requests: no roots, declined elicitation, refused sampling.
type unattendedHost struct{ capabilities string }

// All capabilities that the protocol names (2025-11-25, ClientCapabilities), and none.
// Extensions are left out, since no list of them is complete.
const (
	allCapabilities = `{"roots":{"listChanged":true},"sampling":{"context":{},"tools":{}},"elicitation":{"form":{},"url":{}},` +
		`"tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}}}`
	noCapabilities = `{}`
)

var _ ports.Host = unattendedHost{}

// Capabilities implements ports.Host.
func (h unattendedHost) Capabilities() json.RawMessage { return json.RawMessage(h.capabilities) }

// Notify implements ports.Host. Notifications are ignored.
func (unattendedHost) Notify(domain.ServerID, ports.Message) {}

// Request implements ports.Host.
func (unattendedHost) Request(_ context.Context, _ domain.ServerID, request ports.Message, reply ports.Reply) {
	switch request.Method {
	case domain.MethodListRoots:
		reply(ports.Answer{Result: json.RawMessage(`{"roots":[]}`)}, nil)
	case domain.MethodElicitationCreate:
		reply(ports.Answer{Result: json.RawMessage(`{"action":"decline"}`)}, nil)
	case domain.MethodSamplingCreateMessage:
		// The code in the specification's example of a refusal by the user.
		reply(ports.Answer{Error: json.RawMessage(`{"code":-1,"message":"no model is there to answer"}`)}, nil)
	default:
		reply(ports.Answer{Error: json.RawMessage(`{"code":-32601,"message":"no host is there to answer"}`)}, nil)
	}
}
