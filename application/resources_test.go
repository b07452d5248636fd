package application_test

import (
	"encoding/json"
	"errors"
	"fmt"
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

var _ = Describe("Reading resources", func() {
	// started starts servers of which all but "plain" have resources.
	started := func(t *testing.T) *workbench {
		w := start(t, toolbox("dev", "plain", "files", "web"), toolbox("ops", "files"))
		for id, server := range w.servers {
			if id.Server == "plain" {
				continue
			}
			server.declares = []string{"resources"}
			server.resources = map[domain.ResourceKind][]json.RawMessage{
				domain.Resources:         {json.RawMessage(fmt.Sprintf(`{"uri":"%s/%s"}`, id.Toolbox, id.Server))},
				domain.ResourceTemplates: {json.RawMessage(fmt.Sprintf(`{"uri":"%s:{id}"}`, id.Server))},
			}
		}
		return w
	}
	request := func(w *workbench, uri string) *outcome {
		received := &outcome{}
		message := ports.ResourceRequest{Message: ports.Message{Method: "resources/read", Params: json.RawMessage(`{"uri":"` + uri + `"}`)}}
		w.resources.RequestResource(w.t.Context(), uri, message, domain.ServerID{}, received.serverReply)
		synctest.Wait()
		return received
	}
	refuses := func(request ports.Request, reply ports.Reply) {
		reply(ports.Answer{Error: json.RawMessage(`{"code":-32002}`)}, nil)
	}
	answers := func(result string) func(ports.Request, ports.Reply) {
		return func(_ ports.Request, reply ports.Reply) { reply(ports.Answer{Result: json.RawMessage(result)}, nil) }
	}
	asked := func(server *fakeServer) int { return len(server.session().seen().requests) }

	It("lists the resources of connected servers, in the order of the configuration", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")

		list := spec.Must(w.resources.ListResources(t.Context(), domain.Resources))
		Expect(list).To(Equal([]domain.Resource{
			{Server: w.server("files").id, URI: "dev/files", Definition: json.RawMessage(`{"uri":"dev/files"}`)},
			{Server: w.server("web").id, URI: "dev/web", Definition: json.RawMessage(`{"uri":"dev/web"}`)},
		}))
		list = spec.Must(w.resources.ListResources(t.Context(), domain.ResourceTemplates))
		Expect(list).To(HaveLen(2))
		Expect(string(list[0].Definition)).To(Equal(`{"uri":"files:{id}"}`))
	}))

	It("lists nothing before a toolbox is open, and connects to nothing", spec.InBubble(func(t *testing.T) {
		w := started(t)

		Expect(spec.Must(w.resources.ListResources(t.Context(), domain.Resources))).To(BeEmpty())
		Expect(request(w, "file:///a").failure()).To(MatchError(domain.ErrResourceNotFound))
		Expect(w.server("files").started()).To(BeZero())
	}))

	It("lists all for each of several listings at the same time", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		all := spec.Must(w.resources.ListResources(t.Context(), domain.Resources))
		w.server("files").listTakes = time.Second
		listed := make(chan []domain.Resource, 3)
		for range cap(listed) {
			go func() {
				resources, _ := w.resources.ListResources(t.Context(), domain.Resources)
				listed <- resources
			}()
		}

		for range cap(listed) {
			Expect(<-listed).To(Equal(all))
		}
	}))

	It("waits two seconds for a slow server, once, and lists later what came late", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		all := len(spec.Must(w.resources.ListResources(t.Context(), domain.Resources)))
		w.server("files").listTakes = time.Minute
		begun := time.Now()
		Expect(len(spec.Must(w.resources.ListResources(t.Context(), domain.Resources)))).To(And(BeNumerically("<", all), BeNumerically(">", 0)))
		Expect(spec.Must(w.resources.ListResources(t.Context(), domain.Resources))).NotTo(BeEmpty())
		Expect(time.Since(begun)).To(Equal(2 * time.Second))

		time.Sleep(time.Minute)
		synctest.Wait()
		Expect(spec.Must(w.resources.ListResources(t.Context(), domain.Resources))).To(HaveLen(all))
		time.Sleep(time.Minute)
	}))

	It("leaves out a server that fails to list them or is lost", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.opens("ops")
		w.server("files").refusal = errors.New("no list")
		w.server("web").die()

		list := spec.Must(w.resources.ListResources(t.Context(), domain.Resources))
		Expect(list).To(HaveLen(1))
		Expect(list[0].Server.Toolbox).To(Equal(domain.ToolboxName("ops")))
		Expect(w.log.String()).To(ContainSubstring("no list"))
	}))

	It("tells the host of new resources when a server that has some is connected", spec.InBubble(func(t *testing.T) {
		w := started(t)

		w.opens("dev")
		synctest.Wait()

		Expect(w.host.heard()).To(ConsistOf(
			"files: resources changed", "web: resources changed",
		))
	}))

	It("asks the server whose result pointed at the resource last", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		for _, server := range []*fakeServer{w.server("files"), w.server("web")} {
			server.calls = func(_ ports.ToolCall, reply ports.Reply) {
				reply(ports.Answer{Result: json.RawMessage(`{}`), Resources: []string{"file:///a"}}, nil)
			}
		}
		w.use("web", "read")
		w.use("files", "read")
		w.use("web", "read")

		Expect(request(w, "file:///a").result()).To(Equal(`"resources/read"`))
		Expect(asked(w.server("web"))).To(Equal(1))
		Expect(asked(w.server("files"))).To(BeZero())
	}))

	It("asks the server that lists the resource, even if the result of another one pointed at it", Label("TQ02"), spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.opens("ops")
		w.server("files").calls = func(_ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Result: json.RawMessage(`{}`), Resources: []string{"dev/web", "web:1", "ops/files", "file:///a"}}, nil)
		}
		w.server("files").requests, w.server("web").requests = answers(`"files"`), answers(`"web"`)
		w.use("files", "read")

		Expect(request(w, "dev/web").result()).To(Equal(`"web"`), "though no host asked for the lists")
		Expect(request(w, "web:1").result()).To(Equal(`"web"`), "by its template")
		Expect(request(w, "ops/files").result()).To(Equal(`"resources/read"`), "of another toolbox")
		Expect(request(w, "file:///a").result()).To(Equal(`"files"`), "which no server lists")
	}))

	It("asks, of the servers that list the resource, the one whose result pointed at it, in the toolbox that answered for it", Label("TQ02"), spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.opens("ops")
		evil := w.servers[domain.ServerID{Toolbox: "ops", Server: "files"}]
		for _, server := range []*fakeServer{w.server("files"), w.server("web"), evil} {
			server.resources[domain.Resources] = []json.RawMessage{json.RawMessage(`{"uri":"file:///a"}`)}
			server.calls = func(_ ports.ToolCall, reply ports.Reply) {
				reply(ports.Answer{Result: json.RawMessage(`{}`), Resources: []string{"file:///a"}}, nil)
			}
		}
		w.server("files").requests, w.server("web").requests, evil.requests = answers(`"files"`), answers(`"web"`), answers(`"evil"`)
		w.use("web", "read")
		Expect(request(w, "file:///a").result()).To(Equal(`"web"`))

		w.useWith(t.Context(), domain.ToolIdentifier{Toolbox: "ops", Server: "files", Tool: "read"}, ports.ToolCall{})

		Expect(request(w, "file:///a").result()).To(Equal(`"web"`))
	}))

	It("waits for lists only for a limited time, and once", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.server("files").calls = func(_ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Result: json.RawMessage(`{}`), Resources: []string{"file:///a"}}, nil)
		}
		w.server("files").requests = answers(`"files"`)
		w.server("web").refusal = errors.New("no list")
		w.use("files", "read")

		Expect(request(w, "file:///a").result()).To(Equal(`"files"`))
		w.server("web").resources[domain.Resources] = []json.RawMessage{json.RawMessage(`{"uri":"file:///a"}`)}
		w.server("web").refusal = nil
		Expect(request(w, "file:///a").result()).To(Equal(`"files"`))
	}))

	It("asks one server after the other when the owner is not known, and remembers the owner", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.server("files").requests, w.server("web").requests = refuses, answers(`"here"`)

		Expect(request(w, "file:///a").result()).To(Equal(`"here"`))
		Expect(request(w, "file:///a").result()).To(Equal(`"here"`))

		Expect(asked(w.server("files"))).To(Equal(1))
		Expect(asked(w.server("web"))).To(Equal(2))
		Expect(w.server("web").session().seen().requests[0].Params).To(Equal(json.RawMessage(`{"uri":"file:///a"}`)))
	}))

	It("asks the server that listed the resource, even if an earlier one answered for it before", Label("S16"), spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.opens("ops")
		w.server("files").requests, w.server("web").requests = answers(`"files"`), answers(`"web"`)
		lists := func(kind domain.ResourceKind) {
			Expect(w.resources.ListResources(t.Context(), kind)).Error().NotTo(HaveOccurred())
		}
		for _, uri := range []string{"dev/web", "web:1"} {
			Expect(request(w, uri).result()).To(Equal(`"files"`))
		}

		lists(domain.Resources)
		Expect(request(w, "dev/web").result()).To(Equal(`"web"`))
		lists(domain.ResourceTemplates)
		Expect(request(w, "web:1").result()).To(Equal(`"web"`))
		Expect(request(w, "dev/web").result()).To(Equal(`"web"`))
		Expect(request(w, "ops/files").result()).To(Equal(`"resources/read"`), "of the other toolbox")
	}))

	It("asks the first server that lists the resource, and the next one if that refuses", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		for _, server := range []*fakeServer{w.server("files"), w.server("web")} {
			server.resources[domain.Resources] = []json.RawMessage{json.RawMessage(`{"uri":"file:///a"}`)}
		}
		Expect(w.resources.ListResources(t.Context(), domain.Resources)).Error().NotTo(HaveOccurred())
		w.server("files").requests, w.server("web").requests = answers(`"files"`), answers(`"web"`)

		Expect(request(w, "file:///a").result()).To(Equal(`"files"`))
		w.server("files").requests = refuses
		Expect(request(w, "file:///a").result()).To(Equal(`"web"`))
	}))

	It("keeps the resources that a server listed last when it fails to list", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.server("files").requests, w.server("web").requests = answers(`"files"`), answers(`"web"`)
		for _, refusal := range []error{nil, errors.New("no list")} {
			w.server("web").refusal = refusal
			Expect(w.resources.ListResources(t.Context(), domain.Resources)).Error().NotTo(HaveOccurred())
		}

		Expect(request(w, "dev/web").result()).To(Equal(`"web"`))
	}))

	It("ends a subscription at its server, even if another result pointed at the resource since", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		about := func(purpose ports.ResourcePurpose) {
			w.resources.RequestResource(w.t.Context(), "file:///a", ports.ResourceRequest{Purpose: purpose}, domain.ServerID{}, (&outcome{}).serverReply)
		}
		w.server("web").calls = func(_ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Result: json.RawMessage(`{}`), Resources: []string{"file:///a"}}, nil)
		}

		about(ports.SubscribeResource)
		w.use("web", "read")
		about(ports.UnsubscribeResource)

		Expect(asked(w.server("files"))).To(Equal(2))
		Expect(asked(w.server("web"))).To(BeZero())
	}))

	It("asks the other servers when the owner is gone", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.server("files").requests, w.server("web").requests = refuses, answers(`"here"`)
		request(w, "file:///a")
		w.server("web").die()
		w.server("files").requests = answers(`"there"`)

		Expect(request(w, "file:///a").result()).To(Equal(`"there"`))
	}))

	It("returns the answer of the first server when none has the resource", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		w.server("files").requests = refuses
		w.server("web").requests = func(_ ports.Request, reply ports.Reply) {
			reply(ports.Answer{Error: json.RawMessage(`{"code":-1}`)}, nil)
		}

		_, answer, err := request(w, "file:///a").received()

		Expect(err).NotTo(HaveOccurred())
		Expect(string(answer.Error)).To(Equal(`{"code":-32002}`))
	}))

	It("remembers at least the last five thousand resources that results pointed at, but not all", spec.InBubble(func(t *testing.T) {
		w := started(t)
		w.opens("dev")
		uri := func(i int) string { return fmt.Sprintf("file:///%d", i) }
		var uris []string
		for i := range 20_000 {
			uris = append(uris, uri(i))
		}
		w.server("web").calls = func(_ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Result: json.RawMessage(`{}`), Resources: uris}, nil)
		}
		w.use("web", "read")

		request(w, uri(19_999))
		request(w, uri(15_000))
		Expect(asked(w.server("files"))).To(BeZero())
		request(w, uri(0))
		Expect(asked(w.server("files"))).To(Equal(1))
	}))
})

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
		Expect(w.server("db").living()).To(Equal(1))

		Expect(request(w, ports.UnsubscribeResource).result()).To(Equal(`"unsubscribe"`))
		time.Sleep(time.Hour)
		synctest.Wait()
		Expect(w.server("db").living()).To(BeZero())
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
