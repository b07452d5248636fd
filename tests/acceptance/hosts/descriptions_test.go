package hosts_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Descriptions that no user wrote", func() {
	It("tell a model which servers a toolbox has, and change with them", func() {
		home := NewHomeFolder()
		home.File(".cursor/mcp.json", `{"mcpServers": {
			"stripe": {"command": "npx", "args": ["-y", "@stripe/mcp"]}, "paypal": {"url": "https://mcp.paypal.com/mcp"},
			"everything": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-everything"]}
		}}`)
		Expect(home.Run("init", "--yes").Code).To(Equal(0))
		described := func(text string) {
			GinkgoHelper()
			Expect(home.Content(OwnConfiguration)).To(ContainSubstring(`"description": "` + text + `"`))
		}
		described("stripe, paypal: payments, invoices and accounting")
		described("tools of the server everything")

		Expect(home.Run("add", "xero", "https://mcp.xero.com/mcp").Code).To(Equal(0))
		described("stripe, paypal, xero: payments, invoices and accounting")
		Expect(home.Run("remove", "stripe").Code).To(Equal(0))
		described("paypal, xero: payments, invoices and accounting")
		home.File("work/more.json", `{"mcpServers": {"plaid": {"command": "plaid-mcp"}, "square": {"command": "square-mcp"}}}`)
		Expect(home.Run("import", "./more.json", "--yes").Code).To(Equal(0))
		described("paypal, xero, plaid, square: payments, invoices and accounting")

		home.File(OwnConfiguration, `{"toolboxes": {"payments": {"description": "what we earn", "mcpServers": {"s": {"command": "x"}}}}}`)
		Expect(home.Run("add", "adyen", "https://mcp.adyen.com/mcp").Code).To(Equal(0))
		described("what we earn")
	})
})
