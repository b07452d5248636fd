package application

import (
	"context"
	"encoding/json"
	"log/slog"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// PayloadLogger is a ToolUser that logs the arguments and the outcome of each call at
// level info, for debugging. Without it neither is ever logged.
type PayloadLogger struct {
	next    ports.ToolUser
	enabled func() bool
	log     *slog.Logger
}

// NewPayloadLogger returns the use case over next, which makes the calls. It logs calls
// that begin while it is enabled.
func NewPayloadLogger(next ports.ToolUser, enabled func() bool, log *slog.Logger) *PayloadLogger {
	return &PayloadLogger{next: next, enabled: enabled, log: log}
}

// UseTool implements ports.ToolUser.
func (l *PayloadLogger) UseTool(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	if !l.enabled() {
		l.next.UseTool(ctx, tool, call, reply)
		return
	}
	log := l.log.With("toolbox", tool.Toolbox, "server", tool.Server, "tool", tool.Tool)
	log.Info("a call", "arguments", payload(call.Arguments))
	l.next.UseTool(ctx, tool, call, func(answer ports.Answer, err error) {
		switch {
		case err != nil:
			log.Info("a call failed", "why", err)
		case answer.Error != nil:
			log.Info("a call was answered", "error", payload(answer.Error))
		default:
			log.Info("a call was answered", "result", payload(answer.Result))
		}
		reply(answer, err)
	})
}

// maxPayloadSize is the number of bytes after which a payload is cut in the log.
const maxPayloadSize = 64 << 10

func payload(raw json.RawMessage) string {
	if len(raw) > maxPayloadSize {
		return string(raw[:maxPayloadSize]) + "…"
	}
	return string(raw)
}
