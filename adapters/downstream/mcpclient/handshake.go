package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

// Identity is how the workbench introduces itself to servers.
type Identity struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// oldestVersion is the first revision that servers in the field still name; the
// official SDKs accept it too.
const oldestVersion = "2024-10-07"

// greeting is what a handshake brings to light.
type greeting struct {
	version      string
	instructions string
}

// modern reports whether every request has to carry its protocol data.
func (g greeting) modern() bool { return mcp.IsModernProtocol(g.version) }

// greet shakes hands. It begins with initialize, since nearly every server over
// a pipe knows it and some exit on anything else; a server that answers that it
// does not is asked in the way of 2026-07-28.
func greet(ctx context.Context, link Link, identity Identity) (greeting, error) {
	answer, err := request(ctx, link, string(mcp.MethodInitialize), initializeParams(identity))
	if err != nil {
		return greeting{}, err
	}
	if answer.Error != nil {
		if speaksModern(answer.err()) {
			if hello, err := discover(ctx, link, identity); err == nil {
				return hello, nil
			}
		}
		return greeting{}, fmt.Errorf("the server refused the handshake: %w", answer.err())
	}
	hello, err := readGreeting(answer.Result)
	if err != nil {
		return greeting{}, err
	}
	if hello.version < oldestVersion || hello.version > mcp.LATEST_PROTOCOL_VERSION {
		return greeting{}, fmt.Errorf("the server speaks protocol version %q, which is not known here", hello.version)
	}
	if hello.modern() {
		return discover(ctx, link, identity)
	}
	if err := link.Notify(ctx, "notifications/initialized", nil); err != nil {
		return greeting{}, err
	}
	return hello, nil
}

func initializeParams(identity Identity) json.RawMessage {
	return mustMarshal(struct {
		ProtocolVersion string   `json:"protocolVersion"`
		Capabilities    struct{} `json:"capabilities"`
		ClientInfo      Identity `json:"clientInfo"`
	}{ProtocolVersion: mcp.LATEST_LEGACY_PROTOCOL_VERSION, ClientInfo: identity})
}

// speaksModern reports whether a refused initialize comes from a server that may
// know 2026-07-28 only: it names versions, misses the protocol data of a
// request, or does not know the method.
func speaksModern(refusal error) bool {
	failure, ok := errors.AsType[*RequestError](refusal)
	if !ok {
		return false
	}
	switch failure.Code {
	case mcp.UNSUPPORTED_PROTOCOL_VERSION, mcp.METHOD_NOT_FOUND, mcp.INVALID_PARAMS:
		return true
	}
	return false
}

// discover shakes hands in the way of 2026-07-28, where the instructions come
// with the answer and nothing else has to be agreed on.
func discover(ctx context.Context, link Link, identity Identity) (greeting, error) {
	hello := greeting{version: mcp.LATEST_PROTOCOL_VERSION}
	params := json.RawMessage(`{"_meta":` + string(requestMeta(identity)) + `}`)
	answer, err := request(ctx, link, string(mcp.MethodServerDiscover), params)
	if err != nil {
		return greeting{}, err
	}
	if answer.Error != nil {
		return greeting{}, fmt.Errorf("the server refused the handshake of %s: %w", hello.version, answer.err())
	}
	var result struct {
		Instructions string `json:"instructions"`
	}
	if err := json.Unmarshal(answer.Result, &result); err != nil {
		return greeting{}, fmt.Errorf("the server answered server/discover with something else: %w", err)
	}
	hello.instructions = result.Instructions
	return hello, nil
}

// requestMeta returns the members of _meta that each request of 2026-07-28 has
// to carry.
func requestMeta(identity Identity) json.RawMessage {
	return mustMarshal(map[string]any{
		mcp.MetaKeyProtocolVersion:    mcp.LATEST_PROTOCOL_VERSION,
		mcp.MetaKeyClientCapabilities: struct{}{},
		mcp.MetaKeyClientInfo:         identity,
	})
}

func readGreeting(result json.RawMessage) (greeting, error) {
	var hello struct {
		ProtocolVersion string          `json:"protocolVersion"`
		Instructions    json.RawMessage `json:"instructions"`
	}
	if err := json.Unmarshal(result, &hello); err != nil {
		return greeting{}, fmt.Errorf("the server answered initialize with something else: %w", err)
	}
	return greeting{version: hello.ProtocolVersion, instructions: textOf(hello.Instructions)}, nil
}

// textOf returns the text of a raw JSON string, "" for anything else: a server
// with an odd text is still a server.
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// mustMarshal marshals values that this package builds and that always can be.
func mustMarshal(value any) json.RawMessage {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("marshal %T: %v", value, err))
	}
	return raw
}
