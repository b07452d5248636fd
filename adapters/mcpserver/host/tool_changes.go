package host

import (
	"sync"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// toolChanges are the toolboxes that are being opened or closed for the host. That
// their tools changed is reported after the answer, in which the host sees why. Safe
// for concurrent use.
type toolChanges struct {
	mu      sync.Mutex
	pending map[domain.ToolboxName]*pendingAnswers
}

// pendingAnswers are the answers about one toolbox that are not written yet.
type pendingAnswers struct {
	count   int
	changed bool // tools of the toolbox changed meanwhile
}

// ToolsChanged implements ports.ToolWatcher.
func (h *Host) ToolsChanged(toolbox domain.ToolboxName) {
	if !h.changes.postpone(toolbox) {
		h.reportToolsChanged()
	}
}

// BeginAnswer says that a toolbox is being opened or closed for the host. EndAnswer
// must follow.
func (h *Host) BeginAnswer(toolbox domain.ToolboxName) { h.changes.begin(toolbox) }

// EndAnswer says that its answer was written, if there is one. It reports a change
// after the last of several answers, since any of them may be the reason.
func (h *Host) EndAnswer(toolbox domain.ToolboxName) {
	if h.changes.end(toolbox) {
		h.reportToolsChanged()
	}
}

// postpone records that tools changed and returns true, if an answer is pending.
func (t *toolChanges) postpone(toolbox domain.ToolboxName) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	answers := t.pending[toolbox]
	if answers != nil {
		answers.changed = true
	}
	return answers != nil
}

func (t *toolChanges) begin(toolbox domain.ToolboxName) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pending[toolbox] == nil {
		t.pending[toolbox] = &pendingAnswers{}
	}
	t.pending[toolbox].count++
}

// end returns whether a change has to be reported now.
func (t *toolChanges) end(toolbox domain.ToolboxName) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	answers := t.pending[toolbox]
	answers.count--
	if answers.count > 0 {
		return false
	}
	delete(t.pending, toolbox)
	return answers.changed
}

// reportToolsChanged tells a host with a handshake, and a host of 2026-07-28 that
// listens for it, to ask for tools/list again.
func (h *Host) reportToolsChanged() {
	c, initialized := h.connected()
	if c == nil {
		return
	}
	if initialized {
		c.Write(jsonrpc.Notification(domain.MethodNotificationToolsListChanged, nil))
	}
	h.subscriptions.publish(ports.Message{Method: domain.MethodNotificationToolsListChanged})
}
