package acceptance_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// prompting is a call during which the person at the host is asked something.
type prompting struct {
	host    Host
	members string // of the call's parameters
	id      string // of the request that waits for the answer
	prompts int    // how often the host was asked so far
	wanted  required
}

// beginCall begins a call of one of the two tools.
func beginCall(host Host, tool, arguments string) *prompting {
	GinkgoHelper()
	p := &prompting{host: host, members: `"name":` + Quote(tool) + `,"arguments":` + arguments}
	p.id = host.Begin("tools/call", host.Params(p.members))
	return p
}

// asked waits until the host is asked, and returns the parameters.
func (p *prompting) asked() json.RawMessage {
	GinkgoHelper()
	p.prompts++
	if !p.host.Modern {
		return p.host.AwaitSaid("elicitation/create", p.prompts).Params
	}
	p.wanted = requiredBy(p.host.Await(p.id))
	request := p.wanted.Requests[p.wanted.key()]
	Expect(request.Method).To(Equal("elicitation/create"))
	return request.Params
}

// prompted waits until the host is asked, and returns where the person is to go.
func (p *prompting) prompted() string {
	GinkgoHelper()
	var params struct{ Mode, Message, URL, ElicitationID string }
	Expect(json.Unmarshal(p.asked(), &params)).To(Succeed())
	Expect(params.ElicitationID == "").To(Equal(p.host.Modern), "this version has none")
	Expect(params.Mode).To(Equal("url"))
	Expect(params.Message).To(MatchRegexp(`^MCP Workbench asks:\nThe server '\w+' of the toolbox 'dev' needs you to log in: the page is at 127\.0\.0\.1:\d+, the server at 127\.0\.0\.1:\d+\.$`))
	return params.URL
}

// answer is what the person did.
func (p *prompting) answer(action string) *prompting {
	GinkgoHelper()
	return p.answerWith(`{"action":` + Quote(action) + `}`)
}

// answerWith is answer with the raw result of the elicitation.
func (p *prompting) answerWith(result string) *prompting {
	GinkgoHelper()
	if p.host.Modern {
		p.id = p.host.Begin("tools/call", p.host.Params(p.members+`,"inputResponses":{`+Quote(p.wanted.key())+`:`+result+
			`},"requestState":`+Quote(p.wanted.State)))
	} else {
		p.host.Reply(p.host.AwaitSaid("elicitation/create", p.prompts), result)
	}
	return p
}

func (p *prompting) ends() Message {
	GinkgoHelper()
	return p.host.Await(p.id)
}
