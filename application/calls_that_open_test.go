package application_test

import (
	"encoding/json"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A call that opens its toolbox", Label("M12"), func() {
	DescribeTable("is made once it is open, with its own bytes, whatever arrived in their place meanwhile",
		func(always, opens, closedMeanwhile bool) {
			spec.Bubble(func(t *testing.T) {
				w := startDynamic(t, toolbox("dev", "files"))
				w.opensOnUse = application.OpensOnUse(always)
				w.wire(nil, w.registrations)
				w.closer = application.NewToolboxCloser(w.catalog, w.opened, w.sessions, w.registrations)
				if closedMeanwhile {
					w.opens("dev")
					w.server("files").die()
				}
				w.server("files").startup = 10 * time.Second
				buffer := []byte(`{"path":"a"}|"task":{}|"trace":"own"`)

				received := w.useWith(t.Context(), domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}, ports.ToolCall{
					Arguments: json.RawMessage(buffer[:12]), ExtraParams: json.RawMessage(buffer[13:22]), Meta: json.RawMessage(buffer[23:]),
					Intent: ports.Intent{Opens: opens},
				})
				copy(buffer, `{"path":"b"}|"task":12|"trace":"foe"`) // the next message, of another host
				time.Sleep(time.Second)
				if closedMeanwhile {
					w.closes("dev")
				}
				time.Sleep(time.Minute)

				Expect(received.result()).To(Equal(`"read"`))
				made := w.server("files").session().seen().calls[0]
				Expect(string(made.Arguments) + "|" + string(made.ExtraParams) + "|" + string(made.Meta)).To(Equal(`{"path":"a"}|"task":{}|"trace":"own"`))
			})
		},
		Entry("with openOnUse", true, false, false),
		Entry("as a call of a page", false, true, false),
		Entry("after it was closed while the call waited for its server", true, false, true),
	)

	It("does not open it for other calls", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		Expect(w.use("files", "read").failure()).To(MatchError(domain.ErrToolboxNotOpen))
	}))
})
