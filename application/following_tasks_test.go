package application_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

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
		starts, _ := w.server("robot").counts()
		Expect(starts).To(Equal(1))
	}))
})
