package application_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

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

		list := spec.Must(w.resources.ListResources(t.Context(), domain.Resources))
		Expect(list).To(BeEmpty())
		Expect(request(w, "file:///a").failure()).To(MatchError(domain.ErrResourceNotFound))
		starts, _ := w.server("files").counts()
		Expect(starts).To(BeZero())
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

	It("asks the server that lists the resource, even if the result of another one pointed at it", spec.InBubble(func(t *testing.T) {
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

	It("asks, of the servers that list the resource, the one whose result pointed at it, in the toolbox that answered for it", spec.InBubble(func(t *testing.T) {
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

	It("asks the server that listed the resource, even if an earlier one answered for it before", spec.InBubble(func(t *testing.T) {
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
