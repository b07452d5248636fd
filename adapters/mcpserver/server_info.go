package mcpserver

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain/rawjson"
)

// What the workbench says of itself is made of mcp's types. The structs below embed them and put some members in
// front, where hosts have always got them: the bytes stay the same from one release to the next.

//go:embed icon.svg
var icon []byte

// implementation is mcp.Implementation with the title behind the name.
type implementation struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	mcp.Implementation
}

// describe returns the description of the workbench that hosts show, with a title and an icon (SEP-973).
func describe(version Version) json.RawMessage {
	picture := mcp.Icon{
		Src: "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(icon), MIMEType: "image/svg+xml", Sizes: []string{"any"},
	}
	return rawjson.MustMarshal(implementation{
		Name: Name, Title: "MCP Workbench", Implementation: mcp.Implementation{Version: string(version), Icons: []mcp.Icon{picture}},
	})
}

// describeShortly returns the description without what hosts show only once.
func describeShortly(version Version) json.RawMessage {
	return rawjson.MustMarshal(mcp.Implementation{Name: Name, Version: string(version)})
}

// capabilities is mcp.ServerCapabilities with extensions and completions first. The extensions are in the order in
// which they came to the workbench.
type capabilities struct {
	Extensions  json.RawMessage `json:"extensions,omitempty"`
	Completions struct{}        `json:"completions"`
	mcp.ServerCapabilities
}

// ownCapabilities returns what the workbench declares to every host. Its tools change with its configuration, and in
// dynamic mode with the open toolboxes. Prompts, completions and resources are those of servers in open toolboxes.
func ownCapabilities() capabilities {
	declared := capabilities{ServerCapabilities: mcp.ServerCapabilities{Logging: &struct{}{}}}
	newCapability(&declared.Prompts).ListChanged = true
	resources := newCapability(&declared.Resources)
	resources.Subscribe, resources.ListChanged = true, true
	newCapability(&declared.Tools).ListChanged = true
	return declared
}

// newCapability sets a capability, whose type has no name, and returns it.
func newCapability[T any](capability **T) *T {
	*capability = new(T)
	return *capability
}

// initializeResult is mcp.InitializeResult with these capabilities and with a description that is made once.
type initializeResult struct {
	mcp.InitializeResult
	Capabilities capabilities    `json:"capabilities"`
	ServerInfo   json.RawMessage `json:"serverInfo"`
	Instructions string          `json:"instructions"`
}

// discoverResult is mcp.DiscoverResult with these capabilities, and with its type first.
type discoverResult struct {
	ResultType mcp.ResultType `json:"resultType"`
	mcp.DiscoverResult
	Capabilities capabilities `json:"capabilities"`
	Instructions string       `json:"instructions"`
}

// cacheableResult is mcp.CacheableResult with its type first.
type cacheableResult struct {
	ResultType mcp.ResultType `json:"resultType"`
	mcp.CacheableResult
}

// cacheable returns the members that the result of a list or a description must have since 2026-07-28. It tells hosts
// not to cache the result, since a repeated request costs almost nothing.
func cacheable(serverInfo json.RawMessage) cacheableResult {
	result := cacheableResult{ResultType: mcp.ResultTypeComplete}
	result.SetResultMeta(mcp.NewMetaFromMap(map[string]any{mcp.MetaKeyServerInfo: serverInfo}))
	result.SetCacheHints(0, mcp.CacheScopePrivate)
	return result
}
