package using_test

import (
	"time"

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

		DescribeTable("fails the call that the fault hits, does not get it twice, and is used again",
			func(fault func()) {
				host, server := connect(Hanging())
				id := host.BeginUse("dev", "files", "hang", `{}`)
				Eventually(server.ReceivedWith).WithArguments("tools/call").WithTimeout(Patience).Should(HaveLen(1))

				fault()

				Expect(host.Await(id).Failure()).To(And(
					HavePrefix("Error executing tool 'hang' in server 'files' (toolbox 'dev'): "),
					Or(ContainSubstring("the connection to the server was cut"), ContainSubstring("the server ended its stream of events"))))
				Expect(server.ReceivedWith("tools/call")).To(HaveLen(1))
				Eventually(func() string { return string(host.Use("dev", "files", "read", `{}`).Result) }).
					WithTimeout(Patience).Should(ContainSubstring("done"))
			},
			Entry("a cut", func() { network.Cut() }),
			Entry("an end of the server's stream", func() { network.HalfClose() }),
		)

		It("fails a call at its limit when the network stalls, and is used again afterwards", func() {
			host, server := connect(WithTools("read"), `"limits":{"call":"300ms"}`)
			network.Stall()

			// The message says how long the call waited, which is longer on a busy machine.
			Expect(host.Use("dev", "files", "read", `{}`).Failure()).To(MatchRegexp(
				`^Error executing tool 'read' in server 'files' \(toolbox 'dev'\): no answer within ([3-9]00ms|[0-9.]+s) \(limits\.call raises the limit\)$`))
			network.Pass()

			Eventually(func() string { return string(host.Use("dev", "files", "read", `{}`).Result) }).
				WithTimeout(Patience).Should(ContainSubstring("done"))
			Expect(server.ReceivedWith("tools/call")).NotTo(BeEmpty())
		})

		It("is understood byte by byte", func() {
			host, _ := connect(WithTools("read"))
			network.Slow(20 * time.Microsecond)

			Expect(host.Use("dev", "files", "read", `{}`).Text()).To(Equal("done"))
			Expect(host.Open("dev").Names()).To(Equal([]string{"read"}))
		})

		It("ends with the host even if the network stalls", func() {
			host, server := connect(WithTools("read"))
			network.Stall()
			host.BeginUse("dev", "files", "read", `{}`)
			Eventually(server.ReceivedWith).WithArguments("tools/call").WithTimeout(Patience).Should(HaveLen(1))

			host.CloseInput()

			Eventually(host.Ended()).WithTimeout(Patience).Should(BeClosed())
			Expect(host.ExitCode()).To(Equal(0))
		})

		It("is used again after it was restarted and lost its sessions", func() {
			host, server := connect(WithTools("read"))
			Expect(host.Use("dev", "files", "read", `{}`).Text()).To(Equal("done"))

			server.Far.Forget()

			Eventually(func() string { return string(host.Use("dev", "files", "read", `{}`).Result) }).
				WithTimeout(Patience).Should(ContainSubstring("done"))
		})
	})
})
