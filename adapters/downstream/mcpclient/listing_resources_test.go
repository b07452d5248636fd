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
})
