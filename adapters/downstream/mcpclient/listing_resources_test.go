package mcpclient_test

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A list of resources", func() {
	It("ends at the message size limit, with a line in the log", func() {
		inBubble(func(c *connection) {
			session := c.session()
			var pages []string
			for i := range 20 {
				pages = append(pages, fmt.Sprintf(`"result":{"resources":[{"uri":"u%d","x":%q}],"nextCursor":"p%d"}`, i, strings.Repeat("x", 90_000), i))
			}
			c.answer("resources/list", pages...)

			entries, err := session.ListResources(context.Background(), domain.Resources)

			Expect(err).NotTo(HaveOccurred())
			Expect(entries).To(HaveLen(11))
			Expect(c.heard("resources/list")).To(HaveLen(12))
		})
	})

	It("is empty for a server that does not have it, and the log says so once, at debug", func() {
		inBubble(func(c *connection) {
			session := c.session()
			const none = `"error":{"code":-32601,"message":"Method not found"}`
			c.answer("resources/templates/list", none, none, `"error":{"code":-32603,"message":"broken"}`)

			for range 2 {
				entries, err := session.ListResources(context.Background(), domain.ResourceTemplates)
				Expect(entries).To(BeEmpty())
				Expect(err).NotTo(HaveOccurred())
			}
			_, err := session.ListResources(context.Background(), domain.ResourceTemplates)

			Expect(err).To(MatchError(ContainSubstring("broken")))
			logged := string(c.logged.Contents())
			Expect(strings.Count(logged, "the server has no such list")).To(Equal(1))
			Expect(logged).To(And(ContainSubstring("level=DEBUG"), ContainSubstring("list=resourceTemplates"), Not(ContainSubstring("level=WARN"))))
		})
	})
})
