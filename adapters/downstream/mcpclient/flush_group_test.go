package mcpclient_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/jsonrpc"
)

var _ = Describe("A request to a server over a pipe", func() {
	ignore := func(mcpclient.Answer, error) {}

	It("without a flush group is written at once", func() {
		inBubble(func(c *connection) {
			c.Request(context.Background(), mcpclient.Request{Method: "a"}, ignore)
			settle()

			Expect(c.heard("a")).To(HaveLen(1))
		})
	})

	It("with a flush group is written when that is flushed", func() {
		inBubble(func(c *connection) {
			settle() // the writer has looked for work
			group := &jsonrpc.FlushGroup{}
			c.Request(context.Background(), mcpclient.Request{Method: "a", FlushGroup: group}, ignore)
			settle()
			Expect(c.heard("a")).To(BeEmpty())

			group.Flush()
			settle()

			Expect(c.heard("a")).To(HaveLen(1))
		})
	})
})
