package web_test

import (
	"strings"
	"testing"

	"mcp-workbench/adapters/downstream/web"
)

// BenchmarkEvents reads streams of a hundred small events, and of a large one.
func BenchmarkEvents(b *testing.B) {
	for name, stream := range map[string]string{
		"small": strings.Repeat("id: 7\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n", 100),
		"large": "event: message\ndata: " + strings.Repeat("x", 1<<20) + "\n\n",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(stream)))
			b.ReportAllocs()
			for b.Loop() {
				events := web.NewEvents(strings.NewReader(stream), 32<<20)
				for {
					if _, err := events.Next(); err != nil {
						break
					}
				}
				events.Release()
			}
		})
	}
}
