package application_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Using a tool", func() {
	It("passes on the server's answer unchanged", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").calls = func(call ports.ToolCall, reply ports.Reply) {
			if call.Name == "read" {
				reply(ports.Answer{Result: json.RawMessage(`{"isError":true}`)}, nil)
				return
			}
			reply(ports.Answer{Error: json.RawMessage(`{"code":-1}`)}, nil)
		}

		Expect(w.use("files", "read").result()).To(Equal(`{"isError":true}`))
		_, answer, err := w.use("files", "write").received()
		Expect(err).NotTo(HaveOccurred())
		Expect(string(answer.Error)).To(Equal(`{"code":-1}`))
	}))

	It("makes the call with the tool's own name and the server's limits", spec.InBubble(func(t *testing.T) {
		dev := toolbox("dev", "files")
		dev.Servers[0].Limits.Call, dev.Servers[0].Limits.CallTotal = 7*time.Second, time.Minute
		w := start(t, dev)
		w.server("files").offer("re\x01ad")
		w.opens("dev")

		received := w.useWith(t.Context(), domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}, ports.ToolCall{
			Arguments: json.RawMessage(`{"n":1}`), ExtraParams: json.RawMessage(`"a":1`), Meta: json.RawMessage(`"b":2`), LogLevel: "info",
		})

		Expect(received.result()).NotTo(BeEmpty())
		Expect(w.server("files").session().seen().calls).To(Equal([]ports.ToolCall{{
			Name: "re\x01ad", Arguments: json.RawMessage(`{"n":1}`), ExtraParams: json.RawMessage(`"a":1`), Meta: json.RawMessage(`"b":2`),
			LogLevel: "info", SilenceLimit: 7 * time.Second, TotalLimit: time.Minute,
		}}))
	}))

	DescribeTable("reports mistakes without contacting the server", Label("S11", "X06"),
		func(tool domain.ToolIdentifier, kind error) {
			spec.InBubble(func(t *testing.T) {
				w := start(t, toolbox("dev", "files"), toolbox("ops", "files"))
				w.opens("dev")

				Expect(w.useWith(t.Context(), tool, ports.ToolCall{}).failure()).To(MatchError(kind))

				synctest.Wait()
				for _, server := range w.servers {
					Expect(server.called()).To(BeEmpty())
				}
				starts, _ := w.servers[domain.ServerID{Toolbox: "ops", Server: "files"}].counts()
				Expect(starts).To(BeZero())
			})()
		},
		Entry("an unknown toolbox", domain.ToolIdentifier{Toolbox: "x", Server: "x", Tool: "x"}, domain.ErrToolboxNotFound),
		Entry("a toolbox that is not open, before its server",
			domain.ToolIdentifier{Toolbox: "ops", Server: "x", Tool: "x"}, domain.ErrToolboxNotOpen),
		Entry("an unknown server, before its tool",
			domain.ToolIdentifier{Toolbox: "dev", Server: "x", Tool: "x"}, domain.ErrServerNotFound),
		Entry("an unknown tool", domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "x"}, domain.ErrToolNotFound),
		Entry("a tool in another case", domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "Read"}, domain.ErrToolNotFound),
	)

	It("names the existing servers and tools", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files", "db"))
		w.opens("dev")

		noServer, ok := errors.AsType[*domain.ServerNotFoundError](w.use("file", "read").failure())
		Expect(ok).To(BeTrue())
		Expect(noServer.Available).To(Equal([]string{"files", "db"}))
		noTool, ok := errors.AsType[*domain.ToolNotFoundError](w.use("files", "reed").failure())
		Expect(ok).To(BeTrue())
		Expect(noTool.Available).To(Equal([]string{"read", "write"}))
	}))

	It("does not know a tool that a filter hides", spec.InBubble(func(t *testing.T) {
		dev := toolbox("dev", "files")
		dev.Servers[0].Tools = domain.OnlyTools([]string{"read"})
		w := start(t, dev)
		w.opens("dev")

		hidden, ok := errors.AsType[*domain.ToolNotFoundError](w.use("files", "write").failure())
		Expect(ok).To(BeTrue())
		Expect(hidden.Available).To(Equal([]string{"read"}))
		Expect(w.server("files").called()).To(BeEmpty())
	}))

	It("makes a task of a call only where the server can", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files", "robot"))
		w.server("robot").declares = []string{"tasks"}
		w.opens("dev")
		asTask := func(server domain.ServerName) *outcome {
			tool := domain.ToolIdentifier{Toolbox: "dev", Server: server, Tool: "read"}
			return w.useWith(t.Context(), tool, ports.ToolCall{AsTask: true})
		}

		Expect(asTask("files").failure()).To(MatchError(domain.ErrNoTasks))
		Expect(w.server("files").called()).To(BeEmpty())
		Expect(asTask("robot").result()).To(Equal(`"read"`))
	}))

	It("begins a call without waiting for the one before", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		var slow []ports.Reply
		w.server("files").calls = func(_ ports.ToolCall, reply ports.Reply) { slow = append(slow, reply) }

		first, second := w.use("files", "read"), w.use("files", "write")
		slow[1](ports.Answer{Result: json.RawMessage(`2`)}, nil)
		slow[0](ports.Answer{Result: json.RawMessage(`1`)}, nil)

		Expect(first.result()).To(Equal("1"))
		Expect(second.result()).To(Equal("2"))
	}))

	It("ends with the caller's context", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").calls = func(ports.ToolCall, ports.Reply) {}
		ctx, cancel := context.WithCancel(t.Context())
		received := w.useWith(ctx, domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}, ports.ToolCall{})

		cancel()
		synctest.Wait()

		Expect(received.failure()).To(MatchError(context.Canceled))
	}))
})
