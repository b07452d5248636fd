package workbenchtest

import (
	"encoding/json"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
)

// AllCapabilities are the capabilities of a host that servers can ask for everything.
const AllCapabilities = `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{"listChanged":true},"experimental":{"x":[1.0]}}`

// Asking returns a server with a tool named ask, which asks the host and answers with the
// host's answer, and a tool named read.
func Asking(method, params string) script.Script {
	s := WithTools("ask", "read")
	s.Rules = []script.Rule{
		{Method: "tools/call", Tool: "ask", Background: true, Do: []script.Step{
			{Ask: method, Params: params}, {Result: `{"content":[],"heard":${answer}}`},
		}},
		script.Answer("read", script.Text("done")),
	}
	return s
}

// Parameters of the requests of servers: a form, a visit to a page, a message of the model.
const (
	FormParams     = `{"message":"Which?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer","default":9007199254740993}}},"_meta":{"x":1}}`
	PageParams     = `{"mode":"url","elicitationId":"e","url":"https://example.org/a?b=\u0026c","message":"Sign in"}`
	SamplingParams = `{"messages":[{"role":"user","content":{"type":"text","text":"Hello"}}],"maxTokens":10}`
)

// InputRequiredResult is the result of a server of 2026-07-28 that requires input.
const InputRequiredResult = `{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":` + FormParams +
	`},"where":{"method":"roots/list"}},"requestState":"state of ${call}/é"}`

// RequiringInput returns a server with a tool named ask that requires input that many times. Its
// result shows the input.
func RequiringInput(times int) script.Script {
	s := WithTools("ask", "read")
	s.Rules = nil
	for range times {
		s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Tool: "ask", Once: true, Do: []script.Step{{Result: InputRequiredResult}}})
	}
	s.Rules = append(s.Rules,
		script.Rule{Method: "tools/call", Tool: "ask", Do: []script.Step{{Result: `{"resultType":"complete","content":[],` +
			`"heard":{"responses":${inputResponses},"state":${requestState},"arguments":${arguments}}}`}}},
		script.Answer("read", script.Text("done")))
	return s
}

// RequiredInput is the part of a result that requires input.
type RequiredInput struct {
	Type     string `json:"resultType"`
	Requests map[string]struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	} `json:"inputRequests"`
	State string `json:"requestState"`
}

// Key returns the key of the only request.
func (r RequiredInput) Key() string {
	ginkgo.GinkgoHelper()
	gomega.Expect(r.Requests).To(gomega.HaveLen(1))
	for key := range r.Requests {
		return key
	}
	return ""
}

// RequiredInputOf returns the input that an answer requires.
func RequiredInputOf(m Message) RequiredInput {
	ginkgo.GinkgoHelper()
	var r RequiredInput
	m.Decode(&r)
	gomega.Expect(r.Type).To(gomega.Equal("input_required"), "%.2000s", m.Line)
	return r
}

// URLCapability is declared by a host that opens pages, and FormCapability by one that shows
// only forms.
const (
	URLCapability  = `{"elicitation":{"form":{},"url":{}}}`
	FormCapability = `{"elicitation":{}}`
)

// FromServer returns the raw parameters that the host gets for a question of this server in the
// toolbox dev.
func FromServer(server, params string) string {
	if strings.HasPrefix(params, `{"messages":`) {
		return `{"_meta":{"mcp-workbench/server":"dev/` + server + `"},` + params[1:]
	}
	asks := `Server '` + server + `' (toolbox 'dev') asks:\n`
	if strings.Contains(params, `"mode":"url"`) {
		asks += `It asks to open a page of \"example.org\".\n`
	}
	params = strings.Replace(params, `"message":"`, `"message":"`+asks, 1)
	return strings.Replace(params, `"elicitationId":"`, `"elicitationId":"dev/`+server+`/`, 1)
}

// PromptedCall is a call during which the user at the host is asked something.
type PromptedCall struct {
	Host    Host
	Members string // raw members of the call's parameters
	ID      string // the id of the request that waits for the answer
	Prompts int    // how often the host was asked so far
	Wanted  RequiredInput
}

// BeginPromptedCall begins a call of one of the two tools, with these raw members of its _meta.
func BeginPromptedCall(host Host, tool, arguments string, meta ...string) *PromptedCall {
	ginkgo.GinkgoHelper()
	p := &PromptedCall{Host: host, Members: `"name":` + Quote(tool) + `,"arguments":` + arguments}
	p.ID = host.Begin("tools/call", host.Params(p.Members, meta...))
	return p
}

// Asked waits until the host is asked, and returns the parameters of the question.
func (p *PromptedCall) Asked() json.RawMessage {
	ginkgo.GinkgoHelper()
	p.Prompts++
	if !p.Host.Modern {
		return p.Host.AwaitSent("elicitation/create", p.Prompts).Params
	}
	p.Wanted = RequiredInputOf(p.Host.Await(p.ID))
	request := p.Wanted.Requests[p.Wanted.Key()]
	gomega.Expect(request.Method).To(gomega.Equal("elicitation/create"))
	return request.Params
}

// Question waits for the question about a call, and returns its text.
func (p *PromptedCall) Question() string {
	ginkgo.GinkgoHelper()
	var params struct{ Message string }
	gomega.Expect(json.Unmarshal(p.Asked(), &params)).To(gomega.Succeed())
	return params.Message
}

// Prompted waits until the host is asked to show a login page, and returns its address.
func (p *PromptedCall) Prompted() string {
	ginkgo.GinkgoHelper()
	var params struct{ Mode, Message, URL, ElicitationID string }
	gomega.Expect(json.Unmarshal(p.Asked(), &params)).To(gomega.Succeed())
	gomega.Expect(params.ElicitationID == "").To(gomega.Equal(p.Host.Modern), "this version has none")
	gomega.Expect(params.Mode).To(gomega.Equal("url"))
	gomega.Expect(params.Message).To(gomega.MatchRegexp(`^MCP Workbench asks:\nThe server '\w+' of the toolbox 'dev' needs you to log in: the page is at 127\.0\.0\.1:\d+, the server at 127\.0\.0\.1:\d+\.$`))
	return params.URL
}

// Answer answers with an action and no content.
func (p *PromptedCall) Answer(action string) *PromptedCall {
	ginkgo.GinkgoHelper()
	return p.AnswerWith(`{"action":` + Quote(action) + `}`)
}

// AnswerWith answers with the raw result of the elicitation.
func (p *PromptedCall) AnswerWith(result string) *PromptedCall {
	ginkgo.GinkgoHelper()
	if p.Host.Modern {
		p.ID = p.Host.Begin("tools/call", p.Host.Params(p.Members+`,"inputResponses":{`+Quote(p.Wanted.Key())+`:`+result+
			`},"requestState":`+Quote(p.Wanted.State)))
	} else {
		p.Host.Reply(p.Host.AwaitSent("elicitation/create", p.Prompts), result)
	}
	return p
}

// Ends waits for the answer to the call.
func (p *PromptedCall) Ends() Message {
	ginkgo.GinkgoHelper()
	return p.Host.Await(p.ID)
}
