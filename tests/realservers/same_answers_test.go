package realservers_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Using real servers", Label("S14"), func() {
	It("shows every tool of every server in the server's own JSON, and its instructions", func() {
		directory := realDirectory()
		servers := []server{memory(filepath.Join(directory, "graph.json")), everythingServer(), filesystem(directory)}
		w := startWorkbench(toolbox{"real", servers})

		shown := w.Open("real")

		var own []string
		instructions := map[string]string{}
		for _, s := range servers {
			direct, told := s.direct()
			if told != "" {
				instructions[s.name] = told
			}
			for _, definition := range (Host{Workbench: direct}).Tools() {
				own = append(own, fmt.Sprintf(`%s,"server":%q,"toolbox":"real"}`, definition[:len(definition)-1], s.name))
			}
		}
		Expect(own).To(HaveLen(13 + 9 + 14))
		Expect(texts(shown.Tools)).To(Equal(own))
		Expect(instructions).To(HaveKey("everything"))
		Expect(shown.Instructions).To(MatchJSON(spec.Must(json.Marshal(instructions))))
		Expect(shown.Connected).To(Equal(3))
		Expect(shown.Errors).To(BeEmpty())
		Expect(shown.Warnings).To(BeEmpty())
	})

	It("answers every call of the everything server with the server's own bytes", func() {
		s := everythingServer()
		compare(everythingJourney(), answers(s, everythingJourney()), throughWorkbench(s, everythingJourney()))
	})
})

// answers makes the calls of a journey to the server itself.
func answers(s server, journey []call) []Message {
	GinkgoHelper()
	direct, _ := s.direct()
	var given []Message
	for _, c := range journey {
		given = append(given, direct.Call(c.tool, c.arguments))
	}
	return given
}

// ownVariables are the variables in the result of get-env that only a server below a workbench has: that with which the
// workbench finds its processes, and the state folder of the spec.
var ownVariables = regexp.MustCompile(`,\\n  \\"(MCP_WORKBENCH_SERVER|XDG_STATE_HOME)\\": \\"[^"\\]+\\"`)

// throughWorkbench makes the calls of a journey to the server of a toolbox.
func throughWorkbench(s server, journey []call) []Message {
	GinkgoHelper()
	w := startWorkbench(toolbox{"real", []server{s}})
	w.Open("real")
	var given []Message
	for _, c := range journey {
		answer := w.Use("real", s.name, c.tool, c.arguments)
		answer.Result = ownVariables.ReplaceAll(answer.Result, nil)
		given = append(given, answer)
	}
	return given
}

// compare compares the answers of both ways byte by byte.
func compare(journey []call, direct, through []Message) {
	GinkgoHelper()
	for i, c := range journey {
		what := fmt.Sprintf("call %d: %s %.200s", i+1, c.tool, c.arguments)
		Expect(outcomeOf(direct[i])).To(Equal(c.outcome), "%s\n%s%s", what, direct[i].Result, direct[i].Error)
		Expect(string(through[i].Result)).To(Equal(string(direct[i].Result)), "the result of %s", what)
		Expect(string(through[i].Error)).To(Equal(string(direct[i].Error)), "the error of %s", what)
	}
}

func outcomeOf(answer Message) outcome {
	GinkgoHelper()
	if answer.IsFailure() {
		return failure
	}
	return success
}

func texts(values []json.RawMessage) []string {
	var list []string
	for _, value := range values {
		list = append(list, string(value))
	}
	return list
}

// realDirectory returns a new directory, by the path to which servers resolve
// it.
func realDirectory() string {
	GinkgoHelper()
	return spec.Must(filepath.EvalSymlinks(GinkgoT().TempDir()))
}

// promptRequests returns requests about prompts of the everything server. NAME is a placeholder for the
// prefix that the workbench adds to names of prompts.
func promptRequests() [][2]string {
	get := func(params string) [2]string { return [2]string{"prompts/get", params} }
	complete := func(params string) [2]string { return [2]string{"completion/complete", params} }
	const team = `"ref":{"type":"ref/prompt","name":"NAMEcompletable-prompt"}`
	const text = `"ref":{"type":"ref/resource","uri":"demo://resource/dynamic/text/{resourceId}"}`
	return [][2]string{
		get(`{"name":"NAMEsimple-prompt"}`),
		get(`{"name":"NAMEsimple-prompt","arguments":{},"unknown":[1]}`),
		get(`{"name":"NAMEargs-prompt","arguments":{"city":"<&>\u2028\ud83d\ude00 ü","state":"half of a pair: \ud800"}}`),
		get(`{"name":"NAMEargs-prompt","arguments":{}}`),
		get(`{"name":"NAMEargs-prompt","arguments":{"city":7}}`),
		get(`{"name":"NAMEcompletable-prompt","arguments":{"department":"Sales","name":"Eve"}}`),
		get(`{"name":"NAMEresource-prompt","arguments":{"resourceType":"Text","resourceId":"7"}}`),
		get(`{"name":"NAMEresource-prompt","arguments":{"resourceType":"Blob","resourceId":"8"}}`),
		get(`{"name":"NAMEresource-prompt","arguments":{"resourceType":"None","resourceId":"8"}}`),
		complete(`{` + team + `,"argument":{"name":"department","value":""}}`),
		complete(`{` + team + `,"argument":{"name":"department","value":"S"}}`),
		complete(`{"argument":{"name":"name","value":""},` + team + `,"context":{"arguments":{"department":"Sales"}}}`),
		complete(`{` + team + `,"argument":{"name":"nothing","value":""}}`),
		complete(`{` + team + `}`),
		complete(`{` + text + `,"argument":{"name":"resourceId","value":"4"}}`),
		complete(`{` + text + `,"argument":{"name":"resourceId","value":"none"}}`),
	}
}

var _ = Describe("Prompts of real servers", func() {
	const prefix = "real__everything_"

	It("are listed in the server's own JSON except for the name, and got and completed in its own bytes", Label("S14"), func() {
		s := everythingServer()
		direct, _ := s.direct()
		w := startWorkbench(toolbox{"real", []server{memory(filepath.Join(realDirectory(), "graph.json")), s}})
		w.Open("real")

		own := string(direct.Request("prompts/list", `{}`).Result)
		through := string(w.Request("prompts/list", `{}`).Result)
		Expect(strings.Count(own, `"name":"`)).To(BeNumerically(">", 4))
		Expect(strings.ReplaceAll(through, prefix, "")).To(Equal(own))
		Expect(strings.Count(through, prefix)).To(Equal(4))

		results := 0
		for _, asked := range promptRequests() {
			method, params := asked[0], asked[1]
			from := direct.Request(method, strings.ReplaceAll(params, "NAME", ""))
			got := w.Request(method, strings.ReplaceAll(params, "NAME", prefix))
			Expect(string(got.Result)).To(Equal(string(from.Result)), params)
			Expect(string(got.Error)).To(Equal(string(from.Error)), params)
			if from.Result != nil {
				results++
			}
		}
		Expect(results).To(BeNumerically(">=", 11), "most are no mistakes")
	})
})

// call is one call of a journey.
type call struct {
	tool, arguments string
	outcome         outcome
}

// outcome is the answer of a server to a call.
type outcome string

const (
	success outcome = "a result"
	failure outcome = "a result with isError"
)

// everythingJourney uses every tool that the server lists, correctly and
// incorrectly.
func everythingJourney() []call {
	long := `{"message":"` + strings.Repeat("0123456789abcdef", 1<<16) + `"}`
	return []call{
		{"echo", `{"message":"hello"}`, success},
		{"echo", `{"message":"<>&\u2028\ud83d\ude00\u0000\u001b[31m ü 語"}`, success},
		{"echo", `{"message":"half of a pair: \ud800"}`, success},
		{"echo", long, success},
		{"echo", `{"message":"twice","message":"named"}`, success},
		{"echo", `{"message":"","unknown":{"big":9007199254740993,"tiny":1e-400}}`, success},
		{"echo", `{}`, failure},
		{"echo", `{"message":9007199254740993}`, failure},
		{"get-sum", `{"a":9007199254740993,"b":0.1}`, success},
		{"get-sum", `{"a":1e400,"b":1}`, failure},
		{"get-annotated-message", `{"messageType":"error","includeImage":true}`, success},
		{"get-annotated-message", `{"messageType":"debug"}`, success},
		{"get-env", `{}`, success},
		{"get-resource-links", `{"count":10}`, success},
		{"get-resource-links", `{"count":11}`, failure},
		{"get-resource-reference", `{"resourceType":"Text","resourceId":7}`, success},
		{"get-resource-reference", `{"resourceType":"Blob","resourceId":8}`, success},
		{"get-resource-reference", `{"resourceType":"Text","resourceId":-1}`, failure},
		{"get-structured-content", `{"location":"Chicago"}`, success},
		{"get-structured-content", `{"location":"Atlantis"}`, failure},
		{"get-tiny-image", `{}`, success},
		{"gzip-file-as-resource", `{"name":"a.gz","data":"data:text/plain,hello","outputType":"resource"}`, success},
		{"gzip-file-as-resource", `{"name":"b.gz","data":"data:text/plain,hello"}`, success},
		{"gzip-file-as-resource", `{"data":"file:///etc/hostname"}`, failure},
		{"toggle-simulated-logging", `{}`, success},
		{"toggle-simulated-logging", `{}`, success},
		{"toggle-subscriber-updates", `{}`, success},
		{"toggle-subscriber-updates", `{}`, success},
		{"trigger-long-running-operation", `{"duration":0.01,"steps":2}`, success},
		{"simulate-research-query", `{"topic":"bytes"}`, failure},
	}
}
