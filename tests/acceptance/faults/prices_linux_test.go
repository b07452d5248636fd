package faults_test

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("What others decide costs no more than its bound", Label("SH10", "large"), func() {
	const mib = 1 << 20
	quick := WithTools("read")
	quick.Rules = []script.Rule{script.Answer("read", script.Text("done"))}
	// expectPeak expects that a workbench still answers, and never took more memory than that.
	expectPeak := func(w *Workbench, most int64) {
		GinkgoHelper()
		Expect(w.Use("dev", "s", "read", "{}").Text()).To(Equal("done"))
		peak := w.PeakMemory()
		AddReportEntry("figures", fmt.Sprintf("peak: %.1f MiB of %d", float64(peak)/mib, most/mib))
		Expect(peak).To(BeNumerically("<", most))
	}
	serve := func(s script.Script) *Workbench {
		w := Serve(NewToolbox("dev", Scripted("s", s)))
		w.Open("dev")
		return w
	}
	// listen returns a workbench over HTTP, whose callers have no token.
	listen := func(s script.Script, root ...string) *Workbench {
		root = append(root, `"results":"fit"`)
		w := Listen(Launch{Config: WithRoot(Configuration(NewToolbox("dev", Scripted("s", s))), strings.Join(root, ","))})
		Connect(w, false, "{}").Open("dev")
		return w
	}
	// begin sends the beginning of a request on each of 3,000 connections.
	begin := func(w *Workbench, text string) {
		address := spec.Must(url.Parse(w.URL())).Host
		for range 3000 {
			connection := spec.Must(net.Dial("tcp", address))
			DeferCleanup(connection.Close)
			_, _ = io.WriteString(connection, strings.ReplaceAll(text, "ADDRESS", address)) // a connection that is given up takes no more
		}
	}

	It("a name of a tool that a caller misspells", func() {
		w := serve(quick)

		Expect(w.Use("dev", "s", strings.Repeat("y", 8*mib), "{}").Failure()).To(ContainSubstring("more characters not found in server 's' (toolbox 'dev')"))

		expectPeak(w, 150*mib)
	})

	It("a name of a tool that a server lists", func() {
		s := script.Script{Tools: []string{script.Tool("read"), script.Tool(strings.Repeat("y", 4*mib))}, Rules: quick.Rules}
		w := serve(s)

		Expect(w.Use("dev", "s", "raed", "{}").Failure()).To(ContainSubstring("read"))

		expectPeak(w, 150*mib)
	})

	It("members of a message", func() {
		w := serve(quick)

		for range 4 {
			Expect(w.Await(w.Begin("ping", `{"":1`+strings.Repeat(`,"":1`, mib)+`}`)).Code()).To(Equal(-32600))
		}

		expectPeak(w, 150*mib)
	})

	It("unknown arguments", func() {
		w := serve(quick)
		var keys strings.Builder
		for i := range 10_000 {
			fmt.Fprintf(&keys, `,"%0100d":1`, i)
		}

		refused := w.Call("use_tool", `{"tool":{"toolbox":"dev","server":"s","tool":"read"}`+keys.String()+`}`).Failure()

		Expect(refused).To(HaveSuffix(" and 9980 more"))
		Expect(len(refused)).To(BeNumerically("<", 4<<10))
		expectPeak(w, 150*mib)
	})

	It("headers of requests that never end", func() {
		w := listen(quick)
		var lines strings.Builder
		for i := range 3000 {
			fmt.Fprintf(&lines, "%03x:\n", i)
		}

		begin(w, "POST /mcp HTTP/1.1\n"+lines.String())

		expectPeak(w, 250*mib)
	})

	It("bodies of requests that never end", func() {
		w := listen(quick, `"limits":{"messageSize":"4MiB","arriving":"16MiB"}`)

		begin(w, "POST /mcp HTTP/1.1\r\nHost: ADDRESS\r\nContent-Length: 99\r\n\r\n{")

		expectPeak(w, 75*mib)
	})

	It("bodies that nobody waits for", func() {
		w := listen(quick)

		begin(w, "GET /livez HTTP/1.1\r\nHost: ADDRESS\r\nContent-Length: 99\r\n\r\n{")

		expectPeak(w, 75*mib)
	})

	It("unread pages", func() {
		s := script.Script{Tools: []string{script.Tool("read")}, Rules: quick.Rules}
		for i := range 9000 {
			s.Tools = append(s.Tools, script.Tool(fmt.Sprint("tool_", i)))
		}
		w := listen(s)
		address := spec.Must(url.Parse(w.URL())).Host
		var asking []net.Conn
		for range 300 {
			connection := spec.Must(net.Dial("tcp", address))
			DeferCleanup(connection.Close)
			spec.Must(io.WriteString(connection, "GET /ui/server?toolbox=dev&server=s HTTP/1.1\r\nHost: "+address+"\r\n\r\n"))
			asking = append(asking, connection)
		}
		answers := map[string]int{}
		for _, connection := range asking {
			begin := make([]byte, len("HTTP/1.1 200"))
			spec.Must(io.ReadFull(connection, begin))
			answers[string(begin)]++
		}
		Expect(answers).To(And(HaveLen(2), HaveKey("HTTP/1.1 200"), HaveKey("HTTP/1.1 503")))

		expectPeak(w, 250*mib)
	})

	// entries returns a list with that many bytes of entries with these members.
	entries := func(size int, members string) string {
		const each = 4 << 10
		var list []string
		for i := range size / each {
			list = append(list, fmt.Sprintf(`{"name":"n%d","description":%q%s}`, i, strings.Repeat("d", each), members))
		}
		return "[" + strings.Join(list, ",") + "]"
	}

	It("lists of prompts that are asked for at the same time", func() {
		const size, asked = 8 * mib, 40
		s := WithTools("read")
		s.Capabilities = `{"tools":{},"prompts":{}}`
		s.Rules = append(quick.Rules, script.Rule{Method: "prompts/list", Background: true, Do: []script.Step{{Result: `{"prompts":` + entries(size, "") + `}`}}})
		w := listen(s)
		host := Connect(w.AnotherHost(), false, "{}")
		host.Open("dev")
		listed := func() int { return len(host.Await(host.Begin("prompts/list", "{}")).Line) }
		Eventually(listed).WithTimeout(Patience).Should(BeNumerically(">", size), "bytes, once the server has answered")
		var begun []string
		for range asked {
			begun = append(begun, host.Begin("prompts/list", "{}"))
		}
		for _, id := range begun {
			Expect(len(host.Await(id).Line)).To(BeNumerically(">", size), "bytes, of the list that came last")
		}

		expectPeak(w, 56*size)
	})

	It("a list of tools", func() {
		const size = 31 * mib
		s := script.Script{Tools: []string{script.Tool("read"), strings.Trim(entries(size, `,"inputSchema":{"type":"object"}`), "[]")}, Rules: quick.Rules}

		w := Serve(NewToolbox("dev", Scripted("s", s)))
		Expect(w.Call("open_toolbox", `{"toolbox":"dev"}`).Text()).To(ContainSubstring(`"names"`))

		expectPeak(w, 7*size)
	})

	It("a list of tools that is kept for searches and later starts", func() {
		const size = 15 * mib
		s := script.Script{Tools: []string{script.Tool("read"), strings.Trim(entries(size, `,"inputSchema":{"type":"object"}`), "[]")}, Rules: quick.Rules}
		server, state := Scripted("s", s), []string{"XDG_STATE_HOME=" + GinkgoT().TempDir()}
		for range 2 {
			w := Start(Launch{Config: WithRoot(Configuration(NewToolbox("dev", server)), `"definitions":"names"`), Env: state})
			w.Initialize()
			Expect(w.Call("open_toolbox", `{"toolbox":"dev"}`).Text()).To(ContainSubstring(`"names"`))

			expectPeak(w, 12*size)
			Expect(w.End()).To(Equal(0))
		}
	})

	It("looks of many hosts into long results", func() {
		const size = 8 * mib
		line := "a line of a long result\n"
		s := WithTools("read", "long")
		s.Rules = append(quick.Rules, script.Answer("long", script.Text(strings.Repeat(line, size/len(line)))))
		w := listen(s)
		const hosts, looks = 4, 8
		var ends []func()
		for range hosts {
			host := Connect(w.AnotherHost(), false, "{}")
			host.Open("dev")
			answer := host.Use("dev", "s", "long", "{}").Text()
			_, kept, found := strings.Cut(answer, `read_result {"id":"`)
			Expect(found).To(BeTrue(), "%.9000s", answer)
			id, _, _ := strings.Cut(kept, `"`)
			for range looks {
				begun := host.BeginCall("read_result", `{"id":`+Quote(id)+`,"grep":"another"}`)
				ends = append(ends, func() {
					Expect(host.Await(begun).Line).To(ContainSubstring("no line matches"))
				})
			}
		}
		for _, end := range ends {
			end()
		}

		expectPeak(w, 45*size)
	})
})
