package contract

import (
	"context"
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/script"
)

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

		It("returns each name once and reports the rest", func() {
			list, err := on.play(listing(`{"prompts":[{"name":"a","n":1},{"name":"a"},{"title":"x"},7,{"name":"b"}]}`)).ListPrompts(ctx)

			Expect(err).NotTo(HaveOccurred())
			Expect(list.Prompts).To(HaveExactElements(
				HaveField("Definition", json.RawMessage(`{"name":"a","n":1}`)), HaveField("Name", "b")))
			Expect(list.LeftOut).To(Equal([]string{
				`prompt "a" is listed more than once; the first definition counts`, "entry 3 has no name", "entry 4 has no name",
			}))
		})

		It("ends a list that repeats a page, and reports that", func() {
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
