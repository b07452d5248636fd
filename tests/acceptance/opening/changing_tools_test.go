package opening_test

import (
	"os"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server that says how long its list is valid", Label("S17"), func() {
	// opened opens a toolbox twice, and returns how often its server was asked for its tools.
	opened := func(ttl string) int {
		GinkgoHelper()
		s := WithTools("read")
		s.Rules = []script.Rule{{Method: "tools/list", Do: []script.Step{{
			Result: `{"resultType":"complete","tools":[{"name":"read","inputSchema":{}}],"ttlMs":` + ttl + `,"cacheScope":"private"}`,
		}}}}
		server := Modern.Server(s)
		host := Older.Connect(`{}`, server)
		host.Open("dev")
		return len(server.ReceivedWith("tools/list"))
	}

	It("is asked again by the next open_toolbox after that time", func() {
		Expect(opened("0")).To(Equal(2))
	})

	It("is not asked again before that", func() {
		Expect(opened("3600000")).To(Equal(1))
	})
})

var _ = Describe("A server whose tools change", func() {
	for _, ofServer := range Eras {
		Context("and which speaks "+ofServer.Name, func() {
			It("is shown with its new tools by the next open_toolbox", Label("S04"), func() {
				host := Older.Connect(`{}`, ofServer.Server(ChangingTools(1)))

				host.Use("dev", "files", "change", "{}")

				Expect(host.Open("dev").Names()).To(Equal([]string{"change", "new"}))
			})

			It("can be used with its new tools, but not its old ones, by the next use_tool", Label("S04"), func() {
				server := ofServer.Server(ChangingTools(1))
				host := Older.Connect(`{}`, server)

				host.Use("dev", "files", "change", "{}")

				Expect(host.Use("dev", "files", "new", "{}").Text()).To(Equal("done"))
				Expect(host.Use("dev", "files", "old", "{}").Failure()).To(
					Equal("Tool 'old' not found in server 'files' (toolbox 'dev')\nTools of this server: change, new"))
				Expect(server.ReceivedWith("tools/call")).NotTo(ContainElement(ContainSubstring(`"old"`)))
			})

			It("is listed at most three times for a thousand changes", Label("S04"), func() {
				server := ofServer.Server(ChangingTools(1000))
				host := Older.Connect(`{}`, server)

				host.Use("dev", "files", "change", "{}")
				for range 20 {
					host.Use("dev", "files", "new", "{}")
				}

				Expect(host.Open("dev").Names()).To(Equal([]string{"change", "new"}))
				Expect(len(server.ReceivedWith("tools/list"))).To(BeNumerically("<=", 1+3))
			})
		})
	}

	DescribeTable("can be used with tools that it does not announce", Label("S04"), func(capabilities string) {
		silent := ChangingTools(0)
		silent.Capabilities = capabilities
		silent.Rules[0].Do = slices.Delete(silent.Rules[0].Do, 1, 2) // the notification
		host := Older.Connect(`{}`, Older.Server(silent))

		host.Use("dev", "files", "change", "{}")

		Expect(host.Use("dev", "files", "new", "{}").Text()).To(Equal("done"))
	},
		Entry("and declares nothing", `{"tools":{}}`),
		Entry("and declares that", `{"tools":{"listChanged":false}}`),
	)
})

// mortalWhile returns a server that its tool ends, and that does not start while a
// file exists.
func mortalWhile(mark string) script.Script {
	s := WithTools("die")
	s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{{Exit: 1}}}}
	s.Start = []script.Step{{ExitIfFile: mark}}
	return s
}

// expectAfter expects that the nth notification that tools changed came after the
// answer to a request.
func expectAfter(host Host, n int, id string) {
	GinkgoHelper()
	host.AwaitSent(ToolsListChanged, n)
	seen := 0
	for _, m := range host.Received() {
		switch {
		case m.Method == ToolsListChanged:
			seen++
			Expect(seen).To(BeNumerically("<", n), "it should come after the answer")
		case m.Method == "" && string(m.ID) == id:
			Expect(seen).To(Equal(n - 1))
			return
		}
	}
}

var _ = Describe("A host that follows the tools", func() {
	for _, e := range Eras {
		Context("of "+e.Name, func() {
			It("hears once about each change, after the answer that caused it", func() {
				SkipOverHTTP("the answer and the notification come on two streams")
				host := ConnectDynamic(e, InDev(Scripted("files", WithTools("read"))))
				FollowTools(host)

				open := host.BeginTool("open_toolbox", `{"toolbox":"dev"}`)
				expectAfter(host, 1, open)
				host.Open("dev")
				host.Tool("dev__files_read", `{}`)
				closing := host.BeginTool("close_toolbox", CloseDev)
				expectAfter(host, 2, closing)

				Expect(host.End()).To(Equal(0))
				Expect(host.Sent(ToolsListChanged)).To(HaveLen(2))
			})

			It("hears that a server is gone for good, and that it is back", func() {
				mark := GinkgoT().TempDir() + "/refuse"
				mortal := Scripted("mortal", mortalWhile(mark))
				host := ConnectDynamic(e, InDev(Scripted("other", WithTools("stay")), mortal))
				FollowTools(host)
				host.Open("dev")
				host.AwaitSent(ToolsListChanged, 1)
				Expect(host.ToolNames()).To(Equal(WithOwnTools("dev__other_stay", "dev__mortal_die")))

				Expect(os.WriteFile(mark, nil, 0o600)).To(Succeed())
				Expect(host.Tool("dev__mortal_die", `{}`).Failure()).To(ContainSubstring("exit code 1"))
				Expect(host.ToolNames()).To(ContainElement("dev__mortal_die"), "a call starts the server again")
				Expect(host.Tool("dev__mortal_die", `{}`).Failure()).To(ContainSubstring("exit code 7"))

				host.AwaitSent(ToolsListChanged, 2)
				Expect(host.ToolNames()).To(Equal(WithOwnTools("dev__other_stay")))

				Expect(os.Remove(mark)).To(Succeed())
				Eventually(func() []string { return host.Open("dev").Errors }).WithTimeout(Patience).Should(BeEmpty())
				host.AwaitSent(ToolsListChanged, 3)
				Expect(host.ToolNames()).To(Equal(WithOwnTools("dev__other_stay", "dev__mortal_die")))
			})
		})
	}
})
