package faults_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Cancelling a call immediately", func() {
	BetweenEras(func(ofHost, ofServer Era) {
		It("reaches the server behind every call of two hundred, and nothing comes back", func() {
			server := ofServer.Server(Hanging())
			host := ofHost.Connect(`{}`, server)

			var lines, later strings.Builder
			cancels := &lines
			if OverHTTP() && !ofHost.Modern {
				cancels = &later // each is a request of its own, which must not come before its call
			}
			var ids []string
			for i := range 200 {
				id := strconv.Quote("cancelled " + strconv.Itoa(i))
				ids = append(ids, id)
				params := host.Params(`"name":"use_tool","arguments":` + UseArguments("dev", "files", "hang", "{}"))
				lines.WriteString(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":` + params + "}\n")
				cancels.WriteString(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + "}}\n")
			}
			host.SendRaw(lines.String())
			if later.Len() > 0 {
				server.AwaitCallsOf("hang", 200)
				host.SendRaw(later.String())
			}

			Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
			Eventually(func(g Gomega) {
				called := RequestIDs(server.CallsOf("hang"))
				g.Expect(RequestIDs(server.ReceivedWith("notifications/cancelled"))).To(ConsistOf(called))
				if !OverHTTP() || !ofHost.Modern { // its connection may be cut before its call is passed on
					g.Expect(called).To(HaveLen(200))
				}
			}).WithTimeout(Patience).Should(Succeed())
			Expect(host.End()).To(Equal(0))
			for _, id := range ids {
				Expect(host.Answers(id)).To(BeEmpty())
			}
		})

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
