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
				Expect(w.servers[domain.ServerID{Toolbox: "ops", Server: "files"}].started()).To(BeZero())
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
			return w.useWith(t.Context(), tool, ports.ToolCall{Intent: ports.Intent{AsTask: true}})
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

var _ = Describe("Using a tool of a server that is not up", func() {
	read := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}

	Context("when the server dies during the call", func() {
		It("fails the call and never repeats it", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").calls = func(ports.ToolCall, ports.Reply) {}
			received := w.use("files", "read")

			w.server("files").die()
			synctest.Wait()

			Expect(received.failure()).To(MatchError(domain.ErrServerUnavailable))
			Expect(w.server("files").called()).To(Equal([]string{"read"}))
			Expect(w.server("files").started()).To(Equal(1))
		}))
	})

	Context("when the server died before", func() {
		It("starts it again first", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").die()

			received := w.use("files", "read")
			synctest.Wait()

			Expect(received.result()).To(Equal(`"read"`))
			now, maxLive := w.server("files").alive()
			Expect(now).To(Equal(1))
			Expect(maxLive).To(Equal(1))
		}))

		It("starts it once for all concurrent callers", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").startup = 5 * time.Second
			w.server("files").die()

			var outcomes []*outcome
			for range 20 {
				outcomes = append(outcomes, w.use("files", "read"))
			}
			w.opens("dev")
			synctest.Wait()

			for _, received := range outcomes {
				Expect(received.result()).To(Equal(`"read"`))
			}
			Expect(w.server("files").started()).To(Equal(2))
		}))

		It("does not start it for a tool that it does not have", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").die()

			Expect(w.use("files", "erase").failure()).To(MatchError(domain.ErrToolNotFound))
			synctest.Wait()
			Expect(w.server("files").started()).To(Equal(1))
		}))

		It("looks the tool up in the server's new list", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").die()
			w.server("files").offer("write")

			received := w.use("files", "read")
			synctest.Wait()

			Expect(received.failure()).To(MatchError(domain.ErrToolNotFound))
			Expect(w.server("files").called()).To(BeEmpty())
		}))

		It("makes the call with the original bytes, even if the caller changes them meanwhile", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").startup = time.Second
			w.server("files").die()
			line := []byte(`{"n":1}"a":1"b":2`)
			received := w.useWith(t.Context(), read, ports.ToolCall{
				Arguments: line[:7], ExtraParams: line[7:12], Meta: line[12:], FlushGroup: &flushGroup{},
			})

			copy(line, "#################")
			time.Sleep(time.Second)
			synctest.Wait()

			Expect(received.result()).To(Equal(`"read"`))
			call := w.server("files").session().seen().calls[0]
			Expect(call.Arguments).To(Equal(json.RawMessage(`{"n":1}`)))
			Expect(call.ExtraParams).To(Equal(json.RawMessage(`"a":1`)))
			Expect(call.Meta).To(Equal(json.RawMessage(`"b":2`)))
			Expect(call.FlushGroup).To(BeNil(), "a flush group is for use until UseTool returns")
		}))

		It("makes no call for a caller that gave up while the server starts", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").startup = time.Minute
			w.server("files").die()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			received := w.useWith(ctx, read, ports.ToolCall{})

			time.Sleep(2 * time.Minute)
			synctest.Wait()

			Expect(received.failure()).To(MatchError(context.DeadlineExceeded))
			Expect(w.server("files").called()).To(BeEmpty())
		}))
	})

	Context("when the workbench is ending", func() {
		It("refuses and starts nothing", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.close(time.Second)

			received := w.use("files", "read")
			synctest.Wait()

			Expect(received.failure()).To(MatchError(domain.ErrShuttingDown))
			Expect(w.server("files").started()).To(Equal(1))
		}))
	})
})

type flushGroup struct{}

func (*flushGroup) Add(interface{ Flush() }) {}

var _ = Describe("Following tasks", func() {
	request := func(w *workbench, task string) *outcome {
		received := &outcome{}
		w.tasks.RequestTask(w.t.Context(), task, ports.TaskRequest{Message: ports.Message{Method: "tasks/get"}}, received.serverReply)
		return received
	}
	withTask := func(t *testing.T) *workbench {
		w := start(t, toolbox("dev", "robot", "files"))
		w.opens("dev")
		w.server("robot").calls = func(_ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Result: json.RawMessage(`{}`), Task: "t1"}, nil)
		}
		w.use("robot", "read")
		return w
	}

	It("asks the server that made the task", spec.InBubble(func(t *testing.T) {
		Expect(request(withTask(t), "t1").result()).To(Equal(`"tasks/get"`))
	}))

	It("does not know a task that no call made", spec.InBubble(func(t *testing.T) {
		Expect(request(withTask(t), "t2").failure()).To(MatchError(domain.ErrTaskNotFound))
	}))

	It("does not know a task of a server that is gone, and does not restart the server", spec.InBubble(func(t *testing.T) {
		w := withTask(t)
		w.server("robot").die()

		Expect(request(w, "t1").failure()).To(MatchError(domain.ErrTaskNotFound))
		synctest.Wait()
		Expect(w.server("robot").started()).To(Equal(1))
	}))
})
