package application_test

import (
	"context"
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

// idling returns a toolbox whose server "db" is stopped after ten minutes.
func idling() domain.Toolbox {
	box := toolbox("dev", "db", "files")
	box.Servers[0].Limits.Idle = 10 * time.Minute
	return box
}

// live returns how many sessions of a server live.
func live(server *fakeServer) int {
	now, _ := server.alive()
	return now
}

var _ = Describe("A server that nobody uses", func() {
	It("is stopped after its limit, and only if it has one", spec.InBubble(func(t *testing.T) {
		w := start(t, idling())
		w.opens("dev")

		time.Sleep(10*time.Minute - time.Millisecond)
		synctest.Wait()
		Expect(live(w.server("db"))).To(Equal(1))

		time.Sleep(24 * time.Hour)
		synctest.Wait()
		Expect(live(w.server("db"))).To(BeZero())
		Expect(live(w.server("files"))).To(Equal(1))
	}))

	It("is started again by the next use, of which the host notices nothing", spec.InBubble(func(t *testing.T) {
		w := start(t, idling())
		w.opens("dev")
		for range 10 {
			time.Sleep(time.Hour)

			Expect(w.uses("db")).To(Succeed())
		}

		Expect(starts(w.server("db"))).To(Equal(11))
		Expect(w.host.heard()).To(BeEmpty())
		time.Sleep(time.Hour)
		opened := w.opens("dev")
		Expect(opened.Servers[0].Warnings).To(BeEmpty())
		Expect(opened.Connected()).To(Equal(2))
	}))

	It("is not contacted for a tool that it does not have", spec.InBubble(func(t *testing.T) {
		w := start(t, idling())
		w.opens("dev")
		time.Sleep(time.Hour)

		Expect(w.use("db", "erase").failure()).To(MatchError(domain.ErrToolNotFound))
		synctest.Wait()
		Expect(starts(w.server("db"))).To(Equal(1))
	}))

	It("is started once it has ended, not before", spec.InBubble(func(t *testing.T) {
		w := start(t, idling())
		w.server("db").closing = 3 * time.Second
		w.opens("dev")
		time.Sleep(10*time.Minute + time.Second)
		begun := time.Now()

		came := w.use("db", "read")
		time.Sleep(time.Minute)
		synctest.Wait()

		Expect(came.result()).To(Equal(`"read"`))
		_, maxLive := w.server("db").alive()
		Expect(maxLive).To(Equal(1))
		Expect(time.Since(begun)).To(Equal(time.Minute))
	}))

	It("is not stopped while it is used now and then", spec.InBubble(func(t *testing.T) {
		w := start(t, idling())
		w.opens("dev")
		for range 10 {
			time.Sleep(9 * time.Minute)
			_ = w.uses("db")
		}

		Expect(starts(w.server("db"))).To(Equal(1))
	}))

	It("leaves nothing to the end of the workbench but the wait for it", spec.InBubble(func(t *testing.T) {
		w := start(t, idling())
		w.server("db").closing = 3 * time.Second
		w.opens("dev")
		time.Sleep(10*time.Minute + time.Second)
		w.use("db", "read") // waits for the session that is being closed
		synctest.Wait()
		begun := time.Now()

		w.close(time.Second)

		Expect(time.Since(begun)).To(Equal(time.Second))
		Expect(live(w.server("db"))).To(BeZero())
	}))
})

var _ = Describe("A server is not idle", func() {
	const uri = `{"uri":"memo://1"}`

	// stays checks that the server outlives its limit until end, and not for long
	// after it.
	stays := func(w *workbench, end func()) {
		time.Sleep(time.Hour)
		synctest.Wait()
		ExpectWithOffset(1, live(w.server("db"))).To(Equal(1))

		end()
		time.Sleep(time.Hour)
		synctest.Wait()
		ExpectWithOffset(1, live(w.server("db"))).To(BeZero())
	}

	It("while a call is under way", spec.InBubble(func(t *testing.T) {
		w := start(t, idling())
		var answer ports.Reply
		w.server("db").calls = func(_ ports.ToolCall, reply ports.Reply) { answer = reply }
		w.opens("dev")
		w.use("db", "read")

		stays(w, func() { answer(ports.Answer{Result: json.RawMessage("{}")}, nil) })
	}))

	It("while it waits for an answer of the host", spec.InBubble(func(t *testing.T) {
		w := start(t, idling())
		w.opens("dev")
		ctx, cancel := context.WithCancel(t.Context())
		w.host.asked = func(ctx context.Context, reply ports.Reply) {
			context.AfterFunc(ctx, func() { reply(ports.Answer{}, ctx.Err()) })
		}
		w.server("db").host.Request(ctx, w.server("db").id, ports.Message{Method: "roots/list"}, func(ports.Answer, error) {})

		stays(w, cancel)
	}))

	It("while somebody subscribes to a resource of it", spec.InBubble(func(t *testing.T) {
		w := start(t, idling())
		w.server("db").declares = []string{"resources"}
		w.opens("dev")
		request := func(method string) {
			w.resources.RequestResource(t.Context(), "memo://1",
				ports.Message{Method: method, Params: json.RawMessage(uri)}, domain.ServerID{}, (&outcome{}).ofServer)
		}
		request("resources/subscribe")

		stays(w, func() { request("resources/unsubscribe") })
	}))

	It("while a task of it has not given its result", spec.InBubble(func(t *testing.T) {
		w := start(t, idling())
		w.server("db").calls = func(_ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Result: json.RawMessage("{}"), Task: "1"}, nil)
		}
		w.opens("dev")
		w.use("db", "read")
		request := func(method string) {
			w.tasks.RequestTask(t.Context(), "1", ports.Message{Method: method}, func(domain.ServerID, ports.Answer, error) {})
		}
		request("tasks/get")

		stays(w, func() { request("tasks/result") })
	}))
})

var _ = Describe("The resources of a server that was stopped because nobody used it", func() {
	It("are listed and read as if it were up", spec.InBubble(func(t *testing.T) {
		w := start(t, idling())
		w.server("db").declares = []string{"resources"}
		w.server("db").resources = map[domain.ResourceKind][]json.RawMessage{
			domain.Resources: {json.RawMessage(`{"uri":"memo://1"}`)},
		}
		w.opens("dev")
		time.Sleep(time.Hour)

		list, err := w.resources.ListResources(t.Context(), domain.Resources)
		Expect(err).NotTo(HaveOccurred())
		Expect(list).To(HaveLen(1))
		Expect(starts(w.server("db"))).To(Equal(2))

		time.Sleep(time.Hour)
		came := &outcome{}
		w.resources.RequestResource(t.Context(), "memo://1", ports.Message{Method: "resources/read"}, domain.ServerID{}, came.ofServer)
		synctest.Wait()
		Expect(came.result()).To(Equal(`"resources/read"`))
		Expect(starts(w.server("db"))).To(Equal(3))
	}))

	It("are not looked for at a server that died", spec.InBubble(func(t *testing.T) {
		w := start(t, idling())
		w.server("db").declares = []string{"resources"}
		w.opens("dev")
		w.server("db").die()

		list, err := w.resources.ListResources(t.Context(), domain.Resources)

		Expect(err).NotTo(HaveOccurred())
		Expect(list).To(BeEmpty())
		Expect(starts(w.server("db"))).To(Equal(1))
	}))
})
