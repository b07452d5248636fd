package jsonrpc_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// BenchmarkWrite frames answers that arrived as lines, and writes them to a reader that reads without a delay.
func BenchmarkWrite(b *testing.B) {
	for _, size := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			writer := jsonrpc.NewWriter(io.Discard, func(line []byte) int { return len(line) })
			defer func() { _ = writer.Close(context.Background()) }()
			result := json.RawMessage(`{"content":[{"type":"text","text":"` + strings.Repeat("x", size) + `"}]}`)
			b.SetBytes(int64(len(result)))
			b.ReportAllocs()
			for b.Loop() {
				if err := writer.Write(b.Context(), jsonrpc.ResultWith(json.RawMessage("12"), nil, result, true)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCarry parses answers that arrived as lines, and then frames and writes them.
func BenchmarkCarry(b *testing.B) {
	for name, text := range map[string]string{"letters": "a line of some text. ", "lines": "a \"line\" of text.\n\n", "German": "für eine Weile läuft "} {
		for _, size := range []int{100, 10_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%dB", name, size), func(b *testing.B) {
				writer := jsonrpc.NewWriter(io.Discard, func(line []byte) int { return len(line) })
				defer func() { _ = writer.Close(context.Background()) }()
				quoted, err := json.Marshal(strings.Repeat(text, 1+size/len(text)))
				if err != nil {
					b.Fatal(err)
				}
				line := []byte(`{"jsonrpc":"2.0","id":12,"result":{"content":[{"type":"text","text":` + string(quoted) + `}]}}`)
				scanner := rawjson.NewScanner()
				b.SetBytes(int64(len(line)))
				b.ReportAllocs()
				for b.Loop() {
					message, err := jsonrpc.ParseMessage(scanner, line)
					if err != nil {
						b.Fatal(err)
					}
					if err := writer.Write(b.Context(), jsonrpc.ResultWith(message.ID, nil, message.Result, message.Clean)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkMessage scans answers with ordinary text: with quotes, line ends and
// letters beyond ASCII.
func BenchmarkMessage(b *testing.B) {
	for _, size := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			text, err := json.Marshal(strings.Repeat("a \"line\" of some text that goes on, für eine Weile\n", size/50))
			if err != nil {
				b.Fatal(err)
			}
			line := []byte(`{"jsonrpc":"2.0","id":12,"result":{"content":[{"type":"text","text":` + string(text) + `}]}}`)
			scanner := rawjson.NewScanner()
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := jsonrpc.ParseMessage(scanner, line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
