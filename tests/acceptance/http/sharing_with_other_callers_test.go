package http_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

const tokenOfAnn, tokenOfBob = "token-of-ann-that-is-long", "token-of-bob-that-is-long"

// listenForTwo starts a workbench for two identities. Its server has a tool "get" with a long list.
func listenForTwo(settings string) *listener {
	GinkgoHelper()
	s := WithTools("get")
	s.Rules = []script.Rule{script.Answer("get", script.Text("["+strings.Repeat("1,", 30_000)+"1]"))}
	configuration := WithHTTP(`{"tokens": {
		"ann": {"value": "`+tokenOfAnn+`", "toolboxes": ["*"]},
		"bob": {"value": "`+tokenOfBob+`", "toolboxes": ["*"]}
	}}`, InDev(Scripted("files", s)))
	return listen(Launch{Config: WithRoot(configuration, `"results":"fit"`+settings)})
}

// keeping returns a caller that has a result, and the id of it.
func (l *listener) keeping(token string) (c *caller, id string) {
	GinkgoHelper()
	c, hello := l.as(Older, token)
	Expect(hello.StatusCode).To(Equal(200))
	c.open("dev")
	answer := c.request("tools/call", `"name":"use_tool","arguments":`+UseArguments("dev", "files", "get", "{}")).message()
	_, after, found := strings.Cut(answer.Line, `read_result {\"id\":\"`)
	Expect(found).To(BeTrue(), answer.Line)
	id, _, _ = strings.Cut(after, `\`)
	return c, id
}

var _ = Describe("What callers over HTTP share", func() {
	selecting := func(c *caller, number int, id, program string) string {
		return c.ask(http.MethodPost, c.url, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read_result","arguments":`+
			`{"id":%s,"select":%s}}}`, number, Quote(id), Quote(program)), c.headers...).text
	}

	It("is not taken from others by jq programs without end: a caller with many is told to try again", Label("SH01"), func() {
		l := listenForTwo("")
		var running sync.WaitGroup
		answers := make(chan string, 100)
		for range 4 {
			many, kept := l.keeping(tokenOfAnn)
			for i := range 4 {
				running.Go(func() {
					defer GinkgoRecover()
					answers <- selecting(many, 100+i, kept, "def f: f; f")
				})
			}
		}
		other, kept := l.keeping(tokenOfBob)

		Expect(selecting(other, 100, kept, "length")).To(ContainSubstring("30001"))

		running.Wait()
		close(answers)
		busy := 0
		for text := range answers {
			if strings.Contains(text, "busy, try again") {
				busy++
				continue
			}
			Expect(text).To(ContainSubstring("it took too long"))
		}
		Expect(busy).To(BeNumerically(">", 0))
	})

	It("lets a newcomer in while another caller fills everything", Label("SH09"), func() {
		l := listenForTwo(`,"limits":{"messageSize":"1MiB","arriving":"16MiB","underWay":"16MiB"}`)
		many, kept := l.keeping(tokenOfAnn)
		var running sync.WaitGroup
		for i := range 8 {
			running.Go(func() {
				defer GinkgoRecover()
				selecting(many, 100+i, kept, "def f: f; f")
			})
		}
		for range 40 {
			begun, err := net.Dial("tcp", strings.TrimPrefix(l.root, "http://"))
			Expect(err).NotTo(HaveOccurred())
			defer func() { _ = begun.Close() }() // the workbench closes those that it gives up
			_, _ = fmt.Fprintf(begun, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
				"Accept: application/json, text/event-stream\r\nContent-Length: 1000000\r\n\r\n%s", tokenOfAnn, strings.Repeat(" ", 999_999))
		}

		other, kept := l.keeping(tokenOfBob)

		Expect(selecting(other, 100, kept, "length")).To(ContainSubstring("30001"))
		padded := other.request("tools/call", `"name":"use_tool","arguments":`+UseArguments("dev", "files", "get", `{"x":"`+strings.Repeat("x", 900_000)+`"}`))
		Expect(padded.message().Line).To(ContainSubstring("read_result"))
		_, hello := l.as(Older, tokenOfAnn)
		Expect(hello.StatusCode).To(Equal(200), "even of that caller")
		running.Wait()
	})

	It("is not noticed by the hosts of a team while there is room", Label("SH09"), func() {
		l := listenForTwo("")
		var hosts sync.WaitGroup
		for i := range 8 {
			hosts.Go(func() {
				defer GinkgoRecover()
				host, kept := l.keeping([]string{tokenOfAnn, tokenOfBob}[i%2])
				for range 3 {
					padded := host.request("tools/call", `"name":"use_tool","arguments":`+UseArguments("dev", "files", "get", `{"x":"`+strings.Repeat("x", 3_000_000)+`"}`))
					Expect(padded.StatusCode).To(Equal(200))
					Expect(padded.message().Line).To(ContainSubstring("read_result"))
				}
				Expect(host.request("tools/call", `"name":"read_result","arguments":{"id":`+Quote(kept)+`}`).message().Line).To(ContainSubstring("1,1"))
			})
		}
		hosts.Wait()
	})
})
