package opening_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Opening a toolbox", func() {
	It("shows the tools of all its servers as JSON with a line break after each tool, and no other white space", func() {
		w := Serve(Toolbox{
			Name: "dev", Description: "Development \"tools\"",
			Servers: []Server{
				Scripted("files", WithTools("write", "read")),
				Scripted("a database", WithTools("query")),
			},
		})

		opened := w.Open("dev")

		Expect(opened.JSON).To(Equal(`{"toolbox":"dev","description":"Development \"tools\"","servers_connected":2,"tools":[` +
			Listed("write", "files", "dev") + ",\n" + Listed("read", "files", "dev") + ",\n" +
			Listed("query", "a database", "dev") + "\n]}"))
	})

	It("answers with the same bytes until a list changes, and then again with one tool in each line", func() {
		w := Serve(InDev(Scripted("files", ChangingTools(1))))
		first := w.Open("dev")
		Expect(w.Open("dev").JSON).To(Equal(first.JSON))

		w.Use("dev", "files", "change", "{}")

		_, tools, _ := strings.Cut(w.Open("dev").JSON, `"tools":[`)
		Expect(strings.Split(tools, "\n")).To(Equal([]string{
			Listed("change", "files", "dev") + ",", Listed("new", "files", "dev"), "]}",
		}))
	})

	It("has an empty description and an empty list if there are none", func() {
		w := Serve(InDev(Scripted("files", WithTools())))

		Expect(w.Open("dev").JSON).To(Equal(`{"toolbox":"dev","description":"","servers_connected":1,"tools":[]}`))
	})

	It("connects to a server that does not know tools/list", func() {
		s := script.Script{Rules: []script.Rule{
			{Method: "tools/list", Do: []script.Step{{Error: `{"code":-32601,"message":"Method not found"}`}}},
		}}
		w := Serve(InDev(Scripted("plain", s)))

		Expect(w.Open("dev").JSON).To(Equal(`{"toolbox":"dev","description":"","servers_connected":1,"tools":[]}`))
	})

	It("shows every page of a list, in the server's order", Label("S01"), func() {
		names := make([]string, 2500)
		for i := range names {
			names[i] = fmt.Sprintf("tool %d", i)
		}
		s := WithTools(names...)
		s.PageSize = 100
		server := Scripted("large", s)
		w := Serve(InDev(server))

		opened := w.Open("dev")

		Expect(opened.Names()).To(Equal(names))
		Expect(opened.Warnings).To(BeEmpty())
		Expect(server.ReceivedWith("tools/list")).To(HaveLen(25))
	})

	It("starts only the servers of this toolbox", func() {
		other := Scripted("other", WithTools("read"))
		w := Serve(
			InDev(Scripted("files", WithTools("read"))), NewToolbox("ops", other))

		w.Open("dev")

		Expect(w.End()).To(Equal(0))
		Expect(other.Received()).To(BeEmpty())
	})

	It("distinguishes names by case", func() {
		upper := NewToolbox("Dev", Scripted("Files", WithTools("upper")))
		w := Serve(InDev(Scripted("files", WithTools("lower"))), upper)

		Expect(w.Open("dev").Names()).To(Equal([]string{"lower"}))
		Expect(w.Open("Dev").Names()).To(Equal([]string{"upper"}))
		Expect(w.Call("open_toolbox", `{"toolbox":"DEV"}`).Failure()).To(
			Equal("Error: Toolbox 'DEV' not found. Available toolboxes: dev, Dev"))
	})

	It("works for a host of 2026-07-28", func() {
		w := Start(Launch{
			Config: Configuration(InDev(Scripted("files", WithTools("read")))),
		})

		answer := w.RequestModern("tools/call", `"name":"open_toolbox","arguments":{"toolbox":"dev"}`)

		Expect(answer.Opened().Names()).To(Equal([]string{"read"}))
		Expect(string(answer.Result)).To(HavePrefix(`{"resultType":"complete",`))
	})

	Describe("the filter of a server", func() {
		DescribeTable("decides which tools exist", func(filters string, want ...string) {
			server := Scripted("files", WithTools("read", "write", "delete"), `"toolFilters": `+filters)
			w := Serve(InDev(server))

			opened := w.Open("dev")

			Expect(opened.Names()).To(HaveExactElements(want))
			Expect(opened.Connected).To(Equal(1))
		},
			Entry("all of them", `["*"]`, "read", "write", "delete"),
			Entry("those named, in the server's order", `["write", "read"]`, "read", "write"),
			Entry("none of them", `[]`),
		)
	})

	Describe("the instructions of its servers", func() {
		greeting := func(text string) script.Script {
			s := WithTools("t")
			s.Instructions = text
			return s
		}

		It("come after the tools, in the order of the servers", func() {
			w := Serve(InDev(
				Scripted("b", greeting("Read \"first\".\nThen write.")),
				Scripted("quiet", WithTools("t")),
				Scripted("a", greeting("Be careful."))))

			Expect(w.Open("dev").JSON).To(HaveSuffix(Listed("t", "a", "dev") +
				"\n" + `],"instructions":{"b":"Read \"first\".\nThen write.","a":"Be careful."}}`))
		})

		It("come before errors and warnings", func() {
			s := greeting("Hello.")
			s.Tools = append(s.Tools, script.Tool("t"))
			w := Serve(InDev(
				Scripted("a", s), Program("b", "/nowhere/at-all")))

			Expect(w.Open("dev").JSON).To(HaveSuffix(`],"instructions":{"a":"Hello."}` +
				`,"_errors":["Failed to connect to server 'b' in toolbox 'dev': command '/nowhere/at-all' does not exist"]` +
				`,"_warnings":["Server 'a': tool 't' is listed more than once; the first definition counts"]}`))
		})
	})
})
