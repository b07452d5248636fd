package application_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Subscriptions to resources of a server that restarts", func() {
	const uri = `memo://"1"`
	params := json.RawMessage(`{"uri":"memo://\"1\""}`)
	request := func(w *workbench, purpose ports.ResourcePurpose) *outcome {
		received := &outcome{}
		w.resources.RequestResource(w.t.Context(), uri, ports.ResourceRequest{Message: ports.Message{Params: params}, Purpose: purpose}, domain.ServerID{}, received.serverReply)
		synctest.Wait()
		return received
	}
	// subscribed returns a workbench whose host subscribed to a resource of "db".
	subscribed := func(t *testing.T) *workbench {
		w := start(t, idleToolbox())
		w.server("db").declares = []string{"resources"}
		w.opens("dev")
		Expect(request(w, ports.SubscribeResource).result()).To(Equal(`"subscribe"`))
		return w
	}
	It("are refused beyond a thousand, without asking a server", Label("TG04"), spec.InBubble(func(t *testing.T) {
		w := subscribed(t)
		subscribe := func(uri string) *outcome {
			received := &outcome{}
			asked := ports.ResourceRequest{Message: ports.Message{Params: json.RawMessage(`{"uri":"` + uri + `"}`)}, Purpose: ports.SubscribeResource}
			w.resources.RequestResource(t.Context(), uri, asked, domain.ServerID{}, received.serverReply)
			synctest.Wait()
			return received
		}
		for i := range 999 {
			subscribe(strconv.Itoa(i))
		}

		Expect(subscribe("more").failure()).To(MatchError(domain.ErrTooManySubscriptions))
		Expect(w.server("db").session().seen().requests).To(HaveLen(1000))
	}))

	restart := func(w *workbench) *fakeSession {
		w.server("db").die()
		time.Sleep(time.Minute) // longer than any pause after a failure
		received := w.use("db", "read")
		synctest.Wait()
		Expect(received.result()).To(Equal(`"read"`))
		return w.server("db").session()
	}
	methods := func(session *fakeSession) []string {
		var methods []string
		for _, request := range session.seen().requests {
			methods = append(methods, request.Method)
		}
		return methods
	}

	It("are made once for a host that subscribes as soon as it is told of the resources", spec.InBubble(func(t *testing.T) {
		w := start(t, idleToolbox())
		w.server("db").declares = []string{"resources"}
		w.host.hears = func(m ports.Notification) {
			if m.Kind == ports.ResourcesChanged {
				w.resources.RequestResource(t.Context(), uri, ports.ResourceRequest{Message: ports.Message{Params: params}, Purpose: ports.SubscribeResource}, domain.ServerID{}, (&outcome{}).serverReply)
			}
		}

		w.opens("dev")
		synctest.Wait()

		Expect(methods(w.server("db").session())).To(Equal([]string{"subscribe"}))
		Expect(w.host.updates()).To(BeEmpty())
	}))

	It("are made again, and the host is told that the resource may have changed", spec.InBubble(func(t *testing.T) {
		w := subscribed(t)

		again := restart(w)

		Expect(again.seen().requests).To(HaveLen(1))
		Expect(again.seen().requests[0].Message).To(Equal(ports.Message{Method: "subscribe", Params: params}))
		Expect(w.host.updates()).To(Equal([]string{string(params)}))
		Expect(methods(restart(w))).To(Equal([]string{"subscribe"}), "after each restart")
		Expect(w.host.updates()).To(HaveLen(2))
	}))

	It("keep the server from being idle as before", spec.InBubble(func(t *testing.T) {
		w := subscribed(t)
		restart(w)

		time.Sleep(time.Hour)
		synctest.Wait()
		Expect(countLive(w.server("db"))).To(Equal(1))

		Expect(request(w, ports.UnsubscribeResource).result()).To(Equal(`"unsubscribe"`))
		time.Sleep(time.Hour)
		synctest.Wait()
		Expect(countLive(w.server("db"))).To(BeZero())
	}))

	It("are not made again after the host ended them", spec.InBubble(func(t *testing.T) {
		w := subscribed(t)
		request(w, ports.UnsubscribeResource)

		Expect(methods(restart(w))).To(BeEmpty())
		Expect(w.host.updates()).To(BeEmpty())
	}))

	It("can be ended while the server is down", spec.InBubble(func(t *testing.T) {
		w := subscribed(t)
		w.server("db").die()
		synctest.Wait()

		Expect(request(w, ports.UnsubscribeResource).result()).To(Equal("{}"))

		Expect(methods(restart(w))).To(BeEmpty())
		Expect(w.host.updates()).To(BeEmpty())
	}))

	It("end if the host ends them while they are made again", spec.InBubble(func(t *testing.T) {
		w := subscribed(t)
		var answer ports.Reply
		w.server("db").requests = func(request ports.Request, reply ports.Reply) {
			if request.Method == "subscribe" {
				answer = reply
				return
			}
			reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
		}
		again := restart(w)
		request(w, ports.UnsubscribeResource)

		answer(ports.Answer{Result: json.RawMessage("{}")}, nil)
		synctest.Wait()

		Expect(methods(again)).To(Equal([]string{"subscribe", "unsubscribe", "unsubscribe"}))
		Expect(w.host.updates()).To(BeEmpty())
	}))

	It("that the server refuses are reported as changed, logged, and tried again after its next restart", spec.InBubble(func(t *testing.T) {
		w := subscribed(t)
		w.server("db").requests = func(_ ports.Request, reply ports.Reply) {
			reply(ports.Answer{Error: json.RawMessage(`{"code":-32002}`)}, nil)
		}
		restart(w)

		Expect(w.host.updates()).To(HaveLen(1))
		Expect(w.log.String()).To(ContainSubstring("could not subscribe to a resource again"))

		w.server("db").requests = nil
		Expect(methods(restart(w))).To(Equal([]string{"subscribe"}))
	}))

	It("are made over the next session when the server dies again meanwhile", spec.InBubble(func(t *testing.T) {
		w := subscribed(t)
		w.server("db").requests = func(_ ports.Request, reply ports.Reply) {
			reply(ports.Answer{}, &domain.ServerUnavailableError{ID: w.server("db").id, Reason: errors.New("it died")})
		}
		restart(w)
		Expect(w.host.updates()).To(BeEmpty())

		w.server("db").requests = nil
		Expect(methods(restart(w))).To(Equal([]string{"subscribe"}))
		Expect(w.host.updates()).To(Equal([]string{string(params)}))
	}))

	It("end with their toolbox", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, idleToolbox())
		w.server("db").declares = []string{"resources"}
		w.opens("dev")
		request(w.workbench, ports.SubscribeResource)
		w.closes("dev")

		w.opens("dev")
		synctest.Wait()

		Expect(methods(w.server("db").session())).To(BeEmpty())
		Expect(w.host.updates()).To(BeEmpty())
	}))
})
