package http_test

import (
	"bufio"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// floodScript returns a server with a tool that reports 40 MB of progress before it answers,
// more than any connection buffers, and one that answers immediately.
func floodScript(finished string) script.Script {
	report := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${n},"message":"` + strings.Repeat("m", 20_000) + `"}}`
	s := WithTools("flood", "read")
	s.Rules = []script.Rule{
		{Method: "tools/call", Tool: "flood", Background: true, Do: []script.Step{
			{Line: report, Times: 2_000}, {Touch: finished}, {Result: script.Text("all was said")},
		}},
		script.Answer("read", script.Text("done")),
	}
	return s
}

// deaf is a connection on which a host made a call and reads no answer.
type deaf struct {
	net.Conn
	in *bufio.Reader
}

// flood calls the tool that floods, and returns once the stream of the call has begun.
func (c *caller) flood() *deaf {
	GinkgoHelper()
	meta := `"progressToken":"p"`
	head := []string{"POST /mcp HTTP/1.1", "Host: localhost"}
	for i := 0; i < len(c.headers); i += 2 {
		head = append(head, c.headers[i]+": "+c.headers[i+1])
	}
	if c.era.Modern {
		head = append(head, "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: use_tool")
		meta += `,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"spec","version":"1"},` +
			`"io.modelcontextprotocol/clientCapabilities":{}`
	}
	body := `{"jsonrpc":"2.0","id":"deaf","method":"tools/call","params":{"name":"use_tool",` +
		`"arguments":{"tool":{"toolbox":"dev","server":"files","tool":"flood"}},"_meta":{` + meta + `}}}`
	connection := spec.Must(net.Dial("tcp", strings.TrimPrefix(c.root, "http://")))
	DeferCleanup(connection.Close)
	Expect(fmt.Fprintf(connection, "%s\r\nContent-Length: %d\r\n\r\n%s", strings.Join(head, "\r\n"), len(body), body)).Error().NotTo(HaveOccurred())
	d := &deaf{Conn: connection, in: bufio.NewReader(connection)}
	status := spec.Must(d.in.Peek(len("HTTP/1.1 200")))
	Expect(string(status)).To(Equal("HTTP/1.1 200"))
	return d
}

var _ = Describe("A host over HTTP that does not read the stream of its call", func() {
	for _, era := range Eras {
		Context("in "+era.Name, func() {
			var finished string
			var l *listener
			var c *caller
			BeforeEach(func() {
				finished = filepath.Join(GinkgoT().TempDir(), "said")
				l = listen(Launch{Config: Configuration(InDev(Scripted("files", floodScript(finished))))})
				c, _ = l.as(era, "")
				Expect(c.open("dev").text).To(ContainSubstring("flood"))
			})

			It("delays the end of the workbench no longer than calls and servers may", Label("TH02"), func() {
				c.flood()
				c.flood()

				l.Signal(syscall.SIGTERM)

				Eventually(l.Ended()).WithTimeout(20 * time.Second).Should(BeClosed())
			})
		})
	}
})
