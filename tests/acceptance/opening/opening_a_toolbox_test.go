package opening_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

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
