package domain

// The methods of MCP that the workbench knows, of every version up to 2026-07-28. Specs of
// adapters/mcpserver compare them with mcp-go's.
const (
	MethodInitialize             = "initialize"
	MethodServerDiscover         = "server/discover"
	MethodPing                   = "ping"
	MethodToolsList              = "tools/list"
	MethodToolsCall              = "tools/call"
	MethodResourcesList          = "resources/list"
	MethodResourcesTemplatesList = "resources/templates/list"
	MethodResourcesRead          = "resources/read"
	MethodResourcesSubscribe     = "resources/subscribe"
	MethodResourcesUnsubscribe   = "resources/unsubscribe"
	MethodSubscriptionsListen    = "subscriptions/listen"
	MethodPromptsList            = "prompts/list"
	MethodPromptsGet             = "prompts/get"
	MethodCompletionComplete     = "completion/complete"
	MethodSetLogLevel            = "logging/setLevel"
	MethodTasksGet               = "tasks/get"
	MethodTasksResult            = "tasks/result"
	// MethodTasksUpdate answers the input requests of a task of 2026-07-28.
	MethodTasksUpdate           = "tasks/update"
	MethodTasksCancel           = "tasks/cancel"
	MethodElicitationCreate     = "elicitation/create"
	MethodSamplingCreateMessage = "sampling/createMessage"
	MethodListRoots             = "roots/list"

	MethodNotificationInitialized               = "notifications/initialized"
	MethodNotificationCancelled                 = "notifications/cancelled"
	MethodNotificationProgress                  = "notifications/progress"
	MethodNotificationMessage                   = "notifications/message"
	MethodNotificationToolsListChanged          = "notifications/tools/list_changed"
	MethodNotificationResourcesListChanged      = "notifications/resources/list_changed"
	MethodNotificationResourceUpdated           = "notifications/resources/updated"
	MethodNotificationPromptsListChanged        = "notifications/prompts/list_changed"
	MethodNotificationRootsListChanged          = "notifications/roots/list_changed"
	MethodNotificationSubscriptionsAcknowledged = "notifications/subscriptions/acknowledged"
	MethodNotificationTasksStatus               = "notifications/tasks/status"
	MethodNotificationElicitationComplete       = "notifications/elicitation/complete"
)
