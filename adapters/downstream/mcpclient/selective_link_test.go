package mcpclient_test

import (
	"context"
	"encoding/json"
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// selective is a connection that does not take one tool.
type selective struct{ *connection }

func (selective) Admit(name string, _ json.RawMessage) error {
	if name == "odd" {
		return errors.New("not this one")
	}
	return nil
}

var _ = Describe("Listing tools over a link that cannot carry every tool", func() {
	It("leaves out the others, with the reason", func() {
		inBubble(func(c *connection) {
			c.answer("tools/list", `"result":{"tools":[{"name":"a"},{"name":"odd","description":"\u202e"},{"name":"odd"},{"name":"b"}]}`)
			session := spec.Must(mcpclient.Connect(context.Background(), selective{c}, c.messages, mcpclient.Identity{}))

			list := spec.Must(session.ListTools(context.Background()))
			Expect(list.Names()).To(Equal([]string{"a", "b"}))
			Expect(list.Warnings).To(Equal([]domain.Warning{
				{Kind: domain.ToolLeftOut, Tool: "odd", Detail: "not this one"}, {Kind: domain.ToolListedTwice, Tool: "odd"},
			}))
		})
	})
})
