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
	It("ends when a cursor is repeated", func() {
		inBubble(func(c *connection) {
			session := c.session()
			c.answer("resources/list", `"result":{"resources":[{"uri":"a"}],"nextCursor":"again"}`)

			entries, err := session.ListResources(context.Background(), domain.Resources)

			Expect(err).NotTo(HaveOccurred())
			Expect(len(entries)).To(BeNumerically("<=", 2))
		})
	})

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

	It("ends after 100 pages", func() {
		inBubble(func(c *connection) {
			session := c.session()
			var pages []string
			for i := range 200 {
				pages = append(pages, fmt.Sprintf(`"result":{"resources":[{"uri":"%d"}],"nextCursor":"p%d"}`, i, i))
			}
			c.answer("resources/list", pages...)

			entries, err := session.ListResources(context.Background(), domain.Resources)

			Expect(err).NotTo(HaveOccurred())
			Expect(entries).To(HaveLen(100))
		})
	})
})
