package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcp-workbench/domain"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/ports"
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
	capabilities json.RawMessage // an object, never nil
}

// modern reports whether every request has to carry its protocol data.
func (g greeting) modern() bool { return mcp.IsModernProtocol(g.version) }

// greet shakes hands. Over a link that tells versions it asks in the way of
// 2026-07-28 first. Over any other it begins with initialize, since nearly every
// server over a pipe knows it and some exit on anything else.
func greet(ctx context.Context, link Link, host introduction) (greeting, error) {
	if versioned, ok := link.(VersionedLink); ok && isModernOrUnknown(versioned.Expected()) {
		if hello, ok := probe(ctx, link, host); ok {
			return hello, nil
		}
	}
	return initialize(ctx, link, host)
}

func isModernOrUnknown(version string) bool { return version == "" || mcp.IsModernProtocol(version) }

// initialize shakes hands in the way of before 2026-07-28. A server that answers
// that it does not know it is asked in the way of that version.
func initialize(ctx context.Context, link Link, host introduction) (greeting, error) {
	answer, err := request(ctx, link, domain.MethodInitialize, host.initializeParams())
	if err != nil {
		return greeting{}, err
	}
	if answer.Error != nil {
		if speaksModern(answer.err()) {
			if hello, err := discover(ctx, link, host); err == nil {
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
		return discover(ctx, link, host)
	}
	agree(link, hello.version)
	if err := link.Notify(domain.MethodNotificationInitialized, nil); err != nil {
		return greeting{}, err
	}
	return hello, nil
}

// introduction is how the workbench introduces itself: by its own name, and with
// what the host behind it can do.
type introduction struct {
	identity Identity
	host     ports.Host
}

func (i introduction) initializeParams() json.RawMessage {
	params := []byte(`{"protocolVersion":"` + mcp.LATEST_LEGACY_PROTOCOL_VERSION + `","capabilities":`)
	params = append(params, i.host.Capabilities()...)
	params = append(params, `,"clientInfo":`...)
	return append(append(params, mustMarshal(i.identity)...), '}')
}

// speaksModern reports whether a refused initialize comes from a server that may
// know 2026-07-28 only: it names versions, misses the protocol data of a
// request or its headers, or does not know the method.
func speaksModern(refusal error) bool {
	failure, ok := errors.AsType[*RequestError](refusal)
	if !ok {
		return false
	}
	switch failure.Code {
	case mcp.UNSUPPORTED_PROTOCOL_VERSION, mcp.HEADER_MISMATCH, mcp.METHOD_NOT_FOUND, mcp.INVALID_PARAMS:
		return true
	}
	return false
}

// discover shakes hands in the way of 2026-07-28, where the instructions come
// with the answer and nothing else has to be agreed on.
func discover(ctx context.Context, link Link, host introduction) (greeting, error) {
	result, err := askDiscover(ctx, link, host)
	if err != nil {
		return greeting{}, err
	}
	agree(link, mcp.LATEST_PROTOCOL_VERSION)
	return result.greeting(mcp.LATEST_PROTOCOL_VERSION), nil
}

func askDiscover(ctx context.Context, link Link, host introduction) (declaration, error) {
	params := append(host.appendMeta([]byte(`{"_meta":{`)), '}', '}')
	answer, err := request(ctx, link, domain.MethodServerDiscover, params)
	if err != nil {
		return declaration{}, err
	}
	if answer.Error != nil {
		return declaration{}, fmt.Errorf("the server refused the handshake of %s: %w", mcp.LATEST_PROTOCOL_VERSION, answer.err())
	}
	var result declaration
	if err := json.Unmarshal(answer.Result, &result); err != nil {
		return declaration{}, fmt.Errorf("the server answered server/discover with something else: %w", err)
	}
	return result, nil
}

// appendMeta appends the members of _meta that each request of 2026-07-28 has to
// carry. What the host can do is asked anew each time: it may declare it with
// each of its requests.
func (i introduction) appendMeta(meta []byte) []byte {
	meta = append(meta, `"`+mcp.MetaKeyProtocolVersion+`":"`+mcp.LATEST_PROTOCOL_VERSION+`","`+mcp.MetaKeyClientInfo+`":`...)
	meta = append(meta, mustMarshal(i.identity)...)
	meta = append(meta, `,"`+mcp.MetaKeyClientCapabilities+`":`...)
	return append(meta, i.host.Capabilities()...)
}

// declaration is what a server says of itself, in both eras.
type declaration struct {
	ProtocolVersion string          `json:"protocolVersion"`
	Instructions    json.RawMessage `json:"instructions"`
	Capabilities    json.RawMessage `json:"capabilities"`
	// Supported is in answers to server/discover only.
	Supported json.RawMessage `json:"supportedVersions"`
}

func (d declaration) greeting(version string) greeting {
	capabilities := d.Capabilities
	if jsonscan.Kind(capabilities) != '{' {
		capabilities = json.RawMessage("{}")
	}
	return greeting{version: version, instructions: jsonscan.Text(d.Instructions), capabilities: capabilities}
}

func readGreeting(result json.RawMessage) (greeting, error) {
	var hello declaration
	if err := json.Unmarshal(result, &hello); err != nil {
		return greeting{}, fmt.Errorf("the server answered initialize with something else: %w", err)
	}
	return hello.greeting(hello.ProtocolVersion), nil
}

// mustMarshal marshals values that this package builds and that always can be.
func mustMarshal(value any) json.RawMessage {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("marshal %T: %v", value, err))
	}
	return raw
}
