package telemetry_test

import (
	"context"
	"log/slog"
	"net/http"
	"testing"

	"mcp-workbench/adapters/telemetry"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// BenchmarkCall measures what recording adds to one call.
func BenchmarkCall(b *testing.B) {
	settings, _ := telemetry.ReadSettings(variables("OTEL_EXPORTER_OTLP_ENDPOINT=http://x"), "v1")
	exported, err := telemetry.New(telemetry.Over(*settings, &collector{answer: func(*http.Request) (*http.Response, error) { return answering(200), nil }}), slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer exported.Close()
	host := exported.NewHost(true, "ABCDEFGH")
	session, err := host.Connector(&server{answer: ports.Answer{Result: []byte(`{}`)}}).Connect(context.Background(), domain.Server{ID: git.ServerID()}, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	user, call := host.ToolUser(through{session}), ports.ToolCall{Meta: []byte(sampled)}
	b.ReportAllocs()
	for b.Loop() {
		user.UseTool(context.Background(), git, call, func(ports.Answer, error) {})
	}
}
