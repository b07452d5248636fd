package gosdk_test

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// ways are how the server is reached: its way, and the transport to name.
var ways = map[string]string{"streamable": "http", "objects": "http", "stateless": "http", "sse": "sse"}

var _ = Describe("A server made with the Go SDK", func() {
	// connect returns a host in front of a workbench that has opened the server.
	connect := func(way string, modern bool) (Host, Opened) {
		GinkgoHelper()
		far := Server{Name: "far", Settings: []string{`"url":` + Quote(start(way)), `"transport":"` + ways[way] + `"`}}
		w := Start(Launch{Config: Configuration(NewToolbox("dev", far))})
		host := Connect(w, modern, `{"elicitation":{}}`)
		return host, host.Open("dev")
	}

	for way := range ways {
		for _, modern := range []bool{false, true} {
			Context(fmt.Sprintf("reached by %s, for a host of 2026-07-28: %t", way, modern), func() {
				It("is opened and called, and fails in its own words", func() {
					host, opened := connect(way, modern)

					Expect(opened.Errors).To(BeEmpty())
					Expect(opened.Names()).To(ConsistOf("echo", "fail", "count", "ask", "wait", "grow", "offer"))
					Expect(opened.Instructions).To(MatchJSON(`{"far":"Say something."}`))
					Expect(host.Use("dev", "far", "echo", `{"message":"<&> ü \u2028"}`).Text()).To(ContainSubstring("ü"))
					Expect(host.Use("dev", "far", "fail", `{"message":"no luck"}`).Failure()).To(Equal("no luck"))
				})

				It("has prompts, whose arguments are completed", func() {
					host, _ := connect(way, modern)

					Expect(string(host.Request("prompts/list", host.Params("")).Result)).To(ContainSubstring(
						`"prompts":[{"arguments":[{"name":"who","required":true}],"name":"dev__far_greet","title":"Greet `))
					Expect(string(host.Request("prompts/get", host.Params(`"name":"dev__far_greet","arguments":{"who":"Ada"}`)).Result)).To(
						ContainSubstring(`{"type":"text","text":"greet Ada"}`))
					Expect(host.Request("prompts/get", host.Params(`"name":"dev__far_nobody"`)).Code()).To(Equal(-32602))
					Expect(string(host.Request("completion/complete", host.Params(
						`"ref":{"type":"ref/prompt","name":"dev__far_greet"},"argument":{"name":"who","value":"A"}`)).Result)).To(
						ContainSubstring(`"completion":{"values":["greet A"]}`))
				})

				It("tells of its progress, where it can", func() {
					host, _ := connect(way, modern)

					Expect(host.Use("dev", "far", "count", `{"message":""}`, `"progressToken":"p"`).Error).To(BeNil())

					if way != "objects" { // there is no room for it in one object
						Expect(host.Sent("notifications/progress")).To(HaveLen(3))
					}
				})
			})
		}

		It("hears of a cancel, reached by "+way, func() {
			if way == "stateless" {
				Skip("that SDK ignores the end of a connection, the only sign of a cancel without a session")
			}
			host, _ := connect(way, false)
			file := filepath.Join(GinkgoT().TempDir(), "call")
			id := host.BeginUse("dev", "far", "wait", `{"message":`+Quote(file)+`}`)
			Eventually(file + ".begun").WithTimeout(Patience).Should(BeAnExistingFile())

			host.Cancel(id)

			Eventually(file + ".cancelled").WithTimeout(Patience).Should(BeAnExistingFile())
		})
	}

	for _, way := range []string{"streamable", "sse"} {
		It("asks the host during a call, reached by "+way, func() {
			host, _ := connect(way, false)
			id := host.BeginUse("dev", "far", "ask", `{"message":"which colour?"}`)

			question := host.AwaitSent("elicitation/create", 1)
			Expect(question.Member("message")).To(Equal(`"Server 'far' (toolbox 'dev') asks:\nwhich colour?"`))
			host.Reply(question, `{"action":"accept","content":{"colour":"red"}}`)

			Expect(host.Await(id).Text()).To(MatchJSON(`{"colour":"red"}`))
		})

		It("says that its prompts changed, reached by "+way, func() {
			host, _ := connect(way, false)
			host.AwaitSent("notifications/prompts/list_changed", 1)

			host.Use("dev", "far", "offer", `{"message":"leave"}`)
			host.AwaitSent("notifications/prompts/list_changed", 2)

			Expect(string(host.Request("prompts/get", `{"name":"dev__far_leave","arguments":{"who":"Ada"}}`).Result)).To(ContainSubstring(`"leave Ada"`))
		})

		It("says that its tools changed, reached by "+way, func() {
			host, _ := connect(way, false)

			host.Use("dev", "far", "grow", `{"message":"new"}`)

			Eventually(func() []string { return host.Open("dev").Names() }).WithTimeout(Patience).Should(ContainElement("new"))
			Expect(host.Use("dev", "far", "new", `{"message":"x"}`).Text()).To(MatchJSON(`{"message":"x"}`))
		})
	}

	It("answers in its own bytes", func() {
		url := start("stateless")
		far := Server{Name: "far", Settings: []string{`"url":` + Quote(url)}}
		w := Serve(NewToolbox("dev", far))
		w.Open("dev")

		through := w.Use("dev", "far", "echo", `{"message":"<&> \u00fc \u2028 \ud83d\ude00"}`)

		direct := askToEcho(url, `{"message":"<&> \u00fc \u2028 \ud83d\ude00"}`)
		Expect(direct).To(ContainSubstring(`"result":` + string(through.Result)))
	})
})

// askToEcho has the server itself answer, in the version in which it is reached
// without a session.
func askToEcho(url, arguments string) string {
	GinkgoHelper()
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":` + arguments + `,"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
		`"io.modelcontextprotocol/clientInfo":{"name":"spec","version":"1"}}}}`
	request, err := http.NewRequest(http.MethodPost, url, strings.NewReader(message))
	Expect(err).NotTo(HaveOccurred())
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	request.Header.Set("Mcp-Method", "tools/call")
	request.Header.Set("Mcp-Name", "echo")
	response, err := http.DefaultClient.Do(request)
	Expect(err).NotTo(HaveOccurred())
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	Expect(err).NotTo(HaveOccurred())
	return string(text)
}
