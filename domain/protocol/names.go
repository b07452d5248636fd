package protocol

// Keys of _meta (2026-07-28, "Per-request metadata").
const (
	MetaProtocolVersion    = "io.modelcontextprotocol/protocolVersion"
	MetaClientInfo         = "io.modelcontextprotocol/clientInfo"
	MetaClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaServerInfo         = "io.modelcontextprotocol/serverInfo"
	MetaLogLevel           = "io.modelcontextprotocol/logLevel"
	MetaSubscriptionID     = "io.modelcontextprotocol/subscriptionId"
)

// Values of resultType and cacheScope in results of 2026-07-28.
const (
	ResultComplete      = "complete"
	ResultInputRequired = "input_required"
	CacheScopePrivate   = "private"
)

// Error codes of JSON-RPC 2.0 and of MCP.
const (
	CodeMethodNotFound             = -32601
	CodeInvalidParams              = -32602
	CodeResourceNotFound           = -32002
	CodeHeaderMismatch             = -32020
	CodeMissingCapability          = -32021
	CodeUnsupportedProtocolVersion = -32022
	CodeURLElicitationRequired     = -32042
)

// SubscriptionFilter says which changes subscriptions/listen asks for, or which ones the
// server will report.
type SubscriptionFilter struct {
	ToolsListChanged      bool     `json:"toolsListChanged,omitempty"`
	PromptsListChanged    bool     `json:"promptsListChanged,omitempty"`
	ResourcesListChanged  bool     `json:"resourcesListChanged,omitempty"`
	ResourceSubscriptions []string `json:"resourceSubscriptions,omitempty"`
}

// IsEmpty reports whether a filter asks for no change.
func (f SubscriptionFilter) IsEmpty() bool {
	return !f.ToolsListChanged && !f.PromptsListChanged && !f.ResourcesListChanged && len(f.ResourceSubscriptions) == 0
}
