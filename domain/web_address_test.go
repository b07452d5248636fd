package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = DescribeTable("The host names that a workbench meets over HTTP",
	func(holds func(string) bool, right, wrong []string) {
		for _, text := range right {
			Expect(holds(text)).To(BeTrue(), text)
		}
		for _, text := range append(wrong, "", " ", "\n") {
			Expect(holds(text)).To(BeFalse(), text)
		}
	},
	Entry("hosts", domain.IsHostHeader,
		[]string{"mcp.example.com", "MCP.example.com:7345", "10.0.0.1", "10.0.0.1:1", "[::1]", "[fd00::1]:65535", "my_host", "localhost"},
		[]string{"*", "http://", "//x", "%", "http://x", "x/", "x:", "x:0", "x:65536", "x:y", "a,b", "a b", "u@x", "*.x", "::1", "[::1", "x?y", "x#y", "ü.test", `x"y`}),
	Entry("origins", domain.IsOrigin,
		[]string{"https://app.test", "http://app.test:81", "HTTPS://App.test", "vscode-webview://abc", "http://[::1]:1"},
		[]string{"*", "null", "http://%zz", "app.test", "https://", "https://app.test/", "https://x:b", "https://x?y", "https://x#y", "https://u@x", "https://*.x"}),
	Entry("issuers", domain.IsIssuer,
		[]string{"https://idp.test", "https://idp.test/", "https://idp.test:8443/realms/a", "http://localhost:1", "http://127.0.0.1", "http://[::1]/x"},
		[]string{"http://idp.test", "http://127.idp.test", "http://localhost.test", "https://u:p@idp.test", "https://idp.test/?a", "https://idp.test/#a", "ftp://127.0.0.1", "idp.test", "https://", "https://%zz"}),
	Entry("resources", domain.IsResource,
		[]string{"https://mcp.test", "https://mcp.test/", "https://mcp.test/mcp", "https://mcp.test/mcp/", "http://10.0.0.1:7345/mcp", "https://mcp.test/mcp?tenant=a"},
		[]string{"mcp.test/mcp", "/mcp", "https://u:p@mcp.test/mcp", "https://m /mcp", "https://mcp.test/a b", "https://mcp.test/mcp#a", "https://mcp.test/a//b", "https://mcp.test/a/../b", "urn:mcp", "https://", "https://%zz"}),
	Entry("scopes", domain.IsScope, []string{"mcp:use", "a", "https://mcp.test/use"}, []string{"a b", `"`, `\`, "ü"}),
)
