package httpserver_test

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/httpserver"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Connections without a request under way", Label("SH02"), func() {
	var lines strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&lines, "%03x:\n", i)
	}

	DescribeTable("are closed beyond 512, the one that waited for longest first, and not those that are used",
		func(begin string, answer, count int) {
			used := make(chan struct{})
			server := httpserver.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/used" {
					<-used
				}
			}), slog.New(slog.DiscardHandler))
			server.ReadHeaderTimeout, server.ReadTimeout = time.Hour, time.Hour
			listener := spec.Must(net.Listen("tcp4", "127.0.0.1:0"))
			go func() { _ = server.Serve(listener) }() // which fails when it is closed
			DeferCleanup(server.Close)
			dial := func(text string, answer int) net.Conn {
				c := spec.Must(net.Dial("tcp4", listener.Addr().String()))
				DeferCleanup(c.Close)
				Expect(c.SetDeadline(time.Now().Add(20 * time.Second))).To(Succeed())
				spec.Must(io.WriteString(c, text))
				spec.Must(io.ReadFull(c, make([]byte, answer)))
				return c
			}
			working := dial("GET /used HTTP/1.1\r\nHost: x\r\n\r\n", 0)
			first := dial(begin, answer)
			for range count {
				dial(begin, answer)
			}

			_, err := io.Copy(io.Discard, first)
			if err != nil {
				Expect(err).To(MatchError(ContainSubstring("reset")))
			}
			dial("GET / HTTP/1.1\r\nHost: x\r\n\r\n", len("HTTP/1.1 200"))
			close(used)
			spec.Must(io.ReadFull(working, make([]byte, len("HTTP/1.1 200"))))
		},
		Entry("headers that never end", "GET / HTTP/1.1\r\na: b\r\n", 0, 600),
		Entry("connections that are kept", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", len("HTTP/1.1 200"), 600),
		Entry("long headers that never end, of which 1 MiB is read", "GET / HTTP/1.1\n"+lines.String(), 0, 100),
	)
})
