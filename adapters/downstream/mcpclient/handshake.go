package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mcp-workbench/domain"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/domain/rawjson"
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

// handshake is what a handshake agreed on.
type handshake struct {
	version      string
	instructions string
	capabilities json.RawMessage // an object, never nil
}

// modern reports whether every request has to carry its protocol data.
func (h handshake) modern() bool { return protocol.IsModern(h.version) }

// shakeHands shakes hands. Over a link whose messages carry the version it tries
// 2026-07-28 first. Over any other it begins with initialize, since nearly every
// server over a pipe knows it and some exit on anything else.
func shakeHands(ctx context.Context, link Link, client clientInfo) (handshake, error) {
	if versioned, ok := link.(VersionedLink); ok && isModernOrUnknown(versioned.Expected()) {
		if agreed, ok, err := probe(ctx, link, client); ok || err != nil {
			return agreed, err
		}
	}
	return initialize(ctx, link, client)
}

func isModernOrUnknown(version string) bool { return version == "" || protocol.IsModern(version) }

// initialize shakes hands as the versions before 2026-07-28 do. A server that answers
// that it does not know the method is asked as 2026-07-28 does.
func initialize(ctx context.Context, link Link, client clientInfo) (handshake, error) {
	answer, err := request(ctx, link, domain.MethodInitialize, client.initializeParams())
	if err != nil {
		return handshake{}, err
	}
	if answer.Error != nil {
		if speaksModern(answer.err()) {
			if agreed, err := discover(ctx, link, client); err == nil {
				return agreed, nil
			}
		}
		return handshake{}, fmt.Errorf("the server refused the handshake: %w", answer.err())
	}
	agreed, err := readHandshake(answer.Result)
	if err != nil {
		return handshake{}, err
	}
	if agreed.version < oldestVersion || agreed.version > protocol.LatestVersion {
		return handshake{}, fmt.Errorf("the server speaks protocol version %.40q, which is not known here", agreed.version)
	}
	if agreed.modern() {
		return discover(ctx, link, client)
	}
	agree(link, agreed.version)
	if err := link.Notify(domain.MethodNotificationInitialized, nil); err != nil {
		return handshake{}, err
	}
	return agreed, nil
}

// clientInfo is how the workbench introduces itself: by its own name, and with
// what the host behind it can do.
type clientInfo struct {
	identity Identity
	host     ports.Host
}

func (i clientInfo) initializeParams() json.RawMessage {
	return rawjson.Object{}.Text("protocolVersion", protocol.LatestVersionWithHandshake).
		Raw("capabilities", i.host.Capabilities()).Raw("clientInfo", mustMarshal(i.identity)).JSON()
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
	case protocol.CodeUnsupportedProtocolVersion, protocol.CodeHeaderMismatch, protocol.CodeMethodNotFound, protocol.CodeInvalidParams:
		return true
	}
	return false
}

// discover shakes hands as 2026-07-28 does: the instructions come with the answer,
// and nothing else has to be agreed on.
func discover(ctx context.Context, link Link, client clientInfo) (handshake, error) {
	result, err := askDiscover(ctx, link, client)
	if err != nil {
		return handshake{}, err
	}
	agree(link, protocol.LatestVersion)
	return result.handshake(protocol.LatestVersion), nil
}

func askDiscover(ctx context.Context, link Link, client clientInfo) (serverInfo, error) {
	params := append(client.appendMeta([]byte(`{"_meta":{`)), '}', '}')
	answer, err := request(ctx, link, domain.MethodServerDiscover, params)
	if err != nil {
		return serverInfo{}, err
	}
	if answer.Error != nil {
		return serverInfo{}, fmt.Errorf("the server refused the handshake of %s: %w", protocol.LatestVersion, answer.err())
	}
	var result serverInfo
	if err := json.Unmarshal(answer.Result, &result); err != nil {
		return serverInfo{}, fmt.Errorf("the server gave no valid answer to server/discover: %w", err)
	}
	return result, nil
}

// appendMeta appends the members of _meta that each request of 2026-07-28 has to
// carry. What the host can do is asked each time: it may declare it with each of its
// requests.
func (i clientInfo) appendMeta(meta []byte) []byte {
	meta = append(meta, `"`+protocol.MetaProtocolVersion+`":"`+protocol.LatestVersion+`","`+protocol.MetaClientInfo+`":`...)
	meta = append(meta, mustMarshal(i.identity)...)
	meta = append(meta, `,"`+protocol.MetaClientCapabilities+`":`...)
	return append(meta, i.host.Capabilities()...)
}

// serverInfo is what a server says about itself, in both eras.
type serverInfo struct {
	ProtocolVersion string          `json:"protocolVersion"`
	Instructions    json.RawMessage `json:"instructions"`
	Capabilities    json.RawMessage `json:"capabilities"`
	// Supported is in answers to server/discover only.
	Supported json.RawMessage `json:"supportedVersions"`
}

// What a server says about itself is held as long as the session and shown to a model as it
// opens the toolbox, so it has bounds in bytes: longer instructions are cut, and larger
// capabilities are none.
const (
	maxInstructions = 256 << 10
	maxCapabilities = 1 << 20
)

func (i serverInfo) handshake(version string) handshake {
	capabilities := i.Capabilities
	if rawjson.Kind(capabilities) != '{' || len(capabilities) > maxCapabilities {
		capabilities = json.RawMessage("{}")
	}
	instructions := rawjson.Text(i.Instructions)
	if len(instructions) > maxInstructions {
		instructions = strings.ToValidUTF8(instructions[:maxInstructions], "") + "…"
	}
	return handshake{version: version, instructions: instructions, capabilities: capabilities}
}

func readHandshake(result json.RawMessage) (handshake, error) {
	var agreed serverInfo
	if err := json.Unmarshal(result, &agreed); err != nil {
		return handshake{}, fmt.Errorf("the server gave no valid answer to initialize: %w", err)
	}
	return agreed.handshake(agreed.ProtocolVersion), nil
}

// mustMarshal marshals values that this package builds and that always can be.
func mustMarshal(value any) json.RawMessage {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("marshal %T: %v", value, err))
	}
	return raw
}
