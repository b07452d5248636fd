package mcpserver

import (
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var _ ports.ToolWatcher = (*Host)(nil)

// answering is a toolbox that is being opened or closed for the host. That its
// tools changed is said after the answer, in which the host sees why.
type answering struct {
	requests int
	changed  bool
}

// ToolsChanged implements ports.ToolWatcher.
func (h *Host) ToolsChanged(toolbox domain.ToolboxName) {
	h.mu.Lock()
	answering := h.answering[toolbox]
	if answering != nil {
		answering.changed = true
	}
	h.mu.Unlock()
	if answering == nil {
		h.sayToolsChanged()
	}
}

// beginAnswer notes that a toolbox is being opened or closed.
func (h *Host) beginAnswer(toolbox domain.ToolboxName) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.answering[toolbox] == nil {
		h.answering[toolbox] = &answering{}
	}
	h.answering[toolbox].requests++
}

// endAnswer notes that the answer is on its way, if there is one. What changed is said
// after the last of several answers: it may be because of any of them.
func (h *Host) endAnswer(toolbox domain.ToolboxName) {
	h.mu.Lock()
	answering := h.answering[toolbox]
	answering.requests--
	last := answering.requests == 0
	if last {
		delete(h.answering, toolbox)
	}
	h.mu.Unlock()
	if last && answering.changed {
		h.sayToolsChanged()
	}
}

// sayToolsChanged tells a host with a handshake, and one of 2026-07-28 that listens
// for it, that tools/list has another answer now.
func (h *Host) sayToolsChanged() {
	h.mu.Lock()
	c, initialized := h.conversation, h.initialized
	h.mu.Unlock()
	if c == nil {
		return
	}
	if initialized {
		c.write(jsonrpc.Notification(domain.MethodNotificationToolsListChanged, nil))
	}
	h.publish(c, ports.Message{Method: domain.MethodNotificationToolsListChanged})
}
