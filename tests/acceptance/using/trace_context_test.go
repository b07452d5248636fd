package using_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The _meta of a call", func() {
	const kept = `"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`
	const vendors = `"tracestate":"a=1","baggage":"k=v","com.example/x":{"n":9007199254740993, "progressToken":1}`

	BetweenEras(func(ofHost, ofServer Era) {
		It("reaches the server, in the host's bytes", func() {
			server := ofServer.Server(WithTools("t"))
			host := ofHost.Connect(`{}`, server)

			host.Use("dev", "files", "t", "{}", kept, vendors)

			Expect(server.ReceivedWith("tools/call")).To(ConsistOf(ContainSubstring(`"_meta":{` + kept + "," + vendors)))
		})

		It("does not reach it if it is about the hop between host and workbench", func() {
			server := ofServer.Server(WithTools("t"))
			host := ofHost.Connect(`{}`, server)

			host.Use("dev", "files", "t", "{}", `"progressToken":"the host's"`, `"io.modelcontextprotocol/subscriptionId":9`, kept)

			heard := server.ReceivedWith("tools/call")[0]
			Expect(heard).To(ContainSubstring(kept))
			Expect(heard).NotTo(ContainSubstring("the host's"))
			Expect(heard).NotTo(ContainSubstring("subscriptionId"))
			Expect(heard).NotTo(ContainSubstring(`"name":"spec"`), "servers know the workbench, not its host")
			if !ofServer.Modern {
				Expect(heard).NotTo(ContainSubstring("io.modelcontextprotocol"))
			}
		})
	})
})
