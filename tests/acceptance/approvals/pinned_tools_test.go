package approvals_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Tools that differ from the lock", func() {
	const (
		changed = "Server 'files': tool 'read' is not as it was locked in workbench.lock.json: its definition changed (description)"
		added   = "Server 'files': tool 'added' is not in workbench.lock.json"
		gone    = "Server 'files': tool 'gone' is in workbench.lock.json, but the server does not list it"
	)
	// differing has a lock, and a server that changed since.
	differing := func(settings ...string) PinnedFiles {
		GinkgoHelper()
		p := NewPinnedFiles(WithDefinitions(DescribedTool("read", "Read."), script.Tool("gone"), script.Tool("same")), settings...)
		Expect(p.Run("lock").Code).To(Equal(0))
		p.ServerIs(WithDefinitions(DescribedTool("read", "Send."), script.Tool("added"), script.Tool("same")))
		return p
	}

	for _, ofHost := range Eras {
		Context("before a host of "+ofHost.Name, func() {
			It("are named by open_toolbox, and can be used", func() {
				host := differing().Connect(ofHost)

				opened := host.Open("dev")

				Expect(opened.Names()).To(Equal([]string{"read", "added", "same"}))
				Expect(opened.Warnings).To(ConsistOf(changed, added, gone))
				Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
			})

			It("are neither shown nor called when pinning is block", func() {
				host := differing(`"pinning":"block"`).Connect(ofHost)

				opened := host.Open("dev")

				Expect(opened.Names()).To(Equal([]string{"same"}))
				Expect(opened.Warnings).To(ConsistOf(gone,
					"Server 'files': tool 'added' is blocked, since it is not in workbench.lock.json",
					"Server 'files': tool 'read' is blocked, since it is not as it was locked in workbench.lock.json: "+
						"its definition changed (description)"))
				Expect(host.Use("dev", "files", "same", "{}").Text()).To(Equal("done"))
				Expect(host.Use("dev", "files", "read", "{}").Failure()).To(Equal("Tool 'read' in server 'files' (toolbox 'dev') is blocked, " +
					"since it is not as it was locked in workbench.lock.json: its definition changed (description)\n" +
					"Ask the user to look at the differences with `mcp-workbench lock --check` and, if they are right, " +
					"to accept them with `mcp-workbench lock --update` in a terminal; then open the toolbox again."))
			})
		})
	}

	It("are not shown in short forms either, nor when they are asked for by name", func() {
		host := differing(`"pinning":"block"`, `"definitions":"names"`).Connect(Older)
		open := func(tools string) string {
			GinkgoHelper()
			return host.Request("tools/call", host.Params(`"name":"open_toolbox","arguments":{"toolbox":"dev"`+tools+`}`)).Text()
		}

		Expect(open("")).To(And(ContainSubstring(`"tools":{"files":["same`), Not(ContainSubstring(`"read`))))

		asked := open(`,"tools":["read","files/added","same"]`)
		Expect(asked).To(ContainSubstring(`"tools":[` + Listed("same", "files", "dev") + "\n]"))
		Expect(asked).To(ContainSubstring("tool 'read' is blocked, since"))
		Expect(asked).NotTo(ContainSubstring("not found"))
	})

	It("are shown by the next open_toolbox and used again once they were accepted in a terminal", func() {
		p := differing(`"pinning":"block"`)
		host := p.Connect(Older)
		host.Open("dev")

		Expect(p.Approve().Code).To(Equal(0))
		opened := host.Open("dev")

		Expect(opened.Names()).To(Equal([]string{"read", "added", "same"}))
		Expect(opened.Warnings).To(BeEmpty())
		Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
	})

	It("are not checked when pinning is off, or without a lock and a setting", func() {
		off := differing(`"pinning":"off"`).Connect(Older)
		none := NewPinnedFiles(WithDefinitions(script.Tool("read"))).Connect(Older)

		Expect(off.Open("dev").Warnings).To(BeEmpty())
		Expect(none.Open("dev").Warnings).To(BeEmpty())
	})

	It("are blocked when they change in the middle of a session, and are not called", func() {
		s := ChangingTools(1)
		p := NewPinnedFiles(s, `"pinning":"block"`)
		Expect(p.Run("lock").Code).To(Equal(0))
		host := p.Connect(Older)
		host.Open("dev")

		host.Use("dev", "files", "change", "{}")

		Expect(host.Use("dev", "files", "new", "{}").Failure()).To(
			HavePrefix("Tool 'new' in server 'files' (toolbox 'dev') is blocked, since it is not in workbench.lock.json\n"))
	})

	Context("when the lock cannot be used", func() {
		It("are shown with a warning", func() {
			p := NewPinnedFiles(WithDefinitions(script.Tool("read")))
			WriteFile(p.Lock, "{}")

			opened := p.Connect(Older).Open("dev")

			Expect(opened.Names()).To(Equal([]string{"read"}))
			Expect(opened.Warnings).To(ConsistOf(
				`workbench.lock.json cannot be used, so no tool was compared with it: its member "lockVersion" is not 1, 2, 3 or 4`))
		})
	})

	It("are all unknown when pinning is block and there is no lock", func() {
		opened := NewPinnedFiles(WithDefinitions(script.Tool("read")), `"pinning":"block"`).Connect(Older).Open("dev")

		Expect(opened.Names()).To(BeEmpty())
		Expect(opened.Warnings).To(ConsistOf(
			"there is no workbench.lock.json to compare tools with; `mcp-workbench lock` writes it",
			"Server 'files': no tool of it can be used (1 are blocked), since there is no workbench.lock.json"))
	})

	Context("of a server that was added after the lock", func() {
		// growing has a lock of one server, and a second one with many tools.
		growing := func(settings ...string) PinnedFiles {
			GinkgoHelper()
			p := NewPinnedFiles(WithDefinitions(script.Tool("read")), settings...)
			Expect(p.Run("lock").Code).To(Equal(0))
			var tools []string
			for i := range 100 {
				tools = append(tools, fmt.Sprintf("tool_%d", i))
			}
			p.ConfigureWith([]Server{Scripted("new server", WithTools(tools...))}, settings...)
			return p
		}
		const adds = "; to review and add it, the user can run `mcp-workbench lock --update 'dev/new server'` in a terminal"

		It("are one line with their number and the command that adds them", func() {
			opened := growing().Connect(Older).Open("dev")

			Expect(opened.Tools).To(HaveLen(101))
			Expect(opened.Warnings).To(Equal([]string{"Server 'new server' is not in workbench.lock.json (100 tools)" + adds}))
		})
	})
})

var _ = Describe("A tool whose definition changes between two listings", func() {
	It("is named by the next open_toolbox, lock or not", func() {
		s := WithDefinitions(DescribedTool("read", "Read."), script.Tool("same"))
		s.Capabilities = `{"tools":{"listChanged":true}}`
		s.Rules = append([]script.Rule{{Method: "tools/call", Tool: "same", Do: []script.Step{
			{SetTools: []string{DescribedTool("read", "Send."), script.Tool("same")}}, {Line: ToolsChanged}, {Result: script.Text("changed")},
		}}}, s.Rules...)
		host := Older.Connect(`{}`, Older.Server(s))

		host.Use("dev", "files", "same", "{}")

		Expect(host.Open("dev").Warnings).To(ConsistOf(
			"Server 'files': tool 'read' is not as it was shown before: the server changed its definition (description)"))
	})
})
