package sharing

import (
	"bytes"
	"context"
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// sharedHost is the host as a shared server sees it. It stands for all members, and none of them
// can be asked.
type sharedHost struct{ *session }

var (
	_ ports.Host         = sharedHost{}
	_ ports.StartWatcher = sharedHost{}
)

// Capabilities implements ports.Host.
func (sharedHost) Capabilities() json.RawMessage { return json.RawMessage("{}") }

// Request implements ports.Host. It refuses the request, since a server's request does not name a
// host.
func (sharedHost) Request(_ context.Context, _ domain.ServerID, request ports.Message, reply ports.Reply) {
	reply(ports.Answer{}, &ports.UnsupportedError{Reason: "several hosts share this server, and none of them answers " + request.Method})
}

// Starting implements ports.StartWatcher.
func (h sharedHost) Starting(start ports.Start) {
	h.mu.Lock()
	h.start, h.told = start, true
	members := h.members
	h.mu.Unlock()
	for _, m := range members {
		m.starting(start)
	}
}

// Notify implements ports.Host. Notifications that are not about a subscription or a task go to
// all members.
func (h sharedHost) Notify(_ domain.ServerID, notification ports.Notification) {
	about := subject{kind: notification.Kind, name: notification.Subject}
	switch notification.Kind {
	case ports.ToolsChanged, ports.PromptsChanged, ports.ResourcesChanged:
		if notification.Kind == ports.ToolsChanged {
			h.tools.markChanged() // before a member lists them again
		}
		notification.Params = nil
		h.tell(h.allMembers(), notification, about, always)
	case ports.LogMessage:
		h.tell(h.allMembers(), notification, subject{}, least)
	case ports.ResourceUpdated:
		notification.Params = rawjson.EditMembers(notification.Params, membersOfUpdate)
		h.tell(h.subscriptions.subscribers(about.name), notification, about, newest)
	case ports.TaskStatus:
		var owners []*member
		for _, m := range h.allMembers() {
			if m.hasTask(about.name) {
				owners = append(owners, m)
			}
		}
		h.tell(owners, notification, about, newest)
	default:
		h.log.Debug("dropped a notification, since it does not tell which host it is for", "method", domain.ShownText(notification.Method))
	}
}

// tell passes on a notification to members, which share one copy of it.
func (h sharedHost) tell(members []*member, notification ports.Notification, about subject, priority priority) {
	if len(members) == 0 {
		return
	}
	notification.Params = bytes.Clone(notification.Params)
	h.deliver(members, func(m *member) delivery { return m.delivery(notification, about, priority) })
}

// membersOfUpdate leaves out the parameters of an update that the protocol does not have.
func membersOfUpdate(name string, value []byte) []byte {
	if name == "uri" || name == "_meta" {
		return value
	}
	return nil
}

// text returns the text in a member of an object, "" if there is none. The name is case-sensitive;
// the last of repeated members counts.
func text(object json.RawMessage, name string) string {
	return rawjson.Text(rawjson.Member(object, name))
}
