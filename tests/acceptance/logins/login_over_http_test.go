package logins_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/authserver"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A workbench that many hosts reach over HTTP", func() {
	for _, e := range Eras {
		It("tells a host of "+e.Name+" where the operator logs in, and shows it the tools after the login", func() {
			g := guard(authserver.Behaviour{}, "")
			host := Connect(Listen(g.launch()), e.Modern, URLCapability)
			open := func() Message {
				return host.Request("tools/call", host.Params(`"name":"open_toolbox","arguments":`+openDev))
			}
			Expect(open().Line).To(ContainSubstring("the operator of the workbench can log in there with `mcp-workbench login dev/team`; then try again"))
			Expect(host.Sent("elicitation/create")).To(BeEmpty())

			g.expectLoggedIn()

			Expect(host.Open("dev").Names()).To(ContainElement("note"))
			Expect(host.Use("dev", "team", "note", "{}").Line).To(ContainSubstring("noted"))
		})
	}
})
