package faults_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Cancelling a call immediately", func() {
	BetweenEras(func(ofHost, ofServer Era) {
		It("keeps a call away from a server that is being restarted", func() {
			if ofHost.Modern {
				SkipOverHTTP("to cancel is to cut the connection, and the host is not told when that is noticed")
			}
			directory := GinkgoT().TempDir()
			gate, starting := filepath.Join(directory, "gate"), filepath.Join(directory, "starting")
			Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())
			s := Hanging()
			s.Tools = append(s.Tools, script.Tool("die"))
			s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Tool: "die", Do: []script.Step{{Exit: 1}}})
			s.Start = []script.Step{{Touch: starting}, {AwaitFile: gate}}
			server := ofServer.Server(s)
			host := ofHost.Connect(`{}`, server)
			Expect(os.Remove(gate)).To(Succeed())
			Expect(os.Remove(starting)).To(Succeed())
			host.Use("dev", "files", "die", "{}")

			id := host.BeginUse("dev", "files", "hang", "{}", `"progressToken":1`)
			Eventually(starting).WithTimeout(Patience).Should(BeARegularFile(), "by now the call is there")
			host.Cancel(id)
			read := host.BeginUse("dev", "files", "read", "{}")
			host.Request("ping", "{}") // by now the cancel is read
			Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())

			Expect(host.Await(read).Text()).To(Equal("done"))
			Expect(server.ReceivedWith("tools/call")).NotTo(ContainElement(ContainSubstring(`"hang"`)))
			Expect(server.ReceivedWith("notifications/cancelled")).To(BeEmpty())
			Expect(host.End()).To(Equal(0))
			Expect(host.Answers(id)).To(BeEmpty())
		})

		It("happens to every call when the host goes away", func() {
			server := ofServer.Server(Hanging())
			host := ofHost.Connect(`{}`, server)
			if OverHTTP() { // there, the workbench outlives its hosts
				host = Connect(host.AnotherHost(), ofHost.Modern, `{}`)
				host.Open("dev")
			}
			for range 5 {
				host.BeginUse("dev", "files", "hang", "{}")
			}
			called := RequestIDs(server.AwaitCallsOf("hang", 5))

			host.CloseInput()

			Eventually(func() []string { return RequestIDs(server.ReceivedWith("notifications/cancelled")) }).
				WithTimeout(Patience).Should(ConsistOf(called))
		})
	})
})
