package host

import (
	"sync"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// changedList is a list of the workbench that the host is told of when it changed.
type changedList int

const (
	toolList changedList = iota
	promptList
)

// changedNotifications are the methods that say so.
var changedNotifications = [...]string{
	toolList:   domain.MethodNotificationToolsListChanged,
	promptList: domain.MethodNotificationPromptsListChanged,
}

// listChanges are the toolboxes that are being opened or closed for the host. That
// their tools or prompts changed is reported after the answer, in which the host sees
// why. Safe for concurrent use.
type listChanges struct {
	mu      sync.Mutex
	pending map[domain.ToolboxName]*pendingAnswers
}

// pendingAnswers are the answers about one toolbox that are not written yet.
type pendingAnswers struct {
	count   int
	changed [len(changedNotifications)]bool // what of the toolbox changed meanwhile
}

// ToolsChanged implements ports.ToolWatcher.
func (h *Host) ToolsChanged(toolbox domain.ToolboxName) {
	if !h.changes.postpone(toolbox, toolList) {
		h.reportToolsChanged()
	}
}

// BeginAnswer says that a toolbox is being opened or closed for the host. EndAnswer
// must follow.
func (h *Host) BeginAnswer(toolbox domain.ToolboxName) { h.changes.begin(toolbox) }

// EndAnswer says that its answer was written, if there is one. It reports changes
// after the last of several answers, since any of them may be the reason.
func (h *Host) EndAnswer(toolbox domain.ToolboxName) {
	for list, changed := range h.changes.end(toolbox) {
		if changed {
			h.reportChanged(changedList(list))
		}
	}
}

// postpone records that a list changed and returns true, if an answer is pending.
func (t *listChanges) postpone(toolbox domain.ToolboxName, list changedList) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	answers := t.pending[toolbox]
	if answers != nil {
		answers.changed[list] = true
	}
	return answers != nil
}

func (t *listChanges) begin(toolbox domain.ToolboxName) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pending[toolbox] == nil {
		t.pending[toolbox] = &pendingAnswers{}
	}
	t.pending[toolbox].count++
}

// end returns which changes have to be reported now.
func (t *listChanges) end(toolbox domain.ToolboxName) (changed [len(changedNotifications)]bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	answers := t.pending[toolbox]
	answers.count--
	if answers.count > 0 {
		return changed
	}
	delete(t.pending, toolbox)
	return answers.changed
}

func (h *Host) reportToolsChanged() { h.reportChanged(toolList) }

// reportChanged tells a host with a handshake, and a host of 2026-07-28 that listens for
// it, to ask for a list again.
func (h *Host) reportChanged(list changedList) {
	c, initialized := h.connected()
	if c == nil {
		return
	}
	notification := ports.Message{Method: changedNotifications[list]}
	if initialized {
		c.Write(jsonrpc.Notification(notification.Method, nil))
	}
	h.subscriptions.publish(notification)
}
