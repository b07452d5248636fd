package soak_test

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

const mib = 1 << 20

// long returns a server with a tool whose result has that many bytes, and a tool that
// answers immediately.
func long(size int) script.Script {
	return script.Script{
		Tools: []string{script.Tool("long"), script.Tool("read")},
		Rules: []script.Rule{
			{Method: "tools/call", Tool: "long", Do: []script.Step{
				{Raw: `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"x":"`}, {Fill: "0123456789abcdef", Times: size / 16}, {Raw: "\"}}\n"},
			}},
			script.Answer("read", script.Text("done")),
		},
	}
}

// serve starts a workbench with one server in an open toolbox.
func serve(s script.Script, settings ...string) *Workbench {
	GinkgoHelper()
	w := Serve(NewToolbox("dev", scripted("s", s, settings...)))
	Expect(w.Open("dev").Connected).To(Equal(1))
	return w
}

// expectPeak compares the peak memory of the workbench with a bound.
func expectPeak(w *Workbench, maxPeak int64) {
	GinkgoHelper()
	peak := w.PeakMemory()
	AddReportEntry("figures", fmt.Sprintf("peak: %.1f MiB of %.1f", float64(peak)/mib, float64(maxPeak)/mib))
	Expect(peak).To(BeNumerically("<", maxPeak), "bytes of memory at the peak")
}

var _ = Describe("The memory of a workbench", func() {
	const inAnyCase = 120 * mib

	It("does not hold a result that is over the limit", Label("W05"), func() {
		w := serve(long(50 * mib))

		long, read := w.BeginUse("dev", "s", "long", "{}"), w.BeginUse("dev", "s", "read", "{}")

		Expect(w.Await(long).Failure()).To(MatchRegexp(`: the answer of 524288\d\d bytes is over the limit of 33554432 bytes \(limits\.messageSize raises it\)$`))
		Expect(w.Await(read).Text()).To(Equal("done"))
		expectPeak(w, inAnyCase)
	})

	It("holds a result of fifty megabytes at most a few times if the limit is raised", Label("W05"), func() {
		w := serve(long(50*mib), `"limits": {"messageSize": "64MiB"}`)

		answer := w.Use("dev", "s", "long", "{}")

		Expect(string(answer.Result) == `{"content":[],"x":"`+strings.Repeat("0123456789abcdef", 50*mib/16)+`"}`).To(BeTrue(), "the same bytes")
		expectPeak(w, 5*50*mib)
	})

	It("does not hold a gigabyte without a line end, and the stream is read again after it", Label("W06"), func() {
		s := long(16)
		s.Rules[0].Do = []script.Step{{Fill: "0123456789abcdef", Times: 1 << 30 / 16}, {Raw: "\n"}}
		w := serve(s, `"limits": {"call": "1s"}`)

		Expect(w.Use("dev", "s", "long", "{}").Failure()).To(HavePrefix("Error executing tool 'long' in server 's' (toolbox 'dev'): "))

		Eventually(func() string { return string(w.Use("dev", "s", "read", "{}").Result) }).
			WithTimeout(2 * Patience).Should(Equal(script.Text("done")))
		expectPeak(w, inAnyCase)
	})

	It("holds no more of a list of tools than one message, however many pages it has", Label("TO03"), func() {
		page := []script.Step{{Raw: `{"jsonrpc":"2.0","id":${id},"result":{"nextCursor":"${call}","tools":[{"name":"first-${call}"}`}}
		for i := range 300 {
			page = append(page, script.Step{Raw: fmt.Sprintf(`,{"name":"t${call}-%d","description":"`, i)},
				script.Step{Fill: "0123456789abcdef", Times: 90_000 / 16}, script.Step{Raw: `"}`})
		}
		s := script.Script{Rules: []script.Rule{
			{Method: "tools/list", Do: append(page, script.Step{Raw: "]}}\n"})}, script.Answer("first-1", script.Text("done")),
		}}
		w := Serve(NewToolbox("dev", scripted("s", s)))

		opened := w.Call("open_toolbox", `{"toolbox":"dev"}`)

		Expect(opened.Text()).To(ContainSubstring("the tool list was cut at 33554432 bytes"))
		Expect(w.Use("dev", "s", "first-1", "{}").Text()).To(Equal("done"))
		expectPeak(w, 150*mib)
	})

	It("does not grow with the output of a server to stderr", Label("W11"), func() {
		s := long(16)
		s.Rules[1].Do = append([]script.Step{{Stderr: strings.Repeat("0123456789abcdef", 64), Times: 1024}}, s.Rules[1].Do...)
		w := Start(Launch{
			Config: Configuration(NewToolbox("dev", scripted("s", s))), Args: []string{"--log-level", "debug"},
		})
		Expect(w.Open("dev").Connected).To(Equal(1))
		Expect(w.Use("dev", "s", "read", "{}").Text()).To(Equal("done"))
		before := w.PeakMemory()

		for range 100 {
			Expect(w.Use("dev", "s", "read", "{}").Text()).To(Equal("done"))
		}

		expectPeak(w, before+10*mib)
		Expect(w.End()).To(Equal(0))
		Expect(len(w.Stderr())).To(BeNumerically("<", mib))
	})

	It("does not grow with malformed messages of the host", Label("U01"), func() {
		w := serve(long(16))
		lines := []string{
			"hello", `{"jsonrpc":"2.0","id":1,"method":"pi`, "\ufeff{}", "[]", "7", `{"jsonrpc":"1.0","id":1,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":{},"method":"ping"}`, strings.Repeat("[", 60_000),
		}
		go func() {
			defer GinkgoRecover()
			for i := range 10_000 {
				w.Send(lines[i%len(lines)])
			}
			w.Send(strings.Repeat("x", 40*mib))
		}()
		w.Next() // the handshake
		w.Next() // the opened toolbox
		for range 10_001 {
			Expect(w.Next().Code()).To(BeElementOf(-32700, -32600))
		}

		Expect(w.Use("dev", "s", "read", "{}").Text()).To(Equal("done"))
		expectPeak(w, inAnyCase)
	})

	It("does not grow with answers that the host does not read", Label("U04"), func() {
		const calls = 1000
		w := serve(long(64 << 10))
		w.Use("dev", "s", "long", "{}")
		servers, before := w.Servers(), w.PeakMemory()

		w.PauseReading()
		ids := make(chan string, calls)
		go func() {
			defer GinkgoRecover()
			for range calls {
				ids <- w.BeginUse("dev", "s", "long", "{}")
			}
			close(ids)
		}()
		settle(w.ProcessorTime)
		w.ResumeReading()

		want := `{"content":[],"x":"` + strings.Repeat("0123456789abcdef", 4<<10) + `"}`
		for id := range ids {
			Expect(string(w.Await(id).Result) == want).To(BeTrue(), "the answer to %s", id)
		}
		Expect(w.Servers()).To(Equal(servers))
		expectPeak(w, before+64*mib)
	})

	It("is not needed for calls that were cancelled", Label("C05"), func() {
		hanging := func() *Workbench {
			s := long(16)
			s.Rules[0].Do = []script.Step{{Stderr: "hanging"}}
			w := serve(s)
			Expect(w.Use("dev", "s", "read", "{}").Text()).To(Equal("done"))
			return w
		}
		idle := hanging()
		atRest(idle)
		goroutines := idle.Goroutines()
		w := hanging()

		var ids []string
		for range 1000 {
			ids = append(ids, w.BeginUse("dev", "s", "long", "{}"))
		}
		for _, id := range ids {
			w.Notify("notifications/cancelled", `{"requestId":`+id+`}`)
		}

		Expect(w.Use("dev", "s", "read", "{}").Text()).To(Equal("done"), "there is room again")
		atRest(w)
		Expect(w.Goroutines()).To(Equal(goroutines))
	})
})

// reportingServer returns a server whose tool reports progress once and answers with a megabyte.
func reportingServer() script.Script {
	return script.Script{Tools: []string{script.Tool("report")}, Rules: []script.Rule{
		{Method: "tools/call", Tool: "report", Do: []script.Step{
			{Line: `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1}}`},
			{Raw: `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"x":"`},
			{Fill: "0123456789abcdef", Times: mib / 16},
			{Raw: "\"}}\n"},
		}},
	}}
}

var _ = Describe("The memory of a workbench that listens", func() {
	DescribeTable("has a bound, even if bodies begin and never end", Label("TH04"), func(header string) {
		w := Listen(Launch{Config: Configuration(NewToolbox("dev", scripted("s", long(16))))})
		Connect(w, false, "{}").Open("dev")
		address := spec.Must(url.Parse(w.URL()))
		var sending sync.WaitGroup
		for range 15 {
			connection := spec.Must(net.Dial("tcp", address.Host))
			DeferCleanup(connection.Close)
			sending.Go(func() {
				// Some are refused, and then a write fails.
				_, _ = fmt.Fprintf(connection, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n", header, 31*mib)
				_, _ = io.Copy(connection, strings.NewReader(strings.Repeat(" ", 31*mib-1)))
			})
		}
		sending.Wait()

		Expect(w.Use("dev", "s", "read", "{}").Text()).To(Equal("done"))
		expectPeak(w, 150*mib)
	},
		Entry("without a session", ""),
		Entry("in 2026-07-28, which has no sessions", "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"),
	)

	It("has a bound, however many sessions end after calls with resumable streams", Label("TH03"), func() {
		w := Listen(Launch{Config: Configuration(NewToolbox("dev", scripted("s", reportingServer())))})
		for range 8 {
			host := Connect(w.AnotherHost(), false, "{}")
			host.Open("dev")
			for range 64 {
				Expect(host.Await(host.BeginUse("dev", "s", "report", "{}", `"progressToken":"p"`)).Error).To(BeNil())
			}
			host.CloseInput()
		}

		expectPeak(w, 250*mib)
	})
})

var _ = Describe("A server that asks the host without end", Label("TQ06"), func() {
	const questions, inAnyCase = 400_000, 150 * mib
	const asks = `{"jsonrpc":"2.0","id":"%s${n}","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`

	for _, reads := range []bool{true, false} {
		for _, e := range Eras {
			name := "reads what it is answered"
			if !reads {
				name = "does not read what it is answered"
			}
			It("and "+name+" stays within the memory bound, with a host of "+e.Name, func() {
				line := strings.Replace(asks, "%s", strings.Repeat("x", 1000), 1)
				s := WithTools("flood", "read")
				flood := script.Rule{Method: "tools/call", Tool: "flood", Background: reads, Do: []script.Step{
					{Line: line, Times: questions}, {Result: script.Text("flooded")},
				}}
				s.Rules = []script.Rule{flood, script.Answer("read", script.Text("done"))}
				w := Start(Launch{Config: Configuration(NewToolbox("dev", scripted("s", s, `"limits": {"inFlight": 100}`)))})
				host := Connect(w, e.Modern, `{"elicitation":{"form":{}}}`)
				host.Open("dev")

				id := host.BeginUse("dev", "s", "flood", "{}")
				if e.Modern {
					Expect(string(host.Await(id).Result)).To(ContainSubstring("input_required"))
				} else {
					host.Await(id)
				}

				if !e.Modern { // its next call gets the server's questions
					Expect(host.Use("dev", "s", "read", "{}").Text()).To(Equal("done"))
				}
				expectPeak(w, inAnyCase)
			})
		}
	}
})
