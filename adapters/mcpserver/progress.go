package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// progressUnder returns a function that passes progress on under the request's own raw token until the
// request is answered or cancelled.
func (r *request) progressUnder(token json.RawMessage) func(ports.Progress) {
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

// startReports returns a function that reports starts of servers as progress.
//
// Decision: it counts up from minus the seconds that a start can take. Progress must increase for as long as a request
// is under way, and most servers count their own from 0.
func startReports(progress func(ports.Progress)) func(ports.Starting) {
	return func(starting ports.Starting) {
		rest := rawjson.MustMarshal((starting.Waited - starting.Limit).Round(time.Second).Seconds())
		after := rawjson.Object{}.Raw("progress", rest).Raw("message", rawjson.Quote(wording.Starting(starting.Servers))).JSON()
		after[0] = ','
		progress(ports.Progress{Before: json.RawMessage(`{"` + progressTokenKey + `":`), After: after})
	}
}

// withReports returns the context of a call that takes several requests of its host. The one that waits gets the reports
// of starts, if the first one, which has that context, wants them.
func withReports(ctx context.Context, rounds *host.Call) context.Context {
	if ports.StartReportsOf(ctx) == nil {
		return rounds.Context()
	}
	return context.WithValue(rounds.Context(), ports.StartReportsKey{}, startReports(rounds.Progress))
}
