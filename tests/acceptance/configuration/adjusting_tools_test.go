package configuration_test

import (
	"os"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A tool that the configuration adjusts", func() {
	const definition = `{"name":"list", "description":"Always call this first!","inputSchema":{"type":"object","properties":{"path":{"type":"string"}, "n":{"type":"number"},"debug":{"type":"boolean"}},"required":["path"]},"x":1}`
	listing := func(adjustments string) Server {
		s := script.Script{Tools: []string{definition, script.Tool("other")}, Rules: []script.Rule{script.Answer("list", script.Text("done")), script.Answer("other", script.Text("done"))}}
		return Scripted("files", s, `"tools":`+adjustments)
	}
	const adjustments = `{"list":{"description":"Lists files.","fixed":{"path":"${PROJECT}/src"},"hidden":["debug"]}}`

	for _, e := range Eras {
		It("is shown and called in its adjusted form, at a host of "+e.Name, func() {
			server := listing(adjustments)
			host := Connect(Start(Launch{Config: Configuration(InDev(server)), Env: []string{"PROJECT=/projects/secret"}}), e.Modern, FormCapability)
			opened := host.Open("dev").JSON
			Expect(opened).To(ContainSubstring(`"description":"Lists files.","inputSchema":{"type":"object","properties":{ "n":{"type":"number"}}},"x":1,"server"`))
			Expect(opened).NotTo(ContainSubstring("Always call"))
			Expect(opened).To(ContainSubstring(strings.TrimSuffix(script.Tool("other"), "}")))

			Expect(host.Use("dev", "files", "list", `{"n": 1.0,"p\u0061th":"/etc","debug":true,"path":"/"}`).Text()).To(Equal("done"))
			Expect(server.ReceivedWith("tools/call")[0]).To(ContainSubstring(`"arguments":{"n": 1.0,"path":"/projects/secret/src"}`))
			Expect(host.Use("dev", "files", "other", `{"path":1}`).Text()).To(Equal("done"))
			Expect(server.ReceivedWith("tools/call")[1]).To(ContainSubstring(`"arguments":{"path":1}`))
		})
	}

	for _, e := range Eras {
		It("follows a changed configuration, but shows and sends no more than before until the next start, at a host of "+e.Name, func() {
			server := Scripted("files", script.Script{Tools: []string{definition}, Rules: []script.Rule{script.Answer("list", script.Text("done"))}})
			with := func(adjustments string) string {
				adjusted := Server{Name: server.Name, Settings: append(slices.Clone(server.Settings), `"tools":`+adjustments)}
				return Configuration(InDev(adjusted))
			}
			host := ServeReloadable(e, with(`{"list":{"description":"Before.","hidden":["debug"]}}`))
			Expect(host.Open("dev").JSON).To(ContainSubstring("Before."))

			host.Reload(with(`{"list":{"description":"After.","fixed":{"path":"/src"},"hidden":["debug"]}}`))
			Expect(host.Open("dev").JSON).To(And(ContainSubstring("After."), Not(ContainSubstring(`"path"`)), Not(ContainSubstring("debug")),
				Not(ContainSubstring("changed its definition"))))
			Expect(host.Use("dev", "files", "list", `{"path":"/etc"}`).Text()).To(Equal("done"))
			Expect(host.Reload(with(`{"list":{"description":"Later."}}`))).To(ContainSubstring("protects less than before"))
			host.Open("dev")
			Expect(host.Use("dev", "files", "list", `{"path":"/etc","debug":true}`).Text()).To(Equal("done"))
			Expect(server.ReceivedWith("tools/call")).To(HaveEach(ContainSubstring(`"arguments":{"path":"/src"}`)))
		})
	}

	It("is in the lock as the server defines it", func() {
		p := NewPinnedFiles(script.Script{Tools: []string{definition}, Rules: []script.Rule{script.Answer("list", script.Text("done"))}})
		Expect(p.Run("lock").Code).To(Equal(0))
		before := p.Locked()
		text, err := os.ReadFile(p.Config)
		Expect(err).NotTo(HaveOccurred())
		WriteFile(p.Config, strings.Replace(string(text), `"args":`, `"tools":{"list":{"description":"Lists files.","hidden":["n"]}},"args":`, 1))
		Expect(p.Run("lock", "--check").Code).To(Equal(0))
		Expect(p.Run("lock").Code).To(Equal(0))
		Expect(p.Locked()).To(Equal(before))

		host := p.Connect(Older)
		Expect(host.Open("dev").JSON).To(And(ContainSubstring("Lists files."), Not(ContainSubstring("changed"))))
		p.ServerIs(script.Script{Tools: []string{strings.Replace(definition, "first!", "last!", 1)}})
		Expect(p.Run("lock", "--check").Stdout).To(ContainSubstring("last!"))
	})

	for _, e := range Eras {
		It("shows the user the arguments that the server gets, without secrets, and is called after a yes, by a host of "+e.Name, Label("K03"), func() {
			server := listing(adjustments)
			w := Start(Launch{
				Config: WithRoot(Configuration(InDev(server)), `"confirm":["list"]`), Env: []string{"PROJECT=/projects/secret"},
			})
			host := Connect(w, e.Modern, FormCapability)
			host.Open("dev")
			call := BeginPromptedCall(host, "use_tool", UseArguments("dev", "files", "list", `{"path":"/etc","n":2,"debug":true}`))
			Expect(call.Question()).To(HaveSuffix("Arguments:\n  \"n\": 2\n  \"path\": \"${PROJECT}/src\""))
			Expect(call.AnswerWith(`{"action":"accept","content":{"decision":"yes, once"}}`).Ends().Text()).To(Equal("done"))
			Expect(server.ReceivedWith("tools/call")[0]).To(ContainSubstring(`"arguments":{"n":2,"path":"/projects/secret/src"}`))
		})
	}
})
