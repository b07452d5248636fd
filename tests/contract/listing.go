package contract

import (
	"context"
	"encoding/json"
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/script"
)

// definitions returns the raw definitions of a list, which must not fail.
func definitions(session ports.Session) []string {
	GinkgoHelper()
	list, err := session.ListTools(context.Background())
	Expect(err).NotTo(HaveOccurred())
	raw := []string{}
	for _, tool := range list.Tools {
		raw = append(raw, string(tool.Definition))
	}
	return raw
}

// warningKinds returns the kinds of the warnings in a list.
func warningKinds(list domain.ToolList) []domain.WarningKind {
	var kinds []domain.WarningKind
	for _, warning := range list.Warnings {
		kinds = append(kinds, warning.Kind)
	}
	return kinds
}

func describeListing(on *trial) {
	ctx := context.Background()
	listed := func(result string) script.Script {
		return script.Script{Rules: []script.Rule{{Method: "tools/list", Do: []script.Step{{Result: result}}}}}
	}

	Context("listing tools", func() {
		It("returns every page, in the server's order and bytes", func() {
			tools := []string{`{ "name":"z","n":1.50, "_meta":{"a":[1, 2]},"inputSchema":{} }`}
			for i := range 7 {
				tools = append(tools, script.Tool(fmt.Sprintf("tool %d", i)))
			}
			session := on.play(script.Script{Tools: tools, PageSize: 3})

			Expect(definitions(session)).To(Equal(tools))
			Expect(on.heard("tools/list")).To(HaveLen(3))
		})

		It("reads the names from the definitions", func() {
			session := on.play(script.Script{Tools: []string{`{"name":"caf\u00e9\u001b[31m","inputSchema":{}}`}})

			list, err := session.ListTools(ctx)

			Expect(err).NotTo(HaveOccurred())
			Expect(list.Tools[0].Name).To(Equal("café\x1b[31m"))
			Expect(list.Tools[0].Shown).To(Equal("café"))
		})

		It("returns an empty list for a server without tools", func() {
			Expect(definitions(on.play(script.Script{}))).To(BeEmpty())
			Expect(definitions(on.play(script.Script{Rules: []script.Rule{
				{Method: "tools/list", Do: []script.Step{{Error: `{"code":-32601,"message":"Method not found"}`}}},
			}}))).To(BeEmpty())
		})

		It("includes the instructions", func() {
			list, err := on.play(script.Script{Instructions: "Read \"first\".\n"}).ListTools(ctx)

			Expect(err).NotTo(HaveOccurred())
			Expect(list.Instructions).To(Equal("Read \"first\".\n"))
		})

		It("returns each name once and warns about the rest", Label("S05"), func() {
			first := `{"name":"a","description":"first"}`

			list, err := on.play(listed(`{"tools":[` + first + `,{"name":"a"},{"description":"nameless"},7,{"name":"b"}]}`)).ListTools(ctx)

			Expect(err).NotTo(HaveOccurred())
			Expect(list.Names()).To(Equal([]string{"a", "b"}))
			Expect(string(list.Tools[0].Definition)).To(Equal(first))
			Expect(warningKinds(list)).To(Equal([]domain.WarningKind{domain.ToolListedTwice, domain.ToolWithoutName, domain.ToolWithoutName}))
		})

		It("ends a list that repeats a page, with a warning", func() {
			list, err := on.play(listed(`{"tools":[{"name":"a"}],"nextCursor":"again"}`)).ListTools(ctx)

			Expect(err).NotTo(HaveOccurred())
			Expect(list.Names()).To(Equal([]string{"a"}))
			Expect(warningKinds(list)).To(ContainElement(domain.ListRepeated))
		})

		It("keeps the first pages when a later one fails, with a warning", func() {
			list, err := on.play(script.Script{Rules: []script.Rule{
				{Method: "tools/list", Once: true, Do: []script.Step{{Result: `{"tools":[{"name":"a"}],"nextCursor":"2"}`}}},
				{Method: "tools/list", Do: []script.Step{{Error: `{"code":-32603,"message":"lost my place"}`}}},
			}}).ListTools(ctx)

			Expect(err).NotTo(HaveOccurred())
			Expect(list.Names()).To(Equal([]string{"a"}))
			Expect(warningKinds(list)).To(Equal([]domain.WarningKind{domain.ListBroken}))
		})

		It("says why a server does not list its tools", func() {
			session := on.play(script.Script{Rules: []script.Rule{
				{Method: "tools/list", Do: []script.Step{{Error: `{"code":-32603,"message":"no database"}`}}},
			}})

			_, err := session.ListTools(ctx)

			Expect(unavailable(err)).To(ContainSubstring("no database"))
		})

		It("is bounded by the context, and the session stays usable", func() {
			session := on.play(script.Script{Rules: []script.Rule{
				{Method: "tools/list", Once: true, Background: true, Do: []script.Step{on.hang()}},
				script.Answer("", script.Text("done")),
			}})
			listing, end := context.WithCancel(ctx)
			on.once("tools/list", end)

			_, err := session.ListTools(listing)

			Expect(err).To(MatchError(context.Canceled))
			Expect(definitions(session)).To(BeEmpty())
			Expect(on.use(session, "read")).To(Equal(script.Text("done")))
		})
	})

	Context("listing resources", func() {
		DescribeTable("returns every page, in the server's order and bytes",
			func(kind domain.ResourceKind, method, resources, uri string) {
				session := on.play(script.Script{Rules: []script.Rule{
					{Method: method, Once: true, Do: []script.Step{{Result: `{"` + resources + `":[{ "` + uri + `":"a" },{"` + uri + `":"b"}],"nextCursor":"2"}`}}},
					{Method: method, Do: []script.Step{{Result: `{"` + resources + `":[{"name":"c","x":${cursor}}]}`}}},
				}})

				entries, err := session.ListResources(ctx, kind)

				Expect(err).NotTo(HaveOccurred())
				Expect(entries).To(HaveExactElements(
					isResource("a", `{ "`+uri+`":"a" }`), isResource("b", `{"`+uri+`":"b"}`), isResource("", `{"name":"c","x":"2"}`)))
			},
			Entry("of resources", domain.Resources, "resources/list", "resources", "uri"),
			Entry("of templates", domain.ResourceTemplates, "resources/templates/list", "resourceTemplates", "uriTemplate"),
		)

		It("says why a server does not list them", func() {
			refusing := script.Script{Rules: []script.Rule{{Method: "resources/list", Do: []script.Step{{Error: `{"code":-32603,"message":"out of order"}`}}}}}

			_, err := on.play(refusing).ListResources(ctx, domain.Resources)

			Expect(unavailable(err)).To(ContainSubstring("out of order"))
		})

		It("returns none for a server without the request", func() {
			Expect(on.play(script.Script{}).ListResources(ctx, domain.Resources)).To(BeEmpty())
		})
	})
}

// isResource matches a resource, or a template, of that URI with these bytes.
func isResource(uri, definition string) OmegaMatcher {
	return And(HaveField("URI", uri), HaveField("Definition", json.RawMessage(definition)))
}

func describePrompts(on *trial) {
	ctx := context.Background()
	listing := func(results ...string) script.Script {
		var s script.Script
		for i, result := range results {
			s.Rules = append(s.Rules, script.Rule{Method: "prompts/list", Once: i < len(results)-1, Do: []script.Step{{Result: result}}})
		}
		return s
	}

	Context("listing prompts", func() {
		It("returns every page, in the server's order and bytes", func() {
			const first = `{ "name":"b","arguments":[ {"name":"x","n":1.50} ] }`
			list, err := on.play(listing(`{"prompts":[`+first+`],"nextCursor":"2"}`, `{"prompts":[{"name":"a","x":${cursor}}]}`)).ListPrompts(ctx)

			Expect(err).NotTo(HaveOccurred())
			Expect(list).To(Equal(domain.PromptList{Prompts: []domain.Prompt{
				{Name: "b", Definition: json.RawMessage(first)}, {Name: "a", Definition: json.RawMessage(`{"name":"a","x":"2"}`)},
			}}))
		})

		It("returns each name once and reports the rest", Label("S18"), func() {
			list, err := on.play(listing(`{"prompts":[{"name":"a","n":1},{"name":"a"},{"title":"x"},7,{"name":"b"}]}`)).ListPrompts(ctx)

			Expect(err).NotTo(HaveOccurred())
			Expect(list.Prompts).To(HaveExactElements(
				HaveField("Definition", json.RawMessage(`{"name":"a","n":1}`)), HaveField("Name", "b")))
			Expect(list.LeftOut).To(Equal([]string{
				`prompt "a" is listed more than once; the first definition counts`, "entry 3 has no name", "entry 4 has no name",
			}))
		})

		It("ends a list that repeats a page, and reports that", Label("S18"), func() {
			list, err := on.play(listing(`{"prompts":[{"name":"a"}],"nextCursor":"again"}`)).ListPrompts(ctx)

			Expect(err).NotTo(HaveOccurred())
			Expect(list.Prompts).To(HaveLen(1))
			Expect(list.LeftOut).To(ContainElement(ContainSubstring("repeated a page")))
		})

		It("says why a server does not list them", func() {
			session := on.play(script.Script{Rules: []script.Rule{
				{Method: "prompts/list", Do: []script.Step{{Error: `{"code":-32603,"message":"no database"}`}}},
			}})

			_, err := session.ListPrompts(ctx)

			Expect(unavailable(err)).To(ContainSubstring("no database"))
		})
	})

	Context("sending a request that is not a call", func() {
		It("passes on its progress before its result", func() {
			var changes []string
			session := on.play(script.Script{Rules: []script.Rule{{Method: "prompts/get", Do: []script.Step{
				{Line: `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1.0}}`},
				{Result: `{"got":${arguments}}`},
			}}}})
			request := ports.Request{
				Message: ports.Message{Method: "prompts/get", Params: json.RawMessage(`{"name":"a","arguments":` + odd + `}`)},
				Progress: func(progress ports.Progress) {
					changes = append(changes, string(progress.Before)+"TOKEN"+string(progress.After))
				},
			}

			Expect(on.beginRequest(session, request).result()).To(Equal(`{"got":` + odd + `}`))

			Expect(changes).To(Equal([]string{`{"progressToken":TOKEN,"progress":1.0}`}))
		})
	})
}
