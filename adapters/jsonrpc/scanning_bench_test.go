package jsonrpc_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

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
