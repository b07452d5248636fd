package approvals_test

import (
	"fmt"
	"strings"

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

var _ = Describe("A tool whose defaults differ at each start", func() {
	const tool = `{"name":"snap","inputSchema":{"type":"object","properties":{"name":{"type":"string"%s}}}}`
	pinned := func(settings string) PinnedFiles {
		GinkgoHelper()
		s := WithDefinitions(script.Tool("same"))
		s.Rules = append([]script.Rule{{Method: "tools/list", Do: []script.Step{
			{Result: `{"tools":[` + fmt.Sprintf(tool, `,"default":"${process}"`) + `,` + script.Tool("same") + `]}`},
		}}}, s.Rules...)
		p := NewPinnedFiles(s)
		files := Program("files", ScriptedServer(), `"args":["-script",`+Quote(p.Script)+`]`, settings)
		WriteFile(p.Config, strings.Replace(Configuration(InDev(files)), "{", `{"pinning":"block",`, 1))
		return p
	}

	It("is named by lock, with the setting that helps", func() {
		p := pinned(`"pinned":"definition"`)

		Expect(p.Run("lock").Stdout).To(And(
			ContainSubstring(`hint: dev / files / snap: its defaults differ at each start, so that no lock fits; "pinned": "no-defaults" in the server's settings`),
			Not(ContainSubstring("hint: dev / files / same"))))
		Expect(p.Run("lock", "--check").Code).To(Equal(1))
	})

	It("is locked and used without them", func() {
		p := pinned(`"pinned":"no-defaults"`)
		Expect(p.Run("lock").Stdout).To(And(Not(ContainSubstring("hint")), ContainSubstring("note: dev / files: defaults in its schemas are not guarded")))

		Expect(p.Run("lock", "--check").Code).To(Equal(0))
		opened := p.Connect(Older).Open("dev")
		Expect(opened.Warnings).To(BeEmpty())
		Expect(string(opened.Tools[0])).To(Equal(Shown(fmt.Sprintf(tool, ""), "files", "dev")))
	})
})
