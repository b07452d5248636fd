package mcpserver_test

import (
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A host", func() {
	const info = `{"name":"cursor","version":"3.1"}`
	const capable = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`

	DescribeTable("is known by its clientInfo", func(line string, known domain.HostInfo) {
		spec.Bubble(func(t *testing.T) {
			server := newWorkbench().server()
			Expect(server.Serve(t.Context(), strings.NewReader(line+"\n"), mcpserver.Output{Writer: &screen{}})).Error().NotTo(HaveOccurred())
			Expect(server.HostInfo()).To(Equal(known))
		})
	},
		Entry("in the handshake", request("1", "initialize", `{"clientInfo":`+info+`}`), domain.HostInfo{Name: "cursor", Version: "3.1"}),
		Entry("with a request of 2026-07-28",
			request("1", "tools/list", `{"_meta":{`+capable+`,"io.modelcontextprotocol/clientInfo":`+info+`}}`), domain.HostInfo{Name: "cursor", Version: "3.1"}),
		Entry("and not at all without one", request("1", "initialize", `{}`), domain.HostInfo{}),
		Entry("nor if its members are not strings", request("1", "initialize", `{"clientInfo":{"name":7,"version":{}}}`), domain.HostInfo{}),
	)
})
