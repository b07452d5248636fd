package streamablehttp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/streamablehttp"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
)

// BenchmarkCall compares a call over the transport with the same request made by
// a plain client.
func BenchmarkCall(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var message struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &message)
		switch {
		case message.Method == "initialize":
			answer(w, string(message.ID), `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"b","version":"1"}}`)
		case message.ID == nil:
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			answer(w, string(message.ID), `{"content":[{"type":"text","text":"done"}]}`)
		}
	}))
	defer server.Close()

	b.Run("over the transport", func(b *testing.B) {
		settings := json.RawMessage(`{"url":"` + server.URL + `"}`)
		transport := streamablehttp.New(mcpclient.Identity{Name: "workbench", Version: "test"}, nil, nil, slog.New(slog.DiscardHandler))
		far := domain.Server{Settings: settings, Configured: settings, Limits: domain.DefaultLimits()}
		session, err := transport.Connect(context.Background(), far, &host{}, contract.OpenPolicy{})
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = session.Close(context.Background()) }()
		first := call("echo")
		first.SilenceLimit, first.TotalLimit = 2*time.Minute, time.Hour
		done := make(chan error, 1)
		b.ReportAllocs()
		for b.Loop() {
			session.CallTool(context.Background(), first, func(_ ports.Answer, err error) { done <- err })
			if err := <-done; err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("by a plain client", func(b *testing.B) {
		message := []byte(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"a":1}}}`)
		b.ReportAllocs()
		for b.Loop() {
			response, err := http.Post(server.URL, "application/json", bytes.NewReader(message))
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
		}
	})
}
