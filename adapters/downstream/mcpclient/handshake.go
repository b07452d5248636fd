package mcpclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Identity is the name and version by which the workbench introduces itself to servers.
type Identity = mcp.Implementation

// oldestVersion is the oldest revision that servers still use; the official SDKs accept it too.
const oldestVersion = "2024-10-07"

// handshake is the result of a handshake.
type handshake struct {
	version      string
	instructions string
	title        string          // "" for none
	capabilities json.RawMessage // an object, never nil
}

// modern reports whether every request carries its protocol data.
func (h handshake) modern() bool { return mcp.IsModernProtocol(h.version) }

// shakeHands tries 2026-07-28 first, unless the link expects a version with a handshake, or expects none and the host takes
// requests: a server of both eras can make them in the other one only.
func shakeHands(ctx context.Context, link Link, client clientInfo) (handshake, error) {
	switch expected := link.Expected(); {
	case expected == "" && ports.TakesRequests(client.host):
		agreed, err := initialize(ctx, link, client)
		if err == nil || isAboutLogin(err) {
			return agreed, err
		}
		modern, ok, refusal := probe(ctx, link, client)
		if ok {
			return modern, nil
		}
		return handshake{}, cmp.Or(refusal, err)
	case expected == "" || mcp.IsModernProtocol(expected):
		if agreed, ok, err := probe(ctx, link, client); ok || err != nil {
			return agreed, err
		}
	}
	return initialize(ctx, link, client)
}

// initialize does the handshake of the versions before 2026-07-28. If the server refuses the version and
// names others, it is asked again with the newest of them. If it answers that it does not know the
// method, initialize continues with server/discover.
func initialize(ctx context.Context, link Link, client clientInfo) (handshake, error) {
	answer, err := askInitialize(ctx, link, client)
	if version := otherVersion(client.version, cmp.Or(err, answer.err())); version != "" {
		client.version = version
		answer, err = askInitialize(ctx, link, client)
	}
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
	var info serverInfo
	if json.Unmarshal(answer.Result, &info) != nil {
		what := "it is " + rawjson.KindName(answer.Result)
		if version := rawjson.Member(answer.Result, "protocolVersion"); version != nil {
			what = "its protocolVersion is " + rawjson.KindName(version)
		}
		return handshake{}, fmt.Errorf("the server gave no valid answer to initialize: %s", what)
	}
	agreed := info.handshake(info.ProtocolVersion)
	if agreed.version < oldestVersion || agreed.version > mcp.LATEST_PROTOCOL_VERSION {
		return handshake{}, fmt.Errorf("the server speaks protocol version %.40q, which the workbench does not know", agreed.version)
	}
	if agreed.modern() {
		return discover(ctx, link, client)
	}
	link.Agree(agreed.version)
	if err := link.Notify(mcp.MethodNotificationInitialized, nil); err != nil {
		return handshake{}, err
	}
	return agreed, nil
}

func askInitialize(ctx context.Context, link Link, client clientInfo) (Answer, error) {
	return Ask(ctx, link.Request, Request{Method: mcp.MethodInitialize, Params: client.initializeParams()})
}

// RefusingError is an error that a link makes of a server's refusal. Refusal returns the server's words.
type RefusingError interface {
	error
	Refusal() string
}

// otherVersion returns the newest version with a handshake that a refusal names besides the offered one, ""
// for none.
func otherVersion(offered string, refusal error) string {
	var words string
	if failure, ok := errors.AsType[*RequestError](refusal); ok {
		words = failure.Message + " " + string(failure.Data)
	} else if failure, ok := errors.AsType[RefusingError](refusal); ok {
		words = failure.Refusal()
	}
	return VersionIn(words, offered)
}

// VersionIn returns the newest version with a handshake that a text names besides the offered one, "" for
// none.
func VersionIn(text, offered string) string {
	for _, version := range mcp.LegacyProtocolVersions() {
		if version != offered && strings.Contains(text, version) {
			return version
		}
	}
	return ""
}

// clientInfo describes the workbench to a server: its identity, the capabilities of the host, and the
// version with a handshake that it offers.
type clientInfo struct {
	identity json.RawMessage // an Identity
	host     ports.Host
	version  string
}

func (i clientInfo) initializeParams() json.RawMessage {
	return rawjson.Object{}.Text("protocolVersion", i.version).
		Raw("capabilities", i.host.Capabilities()).Raw("clientInfo", i.identity).JSON()
}

// speaksModern reports whether a server that refused initialize may know only 2026-07-28: it names
// versions, misses the protocol data of a request or its headers, or does not know the method.
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

// discover does the handshake of 2026-07-28: one request for the server's description of itself.
func discover(ctx context.Context, link Link, client clientInfo) (handshake, error) {
	result, err := askDiscover(ctx, link, client)
	if err != nil {
		return handshake{}, err
	}
	link.Agree(mcp.LATEST_PROTOCOL_VERSION)
	return result.handshake(mcp.LATEST_PROTOCOL_VERSION), nil
}

func askDiscover(ctx context.Context, link Link, client clientInfo) (serverInfo, error) {
	params := append(client.appendMeta([]byte(`{"_meta":{`)), '}', '}')
	answer, err := Ask(ctx, link.Request, Request{Method: mcp.MethodServerDiscover, Params: params})
	if err != nil {
		return serverInfo{}, err
	}
	if answer.Error != nil {
		return serverInfo{}, fmt.Errorf("the server refused the handshake of %s: %w", mcp.LATEST_PROTOCOL_VERSION, answer.err())
	}
	var result serverInfo
	if err := json.Unmarshal(answer.Result, &result); err != nil {
		return serverInfo{}, fmt.Errorf("the server gave no valid answer to server/discover: %w", err)
	}
	return result, nil
}

// appendMeta appends the members of _meta that each request of 2026-07-28 carries. It reads the host's
// capabilities each time, since a host can declare them with each of its requests.
func (i clientInfo) appendMeta(meta []byte) []byte {
	meta = append(meta, `"`+mcp.MetaKeyProtocolVersion+`":"`+mcp.LATEST_PROTOCOL_VERSION+`","`+mcp.MetaKeyClientInfo+`":`...)
	meta = append(meta, i.identity...)
	meta = append(meta, `,"`+mcp.MetaKeyClientCapabilities+`":`...)
	return append(meta, i.host.Capabilities()...)
}

// serverInfo is a server's description of itself, in both eras.
type serverInfo struct {
	ProtocolVersion string          `json:"protocolVersion"`
	Instructions    json.RawMessage `json:"instructions"`
	Capabilities    json.RawMessage `json:"capabilities"`
	ServerInfo      json.RawMessage `json:"serverInfo"`
	// Supported is only in answers to server/discover.
	Supported json.RawMessage `json:"supportedVersions"`
}

// A server's description of itself is kept as long as its session, and shown to a model, so it has
// bounds in bytes: longer instructions are cut, and larger capabilities are ignored.
const (
	maxInstructions = 256 << 10
	maxCapabilities = 1 << 20
	maxTitle        = 200
)

func (i serverInfo) handshake(version string) handshake {
	capabilities := i.Capabilities
	if rawjson.Kind(capabilities) != '{' || len(capabilities) > maxCapabilities {
		capabilities = json.RawMessage("{}")
	}
	instructions := domain.CutBytes(rawjson.Text(i.Instructions), maxInstructions)
	title := domain.SeenName(rawjson.Text(rawjson.Member(i.ServerInfo, "title")))
	if len(title) > maxTitle {
		title = "" // it is no title
	}
	return handshake{version: version, instructions: instructions, title: title, capabilities: capabilities}
}
