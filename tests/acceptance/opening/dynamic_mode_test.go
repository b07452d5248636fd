package opening_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// places returns a server whose tools answer with their place.
func places(where string, names ...string) script.Script {
	s := WithTools(names...)
	s.Rules = []script.Rule{script.Answer("", script.Text(where))}
	return s
}

var _ = Describe("In dynamic mode", func() {
	for _, e := range Eras {
		Context("with a host of "+e.Name, func() {
			It("the tools of one open toolbox are tools of the workbench", func() {
				host := ConnectDynamic(e, Toolbox{
					Name: "main", Description: "Main toolbox",
					Servers: []Server{Scripted("filesystem", WithTools("read_file", "write_file"))},
				})
				Expect(host.ToolNames()).To(Equal(OwnTools))

				opened := host.Open("main")

				Expect(opened.RegisteredNames()).To(Equal([]string{"main__filesystem_read_file", "main__filesystem_write_file"}))
				Expect(host.ToolNames()).To(Equal(WithOwnTools("main__filesystem_read_file", "main__filesystem_write_file")))
				Expect(host.Tool("main__filesystem_read_file", `{"path":"a"}`).Text()).To(Equal("done"))
			})

			It("closing a toolbox removes its tools and processes, and no others", func() {
				dev, prod := Scripted("filesystem", places("dev", "read")), Scripted("filesystem", places("prod", "read"))
				host := ConnectDynamic(e, NewToolbox("dev", dev), NewToolbox("prod", prod))
				host.Open("dev")
				host.Open("prod")
				both := host.Servers()

				closed := host.Close("dev")

				Expect(closed.Text()).To(Equal(`{"toolbox":"dev","closed":true,"tools_removed":1}`))
				left := host.Servers()
				Expect(left).To(HaveLen(1))
				Expect(both).To(ContainElements(left))
				Expect(host.ToolNames()).To(Equal(WithOwnTools("prod__filesystem_read")))
				Expect(host.Tool("dev__filesystem_read", `{}`).Code()).To(Equal(-32602))
				Expect(host.Use("dev", "filesystem", "read", `{}`).Failure()).To(
					Equal("Error: Toolbox 'dev' is not open. Call open_toolbox first."))
				Expect(host.Tool("prod__filesystem_read", `{}`).Text()).To(Equal("prod"))
				Expect(prod.Starts()).To(Equal(1), "it went on")
			})
		})
	}
})

var _ = Describe("Closing a toolbox", func() {
	It("answers when no process is left, even if its servers refuse to end", func() {
		s := WithTools("read")
		s.Start = []script.Step{{Spawn: "stubborn"}}
		stubborn := Scripted("files", s, `"limits":{"shutdown":"1s"}`)
		host := ConnectDynamic(Older, InDev(stubborn), NewToolbox("ops", Scripted("files", WithTools("read"))))
		host.Open("dev")
		host.Open("ops")
		Expect(host.Servers()).To(HaveLen(3))

		host.Close("dev")

		Expect(host.Servers()).To(HaveLen(1))
	})

	It("does not exist in proxy mode", func() {
		w := Serve(InDev(Scripted("files", WithTools("read"))))
		w.Open("dev")

		Expect(w.Call("close_toolbox", CloseDev).Code()).To(Equal(-32602))
		Expect(w.Call("dev__files_read", `{}`).Code()).To(Equal(-32602))
		Expect(string(w.Request("tools/list", `{}`).Result)).NotTo(ContainSubstring("close_toolbox"))
	})
})
