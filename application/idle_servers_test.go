package application_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A server is not idle", func() {
	const uri = `{"uri":"memo://1"}`

	// stays checks that the server outlives its limit until end is called, and is
	// stopped soon after.
	stays := func(w *workbench, end func()) {
		time.Sleep(time.Hour)
		synctest.Wait()
		ExpectWithOffset(1, countLive(w.server("db"))).To(Equal(1))

		end()
		time.Sleep(time.Hour)
		synctest.Wait()
		ExpectWithOffset(1, countLive(w.server("db"))).To(BeZero())
	}

	It("while the host is subscribed to one of its resources", spec.InBubble(func(t *testing.T) {
		w := start(t, idleToolbox())
		w.server("db").declares = []string{"resources"}
		w.opens("dev")
		request := func(purpose ports.ResourcePurpose) {
			w.resources.RequestResource(t.Context(), "memo://1",
				ports.ResourceRequest{Message: ports.Message{Params: json.RawMessage(uri)}, Purpose: purpose}, domain.ServerID{}, (&outcome{}).serverReply)
		}
		request(ports.SubscribeResource)

		stays(w, func() { request(ports.UnsubscribeResource) })
	}))

	It("while one of its tasks has not returned its result", spec.InBubble(func(t *testing.T) {
		w := start(t, idleToolbox())
		w.server("db").calls = func(_ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Result: json.RawMessage("{}"), Task: "1"}, nil)
		}
		w.opens("dev")
		w.use("db", "read")
		request := func(ends bool) {
			w.tasks.RequestTask(t.Context(), "1", ports.TaskRequest{Ends: ends}, func(domain.ServerID, ports.Answer, error) {})
		}
		request(false)

		stays(w, func() { request(true) })
	}))
})

var _ = Describe("The resources of an idle server that was stopped", func() {
	It("are listed and read as if it were up", spec.InBubble(func(t *testing.T) {
		w := start(t, idleToolbox())
		w.server("db").declares = []string{"resources"}
		w.server("db").resources = map[domain.ResourceKind][]json.RawMessage{
			domain.Resources: {json.RawMessage(`{"uri":"memo://1"}`)},
		}
		w.opens("dev")
		time.Sleep(time.Hour)

		list := spec.Must(w.resources.ListResources(t.Context(), domain.Resources))
		Expect(list).To(HaveLen(1))
		Expect(countStarts(w.server("db"))).To(Equal(2))

		time.Sleep(time.Hour)
		received := &outcome{}
		w.resources.RequestResource(t.Context(), "memo://1", ports.ResourceRequest{Message: ports.Message{Method: "resources/read"}}, domain.ServerID{}, received.serverReply)
		synctest.Wait()
		Expect(received.result()).To(Equal(`"resources/read"`))
		Expect(countStarts(w.server("db"))).To(Equal(3))
	}))

	It("are not requested from a server that died", spec.InBubble(func(t *testing.T) {
		w := start(t, idleToolbox())
		w.server("db").declares = []string{"resources"}
		w.opens("dev")
		w.server("db").die()

		list := spec.Must(w.resources.ListResources(t.Context(), domain.Resources))
		Expect(list).To(BeEmpty())
		Expect(countStarts(w.server("db"))).To(Equal(1))
	}))
})
