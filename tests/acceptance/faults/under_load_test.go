package faults_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Using tools under load", func() {
	// maxInFlight is the number of requests that may be under way at once.
	const maxInFlight = 4096

	It("refuses too many requests at once, and accepts more when calls are cancelled", Label("C05"), func() {
		s := WithTools("hang")
		s.Rules = []script.Rule{{Method: "tools/call"}}
		server := Scripted("files", s, `"limits": {"inFlight": 4096}`)
		w := Serve(InDev(server))
		w.Open("dev")

		var ids []string
		for range maxInFlight {
			ids = append(ids, w.BeginUse("dev", "files", "hang", "{}"))
		}
		server.AwaitCallsOf("hang", maxInFlight)
		refused := w.Request("ping", "{}")
		Expect(refused.Code()).To(Equal(-32600))
		Expect(string(refused.Error)).To(ContainSubstring("too many requests are under way"))

		for _, id := range ids {
			w.Notify("notifications/cancelled", `{"requestId":`+id+`}`)
		}
		Expect(string(w.Request("ping", "{}").Result)).To(Equal("{}"))
		Eventually(func() int { return len(server.ReceivedWith("notifications/cancelled")) }).
			WithTimeout(Patience).Should(Equal(maxInFlight))
	})

	It("accepts as many calls as a server may have under way, and refuses the others immediately", Label("C03"), func() {
		const taken, calls = 1024, 3000
		gate := filepath.Join(GinkgoT().TempDir(), "gate")
		s := WithTools("wait")
		s.Rules = []script.Rule{
			{Method: "tools/call", Tool: "wait", Background: true, Do: []script.Step{
				{AwaitFile: gate}, {Result: `{"content":[],"heard":${arguments}}`},
			}},
		}
		w := Serve(InDev(Scripted("files", s)))
		w.Open("dev")
		for range w.Received() {
			w.Next()
		}

		waiting := map[string]int{} // the text of each call, by its id
		for i := range calls {
			waiting[w.BeginUse("dev", "files", "wait", fmt.Sprint(`{"n":`, i, `}`))] = i
		}
		for range calls - taken {
			refused := w.Next()
			Expect(refused.Failure()).To(HaveSuffix(
				": 1024 requests to the server are in flight, and no more are accepted (limits.inFlight raises it)"))
			delete(waiting, string(refused.ID))
		}
		Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())

		Expect(waiting).To(HaveLen(taken))
		for id, i := range waiting {
			Expect(string(w.Await(id).Result)).To(Equal(fmt.Sprint(`{"content":[],"heard":{"n":`, i, `}}`)))
		}
	})

	It("answers the calls of one server while another hangs", Label("C03"), func() {
		w := Serve(InDev(
			Scripted("hung", Hanging()), Scripted("good", WithTools("read"))))
		w.Open("dev")

		var hung, good []string
		for range 100 {
			hung = append(hung, w.BeginUse("dev", "hung", "hang", "{}"))
			good = append(good, w.BeginUse("dev", "good", "read", "{}"))
		}

		for i := range good {
			Expect(w.Await(good[i]).Text()).To(Equal("done"))
			Expect(w.Answers(hung[i])).To(BeEmpty())
		}
	})

	It("is not delayed by a server that no longer reads", Label("W10"), func() {
		deaf := WithTools("t", "read")
		deaf.Rules = []script.Rule{
			{Method: "tools/call", Tool: "t", Do: []script.Step{{StopReading: true}}}, script.Answer("read", script.Text("done")),
		}
		server := Scripted("deaf", deaf, `"limits": {"call": "4s", "shutdown": "500ms"}`)
		w := Serve(InDev(server, Scripted("good", WithTools("read"))))
		w.Open("dev")

		// By then the server's buffer, its pipe and its queue are full.
		const full = 50
		arguments := `{"a":"` + strings.Repeat("x", 64<<10) + `"}`
		var ids []string
		for i := range 200 {
			ids = append(ids, w.BeginUse("dev", "deaf", "t", arguments))
			if i == full {
				Expect(w.Use("dev", "good", "read", arguments).Text()).To(Equal("done"))
				Expect(w.Answers(ids[0])).To(BeEmpty(), "the limit of the calls was not reached")
			}
		}
		Expect(w.Use("dev", "good", "read", arguments).Text()).To(Equal("done"))

		// The first calls without an answer end the server, and so the last ones too.
		for _, id := range ids {
			Expect(w.Await(id).Failure()).To(MatchRegexp(`^Error executing tool 't' in server 'deaf' \(toolbox 'dev'\): ` +
				`(no answer within [\d.]+s \(limits\.call raises the limit\)|the connection to the server was closed|the server did not read its input for 10s)$`))
		}
		Eventually(func() string { return string(w.Use("dev", "deaf", "read", "{}").Result) }).
			WithTimeout(Patience).Should(Equal(script.Text("done")), "from another process")
		Expect(server.Starts()).To(Equal(2))
	})

	It("opens twenty toolboxes of three servers at once", Label("C02"), func() {
		var toolboxes []Toolbox
		for _, name := range strings.Split("abcdefghijklmnopqrst", "") {
			toolboxes = append(toolboxes, NewToolbox(name,
				Scripted("one", WithTools("1")), Scripted("two", WithTools("2")),
				Scripted("three", WithTools("3"))))
		}
		w := Serve(toolboxes...)

		var ids []string
		for _, toolbox := range toolboxes {
			ids = append(ids, w.BeginCall("open_toolbox", `{"toolbox":"`+toolbox.Name+`"}`))
		}

		for _, id := range ids {
			Expect(w.Await(id).Opened().Names()).To(Equal([]string{"1", "2", "3"}))
		}
		Expect(w.Servers()).To(HaveLen(60))
	})
})

var _ = Describe("Reading slowly", func() {
	It("delivers every answer complete once the host reads again", Label("U04"), func() {
		long := strings.Repeat("0123456789abcdef", 4<<10)
		s := WithTools("long")
		s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{
			{Result: `{"content":[],"heard":${arguments},"long":"` + long + `"}`},
		}}}
		server := Scripted("files", s)
		w := Serve(InDev(server))
		w.Open("dev")

		w.PauseReading()
		want := map[string]string{}
		for i := range 300 {
			id := w.BeginUse("dev", "files", "long", fmt.Sprint(`{"n":`, i, `}`))
			want[id] = fmt.Sprintf(`{"content":[],"heard":{"n":%d},"long":"%s"}`, i, long)
		}
		w.ResumeReading()

		for id, result := range want {
			Expect(string(w.Await(id).Result)).To(Equal(result))
		}
		Expect(server.Starts()).To(Equal(1))
	})
})
