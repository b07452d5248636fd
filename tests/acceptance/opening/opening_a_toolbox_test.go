package opening_test

import (
	"fmt"

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

	It("has an empty description and an empty list if there are none", func() {
		w := Serve(InDev(Scripted("files", WithTools())))

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
})

var _ = Describe("Using a tool of a toolbox that is not open", func() {
	answering := func() Server {
		GinkgoHelper()
		s := WithTools("read", "write")
		s.Rules = []script.Rule{script.Answer("read", script.Text("what was read"))}
		return Scripted("files", s)
	}

	It("opens the toolbox if the configuration says so", func() {
		server := answering()
		other := Scripted("other", WithTools("read"))
		w := Start(Launch{Config: Configuration(InDev(server, other)), Env: []string{"WORKBENCH_OPEN_ON_USE=true"}})

		Expect(w.Use("dev", "files", "read", `{"a":1}`).Text()).To(Equal("what was read"))
		Expect(w.Use("dev", "files", "read", `{"a":2}`).Text()).To(Equal("what was read"))
		Expect(server.Starts()).To(Equal(1))
		Expect(server.ReceivedWith("tools/call")).To(HaveExactElements(ContainSubstring(`{"a":1}`), ContainSubstring(`{"a":2}`)))
		Expect(other.Starts()).To(BeZero())
		Expect(w.Open("dev").Connected).To(Equal(2))
	})
})

var _ = Describe("A toolbox whose servers are started when the host connects", func() {
	const early = `"start":"connect"`

	for _, e := range Eras {
		Context("by a host of "+e.Name, func() {
			// connected is a host that has sent everything that it sends before its first use.
			connected := func(capabilities string, servers ...Server) Host {
				GinkgoHelper()
				host := Connect(Start(Launch{Config: Configuration(InDev(servers...))}), e.Modern, capabilities)
				host.Request("tools/list", host.Params(""))
				return host
			}

			It("has them started with the capabilities of the host", func() {
				files := Scripted("files", WithTools("read"), early)
				other := Scripted("other", WithTools("read"))
				host := connected(`{"roots":{}}`, files, other)
				Eventually(func() []string { return files.ReceivedWith("tools/list") }).WithTimeout(Patience).Should(HaveLen(1))
				Expect(files.ReceivedWith("initialize")).To(HaveExactElements(ContainSubstring(`"capabilities":{"roots":{}}`)))
				Expect(other.Starts()).To(BeZero())

				Expect(host.Open("dev").Connected).To(Equal(2))

				Expect(files.Starts()).To(Equal(1))
				Expect(other.Starts()).To(Equal(1))
			})
		})
	}
})
