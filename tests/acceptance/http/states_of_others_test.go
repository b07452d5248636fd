package http_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// remembering returns a server of 2026-07-28 behind a URL, the same one for all hosts, that
// continues with any host that sends the state that it gave.
func remembering() Server {
	GinkgoHelper()
	s := WithTools("ask", "other")
	s.Capabilities = `{"tools":{},"prompts":{},"resources":{}}`
	s.Rules = []script.Rule{{Method: "prompts/list", Do: []script.Step{{Result: `{"resultType":"complete","ttlMs":0,"cacheScope":"private","prompts":[{"name":"review"}]}`}}}}
	for _, method := range []string{"tools/call", "prompts/get", "resources/read"} {
		s.Rules = append(s.Rules,
			script.Rule{Method: method, Continued: true, Do: []script.Step{{Result: `{"resultType":"complete","content":[],"messages":[],"contents":[],"state":${requestState}}`}}},
			script.Rule{Method: method, Do: []script.Step{{Result: InputRequiredResult}}})
	}
	return WebKinds[1].Serve(s).Server
}

var _ = Describe("The requestState of a server, over HTTP,", Label("B01"), func() {
	const ann, bob = "token-of-ann-that-is-long", "token-of-bob-that-is-long"
	const tokens = `{"tokens": {
		"ann": {"value": "` + ann + `", "toolboxes": ["*"]},
		"bob": {"value": "` + bob + `", "toolboxes": ["*"]}
	}}`
	const refused = "The requestState was not given to you for this request, or not since the workbench started, so nothing was done."

	var server Server
	var l *listener
	BeforeEach(func() {
		server = remembering()
		l = listen(Launch{Config: WithHTTP(tokens, InDev(server))})
	})
	open := func(token string) *caller {
		GinkgoHelper()
		c, hello := l.as(Modern, token)
		Expect(hello.StatusCode).To(Equal(200))
		Expect(c.open("dev").text).To(ContainSubstring("ask"))
		return c
	}
	returned := func(state string) string {
		return `,"requestState":` + Quote(state) + `,"inputResponses":{"who":{},"where":{}}`
	}

	for _, way := range []struct{ method, params string }{
		{"tools/call", `"name":"use_tool","arguments":` + UseArguments("dev", "files", "ask", "{}")},
		{"prompts/get", `"name":"dev__files_review"`},
		{"resources/read", `"uri":"file:///x"`},
	} {
		It("is for the identity that got it, by "+way.method, func() {
			first := open(ann)
			asked := first.request(way.method, way.params)
			state := RequiredInputOf(asked.message()).State
			Expect(WithoutSeals(asked.text)).To(ContainSubstring(strings.Replace(strings.Split(InputRequiredResult, "${call}")[0], FormParams, FromServer("files", FormParams), 1)))
			heard := len(server.ReceivedWith(way.method))

			Expect(open(bob).request(way.method, way.params+returned(state)).text).To(ContainSubstring(refused))
			Expect(first.request(way.method, way.params+returned("state of 1/é")).text).To(ContainSubstring(refused), "nor does what is in it help")
			Expect(server.ReceivedWith(way.method)).To(HaveLen(heard))

			Expect(first.request(way.method, way.params+returned(state)).text).To(ContainSubstring(`"state":"state of `))
			Expect(server.ReceivedWith(way.method)).To(HaveLen(heard + 1))
		})
	}
})
