package workbenchtest

import (
	"encoding/json"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

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
