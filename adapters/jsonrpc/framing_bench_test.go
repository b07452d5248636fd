package jsonrpc_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"mcp-workbench/adapters/jsonrpc"
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
