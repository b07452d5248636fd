package acceptance_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// prompting is a call during which the person at the host is asked to log in.
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

// prompted waits until the host is asked, and returns where the person is to go.
func (p *prompting) prompted() string {
	GinkgoHelper()
	p.prompts++
	var params struct{ Mode, Message, URL, ElicitationID string }
	if p.host.Modern {
		p.wanted = requiredBy(p.host.Await(p.id))
		request := p.wanted.Requests[p.wanted.key()]
		Expect(request.Method).To(Equal("elicitation/create"))
		Expect(json.Unmarshal(request.Params, &params)).To(Succeed())
		Expect(params.ElicitationID).To(BeEmpty(), "this version has none")
	} else {
		Expect(json.Unmarshal(p.host.AwaitSaid("elicitation/create", p.prompts).Params, &params)).To(Succeed())
		Expect(params.ElicitationID).NotTo(BeEmpty())
	}
	Expect(params.Mode).To(Equal("url"))
	Expect(params.Message).To(MatchRegexp(`^The server '\w+' of the toolbox 'dev' needs you to log in\.$`))
	return params.URL
}

// answer is what the person did.
func (p *prompting) answer(action string) *prompting {
	GinkgoHelper()
	result := `{"action":` + Quote(action) + `}`
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
