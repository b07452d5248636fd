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

const noValues = `{"completion":{"values":[]}}`

var _ = Describe("Completing", func() {
	// started opens a toolbox whose servers have prompts, templates of their own, and a
	// template that all of them have. All but "mute" complete, with their name.
	started := func(t *testing.T) *workbench {
		w := start(t, toolbox("dev", "mute", "files", "web"))
		for id, server := range w.servers {
			server.declares = []string{"prompts", "resources"}
			if id.Server != "mute" {
				server.declares = append(server.declares, "completions")
			}
			server.prompts.offer("review")
			server.resources = map[domain.ResourceKind][]json.RawMessage{domain.ResourceTemplates: {
				json.RawMessage(`{"uri":"` + string(id.Server) + `://{id}"}`), json.RawMessage(`{"uri":"all://{id}"}`),
			}}
			server.requests = func(request ports.Request, reply ports.Reply) {
				reply(ports.Answer{Result: json.RawMessage(`"` + string(id.Server) + `"`)}, nil)
			}
		}
		w.opens("dev")
		return w
	}
	request := ports.Message{Method: "completion/complete", Params: json.RawMessage(`{"x":1}`)}
	prompt := func(w *workbench, name string) *outcome {
		received := &outcome{}
		found := spec.Must(w.prompts.FindPrompt(w.t.Context(), name))
		w.completer.CompletePrompt(w.t.Context(), found, request, received.reply)
		synctest.Wait()
		return received
	}
	template := func(w *workbench, uri string) *outcome {
		received := &outcome{}
		w.completer.CompleteTemplate(w.t.Context(), uri, request, received.serverReply)
		synctest.Wait()
		return received
	}
	asked := func(w *workbench, name domain.ServerName) int { return len(w.server(name).session().seen().requests) }

	Context("an argument of a prompt", func() {
		It("asks the server of the prompt", spec.InBubble(func(t *testing.T) {
			w := started(t)

			Expect(prompt(w, "dev__web_review").result()).To(Equal(`"web"`))

			Expect(string(w.server("web").session().seen().requests[0].Params)).To(Equal(`{"x":1}`))
			Expect(w.server("web").session().seen().requests[0].Limit).To(Equal(domain.DefaultLimits().Call))
		}))

		It("does not ask a server without completions, and returns no values", spec.InBubble(func(t *testing.T) {
			w := started(t)

			Expect(prompt(w, "dev__mute_review").result()).To(Equal(noValues))
			Expect(asked(w, "mute")).To(BeZero())
		}))

		It("restarts a server that died", spec.InBubble(func(t *testing.T) {
			w := started(t)
			w.promptNames()
			w.server("web").die()

			Expect(prompt(w, "dev__web_review").result()).To(Equal(`"web"`))
		}))
	})

	Context("a variable of a template", func() {
		It("asks the server that listed it, and lists the templates if no server did", spec.InBubble(func(t *testing.T) {
			w := started(t)

			Expect(template(w, "web://{id}").result()).To(Equal(`"web"`))
			Expect(template(w, "files://{id}").result()).To(Equal(`"files"`))

			Expect(asked(w, "web")).To(Equal(1))
			Expect(asked(w, "files")).To(Equal(1))
		}))

		It("does not ask a server without completions, and returns no values", spec.InBubble(func(t *testing.T) {
			w := started(t)

			Expect(template(w, "mute://{id}").result()).To(Equal(noValues))
			Expect(asked(w, "mute")).To(BeZero())
		}))

		It("asks the first of those that list it, and the next one if that refuses", spec.InBubble(func(t *testing.T) {
			w := started(t)
			Expect(template(w, "all://{id}").result()).To(Equal(`"files"`))
			w.server("files").requests = func(_ ports.Request, reply ports.Reply) {
				reply(ports.Answer{Error: json.RawMessage(`{"code":-32602}`)}, nil)
			}

			Expect(template(w, "all://{id}").result()).To(Equal(`"web"`))
		}))

		It("asks as for a resource when no server lists it", spec.InBubble(func(t *testing.T) {
			w := started(t)
			w.server("files").requests = func(_ ports.Request, reply ports.Reply) {
				reply(ports.Answer{Error: json.RawMessage(`{"code":-32602}`)}, nil)
			}

			Expect(template(w, "hidden://{id}").result()).To(Equal(`"web"`))
			Expect(asked(w, "files")).To(Equal(1))
			Expect(asked(w, "mute")).To(BeZero())
		}))

		It("fails when no connected server has completions", spec.InBubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			Expect(template(w, "a://{id}").failure()).To(MatchError(domain.ErrResourceNotFound))
			w.opens("dev")

			Expect(template(w, "a://{id}").failure()).To(MatchError(domain.ErrResourceNotFound))
			Expect(asked(w, "files")).To(BeZero())
		}))
	})
})
