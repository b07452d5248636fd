package host

import (
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// listChanges holds the toolboxes that are being opened or closed for the host. Changes of
// their tools and prompts are reported after the answer, which tells the host the reason. Safe
// for concurrent use.
type listChanges struct {
	mu      sync.Mutex
	pending map[domain.ToolboxName]*pendingAnswers
}

// pendingAnswers are the answers about one toolbox that are not yet written.
type pendingAnswers struct {
	count   int
	changed map[mcp.MCPMethod]bool // the notifications to send after the last answer
}

// ToolsChanged implements ports.ToolWatcher.
func (h *Host) ToolsChanged(toolbox domain.ToolboxName) {
	h.listChanged(toolbox, mcp.MethodNotificationToolsListChanged)
}

// BeginAnswer records that a toolbox is being opened or closed for the host. EndAnswer must
// follow.
func (h *Host) BeginAnswer(toolbox domain.ToolboxName) {
	h.changes.mu.Lock()
	defer h.changes.mu.Unlock()
	if h.changes.pending[toolbox] == nil {
		h.changes.pending[toolbox] = &pendingAnswers{changed: map[mcp.MCPMethod]bool{}}
	}
	h.changes.pending[toolbox].count++
}

// EndAnswer records that the answer was written, if there is one. It reports changes after the
// last of several answers, since any of them may contain the reason.
func (h *Host) EndAnswer(toolbox domain.ToolboxName) {
	changed := h.changes.end(toolbox)
	for _, method := range []mcp.MCPMethod{mcp.MethodNotificationToolsListChanged, mcp.MethodNotificationPromptsListChanged} {
		if changed[method] {
			h.reportChanged(method)
		}
	}
}

// listChanged reports a change of a list, immediately or after the pending answers.
func (h *Host) listChanged(toolbox domain.ToolboxName, method mcp.MCPMethod) {
	if !h.changes.postpone(toolbox, method) {
		h.reportChanged(method)
	}
}

// postpone keeps a notification for later and returns true if an answer is pending.
func (l *listChanges) postpone(toolbox domain.ToolboxName, method mcp.MCPMethod) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	answers := l.pending[toolbox]
	if answers != nil {
		answers.changed[method] = true
	}
	return answers != nil
}

// end returns the notifications to send now.
func (l *listChanges) end(toolbox domain.ToolboxName) map[mcp.MCPMethod]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	answers := l.pending[toolbox]
	if answers.count--; answers.count > 0 {
		return nil
	}
	delete(l.pending, toolbox)
	return answers.changed
}

// reportChanged tells the host to request a list again, if it made a handshake or listens for
// the change.
func (h *Host) reportChanged(method mcp.MCPMethod) {
	c, initialized := h.connected()
	if c == nil {
		return
	}
	if initialized {
		c.Write(jsonrpc.Notification(method, nil))
	}
	h.publish(ports.Message{Method: string(method)})
}
