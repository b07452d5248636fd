package opening_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

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

	DescribeTable("is told by the capabilities that it can follow lists", func(e Era, config func(...Toolbox) string) {
		w := Start(Launch{Config: config(InDev(Scripted("files", WithTools("read"))))})

		var greeting struct{ Capabilities struct{ Tools any } }
		if e.Modern {
			w.RequestModern("server/discover", "").Decode(&greeting)
		} else {
			w.Initialize().Decode(&greeting)
		}

		Expect(greeting.Capabilities.Tools).To(Equal(map[string]any{"listChanged": true}))
	},
		Entry("with a host of "+Older.Name+", in dynamic mode", Older, DynamicConfiguration),
		Entry("with a host of "+Modern.Name+", in dynamic mode", Modern, DynamicConfiguration),
		Entry("with a host of "+Older.Name, Older, Configuration),
		Entry("with a host of "+Modern.Name, Modern, Configuration),
	)
})
