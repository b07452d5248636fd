package application_test

import (
	"context"
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// closedMeanwhile uses tools of a toolbox that was closed while the call waited for its server.
type closedMeanwhile struct {
	refuse chan struct{}
	opened bool
	made   chan ports.ToolCall
}

func (c *closedMeanwhile) UseTool(_ context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	if c.opened {
		c.made <- call
		reply(ports.Answer{}, nil)
		return
	}
	go func() {
		<-c.refuse
		reply(ports.Answer{}, &domain.ToolboxNotOpenError{Toolbox: tool.Toolbox})
	}()
}

func (c *closedMeanwhile) OpenToolbox(context.Context, domain.ToolboxName) (domain.OpenedToolbox, error) {
	c.opened = true
	return domain.OpenedToolbox{}, nil
}

var _ = Describe("A call that opens its toolbox", Label("M12"), func() {
	DescribeTable("is repeated with its own bytes, whatever arrived in their place meanwhile",
		func(always, opens bool) {
			use := &closedMeanwhile{refuse: make(chan struct{}), made: make(chan ports.ToolCall, 1)}
			buffer := []byte(`{"path":"a"}|"task":{}|"trace":"own"`)
			call := ports.ToolCall{
				Arguments: json.RawMessage(buffer[:12]), ExtraParams: json.RawMessage(buffer[13:22]), Meta: json.RawMessage(buffer[23:]), Opens: opens,
			}
			answered := make(chan error, 1)

			application.NewOpeningToolUser(use, use, always).UseTool(context.Background(), domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}, call,
				func(_ ports.Answer, err error) { answered <- err })
			copy(buffer, `{"path":"b"}|"task":12|"trace":"foe"`) // the next message, of another host
			close(use.refuse)

			var made ports.ToolCall
			Eventually(use.made).Should(Receive(&made))
			Expect(string(made.Arguments) + "|" + string(made.ExtraParams) + "|" + string(made.Meta)).To(Equal(`{"path":"a"}|"task":{}|"trace":"own"`))
			Eventually(answered).Should(Receive(BeNil()))
		},
		Entry("with openOnUse", true, false),
		Entry("as a call of a page", false, true),
	)
})
