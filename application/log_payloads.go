package application

import (
	"context"
	"encoding/json"
	"log/slog"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// PayloadLog is an observer that logs the arguments and the outcome of each call at level info, for debugging. Without
// it neither is ever logged.
type PayloadLog struct {
	enabled func() bool
	log     *slog.Logger
}

// NewPayloadLog returns an observer that logs calls that begin while it is enabled.
func NewPayloadLog(enabled func() bool, log *slog.Logger) PayloadLog {
	return PayloadLog{enabled: enabled, log: log}
}

// payloadKey is the key of the logger of a call in its context.
type payloadKey struct{}

// Begin implements ports.CallObserver.
func (l PayloadLog) Begin(ctx context.Context, kind domain.ActivityKind, tool domain.ToolIdentifier, call ports.ToolCall) context.Context {
	if kind != domain.ActivityCall || !l.enabled() {
		return ctx
	}
	log := l.log.With("toolbox", tool.Toolbox, "server", tool.Server, "tool", tool.Tool)
	log.Info("a call", "arguments", payload(call.Arguments))
	return context.WithValue(ctx, payloadKey{}, log)
}

// End implements ports.CallObserver.
func (l PayloadLog) End(ctx context.Context, ended domain.Activity, answer ports.Answer, err error) {
	log, isLogged := ctx.Value(payloadKey{}).(*slog.Logger)
	switch {
	case !isLogged || ended.Kind != domain.ActivityCall:
	case err != nil:
		log.Info("a call failed", "why", err)
	case answer.Error != nil:
		log.Info("a call was answered", "error", payload(answer.Error))
	default:
		log.Info("a call was answered", "result", payload(answer.Result))
	}
}

// maxPayloadSize is the number of bytes after which a payload is cut in the log.
const maxPayloadSize = 64 << 10

func payload(raw json.RawMessage) string {
	if len(raw) > maxPayloadSize {
		return string(raw[:maxPayloadSize]) + "…"
	}
	return string(raw)
}
