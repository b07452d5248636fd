package using_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// twoHosts starts a workbench over HTTP and connects a host of each era to it; they are two even if
// both are of 2026-07-28. Both have opened the toolbox dev.
func twoHosts(first, other Era, servers ...Server) (Host, Host) {
	GinkgoHelper()
	return ShareServers(Launch{Config: Configuration(InDev(servers...))}, first, other)
}

// waitingScript returns a server with a tool that answers with its arguments, and one that reports,
// waits for a file and answers with them.
func waitingScript(gate string) script.Script {
	s := WithTools("echo", "wait", "vanish", "pid")
	s.Rules = []script.Rule{
		{Method: "tools/call", Tool: "wait", Background: true, Do: []script.Step{
			{Line: `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1,"message":${arguments}}}`},
			{AwaitFile: gate},
			{Result: `{"content":[],"got":${arguments}}`},
		}},
		{Method: "tools/call", Tool: "vanish", Do: []script.Step{{Exit: 1}}},
		script.Answer("pid", `{"content":[],"pid":${pid}}`),
		script.Answer("", `{"content":[],"got":${arguments}}`),
	}
	return s
}

// processOf returns the id of the server's process, from its tool.
func processOf(host Host) int {
	GinkgoHelper()
	var result struct{ PID int }
	host.Use("dev", "files", "pid", "{}").Decode(&result)
	Expect(result.PID).NotTo(BeZero())
	return result.PID
}

var _ = Describe("A server that hosts share", Label("M10"), func() {
	var gate string
	BeforeEach(func() { gate = filepath.Join(GinkgoT().TempDir(), "gate") })

	for _, ofServer := range Eras {
		Context("which speaks "+ofServer.Name, func() {
			BetweenHosts(func(one, other Era) {
				It("is one process, which gives each host the answers and the progress of its own calls", func() {
					server := ofServer.Server(waitingScript(gate), Shared)
					a, b := twoHosts(one, other, server)
					Expect(server.Starts()).To(Equal(1))

					first := a.BeginUse("dev", "files", "wait", `{"of":"a"}`, `"progressToken":"p"`)
					second := b.BeginUse("dev", "files", "wait", `{"of":"b"}`, `"progressToken":"p"`)
					Expect(a.AwaitSent("notifications/progress", 1).Line).To(ContainSubstring(`{"of":"a"}`))
					Expect(b.AwaitSent("notifications/progress", 1).Line).To(ContainSubstring(`{"of":"b"}`))
					Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())

					Expect(string(a.Await(first).Result)).To(ContainSubstring(`"got":{"of":"a"}`))
					Expect(string(b.Await(second).Result)).To(ContainSubstring(`"got":{"of":"b"}`))
					Expect(a.Sent("notifications/progress")).To(HaveLen(1))
					Expect(b.Sent("notifications/progress")).To(HaveLen(1))
					Expect(server.Starts()).To(Equal(1))
				})

				It("is gone for both when it ends, and one process again at the next use", func() {
					server := ofServer.Server(waitingScript(gate), Shared)
					a, b := twoHosts(one, other, server)
					hanging := b.BeginUse("dev", "files", "wait", `{}`, `"progressToken":"p"`)
					b.AwaitSent("notifications/progress", 1)

					a.Use("dev", "files", "vanish", "{}").Failure()

					Expect(b.Await(hanging).Failure()).To(ContainSubstring("Error executing tool 'wait'"))
					Expect(processOf(a)).To(Equal(processOf(b)))
					Expect(server.Starts()).To(Equal(2))
				})
			})
		})
	}
})
