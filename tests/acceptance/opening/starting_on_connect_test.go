package opening_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

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
