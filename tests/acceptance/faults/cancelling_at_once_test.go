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

var _ = Describe("Cancelling a call at once", func() {
	BetweenEras(func(ofHost, ofServer Era) {
		It("reaches the server behind every call of two hundred, and nothing comes back", func() {
			server := ofServer.Server(Hanging())
			host := ofHost.Connect(`{}`, server)

			var lines strings.Builder
			var ids []string
			for i := range 200 {
				id := strconv.Quote("cancelled " + strconv.Itoa(i))
				ids = append(ids, id)
				params := host.Params(`"name":"use_tool","arguments":` + UseArguments("dev", "files", "hang", "{}"))
				lines.WriteString(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":` + params + "}\n" +
					`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + "}}\n")
			}
			host.SendRaw(lines.String())

			Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
			Eventually(func() []string { return server.HeardOf("notifications/cancelled") }).
				WithTimeout(Patience).Should(HaveLen(200))
			called := RequestIDs(server.HeardOf("tools/call"))
			Expect(RequestIDs(server.HeardOf("notifications/cancelled"))).To(ConsistOf(called[:200]))
			Expect(host.End()).To(Equal(0))
			for _, id := range ids {
				Expect(host.Answers(id)).To(BeEmpty())
			}
		})

		It("keeps a call from a server that is being started again", func() {
			gate := filepath.Join(GinkgoT().TempDir(), "gate")
			Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())
			s := Hanging()
			s.Tools = append(s.Tools, script.Tool("die"))
			s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Tool: "die", Do: []script.Step{{Exit: 1}}})
			s.Start = []script.Step{{AwaitFile: gate}}
			server := ofServer.Server(s)
			host := ofHost.Connect(`{}`, server)
			Expect(os.Remove(gate)).To(Succeed())
			host.Use("dev", "files", "die", "{}")

			id := host.BeginUse("dev", "files", "hang", "{}", `"progressToken":1`)
			host.Cancel(id)
			read := host.BeginUse("dev", "files", "read", "{}")
			host.Request("ping", "{}") // by now the cancel is read
			Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())

			Expect(host.Await(read).Text()).To(Equal("done"))
			Expect(server.HeardOf("tools/call")).NotTo(ContainElement(ContainSubstring(`"hang"`)))
			Expect(server.HeardOf("notifications/cancelled")).To(BeEmpty())
			Expect(host.End()).To(Equal(0))
			Expect(host.Answers(id)).To(BeEmpty())
		})

		It("happens to every call when the host goes away", func() {
			server := ofServer.Server(Hanging())
			host := ofHost.Connect(`{}`, server)
			for range 5 {
				host.BeginUse("dev", "files", "hang", "{}")
			}
			host.Use("dev", "files", "read", "{}") // behind them on the same pipe

			Expect(host.End()).To(Equal(0))

			called := RequestIDs(server.HeardOf("tools/call"))
			Expect(RequestIDs(server.HeardOf("notifications/cancelled"))).To(ConsistOf(called[:5]))
		})
	})
})
