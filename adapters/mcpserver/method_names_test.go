package mcpserver_test

import (
	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = DescribeTable("Method names are those of mcp-go",
	func(ours string, theirs mcp.MCPMethod) { Expect(ours).To(Equal(string(theirs))) },
	Entry(nil, domain.MethodInitialize, mcp.MethodInitialize),
	Entry(nil, domain.MethodServerDiscover, mcp.MethodServerDiscover),
	Entry(nil, domain.MethodPing, mcp.MethodPing),
	Entry(nil, domain.MethodToolsList, mcp.MethodToolsList),
	Entry(nil, domain.MethodToolsCall, mcp.MethodToolsCall),
	Entry(nil, domain.MethodResourcesList, mcp.MethodResourcesList),
	Entry(nil, domain.MethodResourcesTemplatesList, mcp.MethodResourcesTemplatesList),
	Entry(nil, domain.MethodResourcesRead, mcp.MethodResourcesRead),
	Entry(nil, domain.MethodResourcesSubscribe, mcp.MethodResourcesSubscribe),
	Entry(nil, domain.MethodResourcesUnsubscribe, mcp.MethodResourcesUnsubscribe),
	Entry(nil, domain.MethodSubscriptionsListen, mcp.MethodSubscriptionsListen),
	Entry(nil, domain.MethodPromptsList, mcp.MethodPromptsList),
	Entry(nil, domain.MethodPromptsGet, mcp.MethodPromptsGet),
	Entry(nil, domain.MethodCompletionComplete, mcp.MethodCompletionComplete),
	Entry(nil, domain.MethodSetLogLevel, mcp.MethodSetLogLevel),
	Entry(nil, domain.MethodTasksGet, mcp.MethodTasksGet),
	Entry(nil, domain.MethodTasksResult, mcp.MethodTasksResult),
	Entry(nil, domain.MethodTasksCancel, mcp.MethodTasksCancel),
	Entry(nil, domain.MethodElicitationCreate, mcp.MethodElicitationCreate),
	Entry(nil, domain.MethodSamplingCreateMessage, mcp.MethodSamplingCreateMessage),
	Entry(nil, domain.MethodListRoots, mcp.MethodListRoots),
	Entry(nil, domain.MethodNotificationInitialized, mcp.MethodNotificationInitialized),
	Entry(nil, domain.MethodNotificationCancelled, mcp.MethodNotificationCancelled),
	Entry(nil, domain.MethodNotificationProgress, mcp.MethodNotificationProgress),
	Entry(nil, domain.MethodNotificationMessage, mcp.MethodNotificationMessage),
	Entry(nil, domain.MethodNotificationToolsListChanged, mcp.MCPMethod(mcp.MethodNotificationToolsListChanged)),
	Entry(nil, domain.MethodNotificationResourcesListChanged, mcp.MCPMethod(mcp.MethodNotificationResourcesListChanged)),
	Entry(nil, domain.MethodNotificationResourceUpdated, mcp.MCPMethod(mcp.MethodNotificationResourceUpdated)),
	Entry(nil, domain.MethodNotificationPromptsListChanged, mcp.MCPMethod(mcp.MethodNotificationPromptsListChanged)),
	Entry(nil, domain.MethodNotificationRootsListChanged, mcp.MCPMethod(mcp.MethodNotificationRootsListChanged)),
	Entry(nil, domain.MethodNotificationElicitationComplete, mcp.MethodNotificationElicitationComplete),
	Entry(nil, domain.MethodNotificationSubscriptionsAcknowledged, mcp.MCPMethod(mcp.MethodNotificationSubscriptionsAcknowledged)),
)
