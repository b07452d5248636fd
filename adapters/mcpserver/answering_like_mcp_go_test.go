package mcpserver_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// recorded are lines and what mcp-go's server answers to them (testdata/oracle).
func recorded() map[string]map[string]any {
	GinkgoHelper()
	file, err := os.Open("testdata/answers.jsonl")
	Expect(err).NotTo(HaveOccurred())
	defer file.Close() //nolint:errcheck // it was only read
	answers := map[string]map[string]any{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var e struct {
			Send   string
			Answer map[string]any
		}
		Expect(json.Unmarshal(lines.Bytes(), &e)).To(Succeed())
		answers[e.Send] = e.Answer
	}
	return answers
}

var _ = Describe("Answering", func() {
	// otherwise are the lines that the workbench answers in another way, and why.
	otherwise := map[string]string{
		`[]`:                             "batches are requests of a kind that is not taken, not bad JSON",
		`{"jsonrpc":"2.0","id":1}`:       "what names no method is no request",
		request("1", "tools/list", `[]`): "params that are no object are invalid params",
		request("1", "tools/list", `{"cursor":"nonsense"}`):   "an unknown cursor is an invalid param",
		request("1", "resources/read", `{}`):                  "a URI that is missing is an invalid param, not a resource that is",
		request("1", "prompts/list", `{"cursor":"nonsense"}`): "an unknown cursor is an invalid param",
		request("1", "completion/complete", `{}`):             "a reference that is missing is an invalid param",

		request("1", "completion/complete", `{"ref":{"type":"ref/tool","name":"x"},"argument":{"name":"a","value":""}}`):   "so is one of a kind that is not known",
		request("1", "completion/complete", `{"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":""}}`): "no server has the prompt",
		request("1", "logging/setLevel", `{"level":"info"}`):                                                               "the level needs no session there",
		request("1", "logging/setLevel", `{"level":"loud"}`):                                                               "the level needs no session there",
		request("1", "tasks/get", `{"taskId":"x"}`):                                                                        "tasks of servers are passed on",
		request("1", "resources/subscribe", `{"uri":"file:///x"}`):                                                         "no server has the resource",
	}

	It("matches mcp-go's server unless the contract requires otherwise", func() {
		answers := recorded()
		Expect(len(answers)).To(BeNumerically(">", 30))
		for line, theirs := range answers {
			if _, ok := otherwise[line]; ok {
				continue
			}
			lines := newWorkbench().converse(line)
			if theirs == nil {
				Expect(lines).To(BeEmpty(), line)
				continue
			}
			Expect(lines).To(HaveLen(1), line)
			Expect(inSubstance(fields(lines[0]))).To(Equal(inSubstance(theirs)), line)
		}
	})

	It("differs from mcp-go only in the listed cases", func() {
		answers := recorded()
		for line, why := range otherwise {
			Expect(answers).To(HaveKey(line))
			ours := fields(newWorkbench().answer(line))
			Expect(inSubstance(ours)).NotTo(Equal(inSubstance(answers[line])), why)
		}
	})
})

// inSubstance returns an answer without the wording, which differs: the
// messages of errors and what they say more, the texts of results, and all of the
// tools but their names. Servers of mcp-go sign every result; the workbench signs
// its own, not those of tools.
func inSubstance(answer map[string]any) map[string]any {
	answer = maps.Clone(answer)
	if failure, ok := answer["error"].(map[string]any); ok {
		kept := map[string]any{"code": failure["code"]}
		if data, ok := failure["data"].(map[string]any); ok && data["supported"] != nil {
			kept["data"] = data
		}
		answer["error"] = kept
	}
	result, ok := answer["result"].(map[string]any)
	if !ok {
		return answer
	}
	result = maps.Clone(result)
	answer["result"] = result
	if capabilities, ok := result["capabilities"].(map[string]any); ok {
		// The recorded server declared that its tools never change.
		capabilities = maps.Clone(capabilities)
		delete(capabilities, "tools")
		result["capabilities"] = capabilities
	}
	meta, _ := result["_meta"].(map[string]any)
	for _, holder := range []map[string]any{result, meta} {
		for _, name := range []string{"serverInfo", mcp.MetaKeyServerInfo} {
			if info, ok := holder[name].(map[string]any); ok {
				// The recorded server had no title and no icon.
				delete(info, "title")
				delete(info, "icons")
			}
		}
	}
	if content, ok := result["content"].([]any); ok {
		delete(result, "_meta")
		for _, item := range content {
			delete(item.(map[string]any), "text")
		}
	}
	if tools, ok := result["tools"].([]any); ok {
		var names []any
		for _, tool := range tools {
			names = append(names, tool.(map[string]any)["name"])
		}
		result["tools"] = names
	}
	return answer
}
