package soak_test

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// reporting returns a server whose tool reports progress once and answers with a megabyte.
func reporting() script.Script {
	return script.Script{Tools: []string{script.Tool("report")}, Rules: []script.Rule{
		{Method: "tools/call", Tool: "report", Do: []script.Step{
			{Line: `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1}}`},
			{Raw: `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"x":"`},
			{Fill: "0123456789abcdef", Times: mib / 16},
			{Raw: "\"}}\n"},
		}},
	}}
}

var _ = Describe("The memory of a workbench that listens", func() {
	DescribeTable("has a bound, even if bodies begin and never end", Label("TH04"), func(header string) {
		w := Listen(Launch{Config: Configuration(NewToolbox("dev", scripted("s", long(16))))})
		Connect(w, false, "{}").Open("dev")
		address := spec.Must(url.Parse(w.URL()))
		var sending sync.WaitGroup
		for range 15 {
			connection := spec.Must(net.Dial("tcp", address.Host))
			DeferCleanup(connection.Close)
			sending.Go(func() {
				// Some are refused, and then a write fails.
				_, _ = fmt.Fprintf(connection, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n", header, 31*mib)
				_, _ = io.Copy(connection, strings.NewReader(strings.Repeat(" ", 31*mib-1)))
			})
		}
		sending.Wait()

		Expect(w.Use("dev", "s", "read", "{}").Text()).To(Equal("done"))
		expectPeak(w, 150*mib)
	},
		Entry("without a session", ""),
		Entry("in 2026-07-28, which has no sessions", "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"),
	)

	It("has a bound, however many sessions end after calls with resumable streams", Label("TH03"), func() {
		w := Listen(Launch{Config: Configuration(NewToolbox("dev", scripted("s", reporting())))})
		for range 8 {
			host := Connect(w.AnotherHost(), false, "{}")
			host.Open("dev")
			for range 64 {
				Expect(host.Await(host.BeginUse("dev", "s", "report", "{}", `"progressToken":"p"`)).Error).To(BeNil())
			}
			host.CloseInput()
		}

		expectPeak(w, 250*mib)
	})
})
