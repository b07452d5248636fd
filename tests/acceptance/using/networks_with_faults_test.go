package using_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/faults"
	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server behind a network with faults", func() {
	OverEveryWebKind(func(over WebKind) {
		var network *faults.Proxy
		// connect returns a host whose workbench has opened the server.
		connect := func(s script.Script, settings ...string) (Host, RemoteServer) {
			GinkgoHelper()
			server := over.ServeBehind(func(own string) string {
				network = faults.Start(own)
				DeferCleanup(network.Close)
				return network.Address()
			}, s, settings...)
			return Older.Connect(`{}`, server.Server), server
		}

		It("ends with the host even if the network stalls", func() {
			host, server := connect(WithTools("read"))
			network.Stall()
			host.BeginUse("dev", "files", "read", `{}`)
			Eventually(server.ReceivedWith).WithArguments("tools/call").WithTimeout(Patience).Should(HaveLen(1))

			host.CloseInput()

			Eventually(host.Ended()).WithTimeout(Patience).Should(BeClosed())
			Expect(host.ExitCode()).To(Equal(0))
		})
	})
})
