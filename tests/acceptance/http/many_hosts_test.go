package http_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// countingServer returns a server with a tool that says how often it was used in its process, one
// that asks the host, and one that reports progress and answers once a file exists.
func countingServer(gate string) script.Script {
	s := WithTools("ask", "wait", "read")
	s.Rules = []script.Rule{
		{Method: "tools/call", Tool: "ask", Background: true, Do: []script.Step{
			{Ask: "elicitation/create", Params: FormParams}, {Result: `{"content":[],"heard":${answer}}`},
		}},
		{Method: "tools/call", Tool: "wait", Background: true, Do: []script.Step{
			{Line: ProgressNotification}, {AwaitFile: gate}, {Result: script.Text("waited")},
		}},
		script.Answer("read", script.Text("done")),
	}
	return s
}

var _ = Describe("A workbench that many hosts reach over HTTP", func() {
	var gate string
	var server Server
	var first *Workbench
	BeforeEach(func() {
		gate = filepath.Join(GinkgoT().TempDir(), "gate")
		server = Scripted("files", countingServer(gate))
		first = Listen(Launch{Config: Configuration(InDev(server))})
	})

	It("asks each host the questions of its own servers", Label("M01"), func() {
		here, other := Connect(first, false, AllCapabilities), Connect(first.AnotherHost(), false, AllCapabilities)
		here.Open("dev")
		other.Open("dev")
		Expect(server.Starts()).To(Equal(2), "each has its own process")

		ids := []string{here.BeginUse("dev", "files", "ask", "{}"), other.BeginUse("dev", "files", "ask", "{}")}
		for i, host := range []Host{here, other} {
			question := host.AwaitSent("elicitation/create", 1)
			host.Reply(question, fmt.Sprintf(`{"action":"accept","content":{"n":%d}}`, i))
			Expect(string(host.Await(ids[i]).Result)).To(ContainSubstring(fmt.Sprintf(`"content":{"n":%d}`, i)))
		}
		Expect(here.Sent("elicitation/create")).To(HaveLen(1))
		Expect(other.Sent("elicitation/create")).To(HaveLen(1))
	})

	It("ends the servers of a host that is done, and no others", Label("M01"), func() {
		here, other := Connect(first, false, "{}"), Connect(first.AnotherHost(), false, "{}")
		here.Open("dev")
		other.Open("dev")
		Expect(other.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
		hanging := other.BeginUse("dev", "files", "wait", "{}")
		Eventually(server.ReceivedWith).WithArguments("tools/call").WithTimeout(Patience).Should(HaveLen(2))

		other.CloseInput()

		Expect(other.Await(hanging).Failure()).To(ContainSubstring("Error executing tool 'wait'"))
		Expect(here.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
		Expect(server.Starts()).To(Equal(2))
	})

	It("keeps serving hosts for http.drain while /readyz tells a balancer that it is ending", func() {
		l := listen(Launch{Config: WithHTTP(`{"drain": "1m"}`, InDev(server))})
		before, _ := l.as(Older, "")
		ready := func() int { return l.ask(http.MethodGet, l.root+"/readyz", "").StatusCode }
		Expect(ready()).To(Equal(200))

		l.Signal(syscall.SIGTERM)
		Eventually(ready).WithTimeout(Patience).Should(Equal(503))
		before.open("dev")
		after, hello := l.as(Older, "")
		Expect(hello.StatusCode).To(Equal(200), hello.text)
		after.open("dev")
		for _, host := range []*caller{before, after} {
			Expect(host.use("dev", "files", "read").text).To(ContainSubstring("done"))
		}

		l.Signal(syscall.SIGTERM)
		l.ExitCode()
		Expect(l.Stderr()).To(ContainSubstring("so that a load balancer notices the end"))
	})

	It("continues when the host on standard input, which it serves with --stdio, is done", func() {
		host := Start(Launch{Config: Configuration(InDev(server)), Args: []string{"--http", "127.0.0.1:0", "--stdio"}})
		host.Initialize()
		Expect(host.Open("dev").Names()).To(ContainElement("read"))

		host.CloseInput()

		Consistently(host.Ended(), "300ms").ShouldNot(BeClosed())
		host.Signal(syscall.SIGTERM)
		Expect(host.ExitCode()).To(Equal(0))
	})
})

// floodScript returns a server with a tool that reports 40 MB of progress before it answers,
// more than any connection buffers.
func floodScript() script.Script {
	report := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${n},"message":"` + strings.Repeat("m", 20_000) + `"}}`
	s := WithTools("flood")
	s.Rules = []script.Rule{{Method: "tools/call", Tool: "flood", Background: true, Do: []script.Step{
		{Line: report, Times: 2_000}, {Result: script.Text("all was said")},
	}}}
	return s
}

var _ = Describe("A host over HTTP that does not read the stream of its call", func() {
	for _, era := range Eras {
		It("delays the end of the workbench no longer than calls and servers may in "+era.Name, Label("TH02"), func() {
			l := listen(Launch{Config: Configuration(InDev(Scripted("files", floodScript())))})
			c, _ := l.as(era, "")
			Expect(c.open("dev").text).To(ContainSubstring("flood"))
			c.meta = `"progressToken":"p"`
			body, headers := c.message("tools/call", `"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"files","tool":"flood"}}`)
			for range 2 {
				unread := c.begin(http.MethodPost, c.url, body, headers...)
				DeferCleanup(unread.Body.Close)
				Expect(unread.StatusCode).To(Equal(http.StatusOK))
			}

			l.Signal(syscall.SIGTERM)

			Eventually(l.Ended()).WithTimeout(20 * time.Second).Should(BeClosed())
		})
	}
})
