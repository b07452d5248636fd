package using_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server of 2026-07-28 that hosts share", Label("M10"), func() {
	BetweenHosts(func(one, other Era) {
		It("has one subscription for all hosts that follow a resource, and each is told until it unsubscribes", func() {
			first, second := filepath.Join(GinkgoT().TempDir(), "first"), filepath.Join(GinkgoT().TempDir(), "second")
			const meta = `"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}}}`
			updated := script.Step{Line: `{"jsonrpc":"2.0","method":"` + updates + `","params":{"uri":"a://own",` + meta}
			s := WithTools("read")
			s.Capabilities = `{"tools":{},"resources":{"subscribe":true}}`
			s.Rules = append(s.Rules, script.Rule{Method: "subscriptions/listen", Background: true, Do: []script.Step{
				{Line: `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged",` +
					`"params":{"notifications":{"resourceSubscriptions":["a://own"]},` + meta},
				{AwaitFile: first},
				updated,
				{AwaitFile: second},
				updated,
			}})
			server := Modern.Server(s, Shared)
			a, b := twoHosts(one, other, server)
			endOfA, endOfB := followResource(a, "a://own"), followResource(b, "a://own")

			Expect(os.WriteFile(first, nil, 0o600)).To(Succeed())
			a.AwaitSent(updates, 1)
			b.AwaitSent(updates, 1)
			Expect(server.ReceivedWith("subscriptions/listen")).To(HaveLen(1))
			endOfA()
			Expect(os.WriteFile(second, nil, 0o600)).To(Succeed())
			b.AwaitSent(updates, 2)
			Expect(a.Sent(updates)).To(HaveLen(1))
			Expect(server.ReceivedWith("notifications/cancelled")).To(BeEmpty())

			endOfB()
			Eventually(server.ReceivedWith).WithArguments("notifications/cancelled").WithTimeout(Patience).Should(HaveLen(1))
			Expect(RequestIDs(server.ReceivedWith("notifications/cancelled"))).To(Equal(RequestIDs(server.ReceivedWith("subscriptions/listen"))))
		})
	})
})
