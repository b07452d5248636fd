package mcpserver

import (
	"bytes"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/ports"
)

// progress returns a function that passes progress on under the request's own raw token until the
// request is answered or cancelled.
func (r *request) progress(token json.RawMessage) func(ports.Progress) {
	token = bytes.Clone(token)
	c := r.conversation
	return func(progress ports.Progress) {
		r.writing.Lock()
		defer r.writing.Unlock()
		if !c.requests.isOpen(r) {
			return
		}
		params := make([]byte, 0, len(progress.Before)+len(token)+len(progress.After))
		params = append(append(append(params, progress.Before...), token...), progress.After...)
		frame := jsonrpc.Notification(mcp.MethodNotificationProgress, params)
		if r.responder != nil {
			r.responder.WriteProgress(frame)
		} else {
			c.writeInGroup(frame, progress.FlushGroup)
		}
	}
}
