package using_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// tasksExtension is declared by hosts and servers that know tasks of 2026-07-28.
const tasksExtension = `"extensions":{"io.modelcontextprotocol/tasks":{}}`

// taskGiver returns a server that makes every call of its tool a task, without being asked to.
func taskGiver() script.Script {
	s := WithTools("build", "read")
	s.Capabilities = `{"tools":{},` + tasksExtension + `}`
	s.Rules = []script.Rule{
		script.Answer("build", `{"resultType":"task","taskId":"t${call}","status":"working","ttlMs":null}`),
		script.Answer("read", script.Text("done")),
	}
	for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
		s.Rules = append(s.Rules, script.Rule{Method: method, Do: []script.Step{{Result: `{"resultType":"complete","to":"` + method + `","heard":${params}}`}}})
	}
	return s
}

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
			a, b := sharing(one, other, server)
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

		It("has tasks that belong to the host whose call made them", func() {
			server := Modern.Server(taskGiver(), Shared)
			w := Listen(Launch{Config: Configuration(InDev(server))})
			a := Connect(w, one.Modern, `{`+tasksExtension+`}`)
			b := Connect(w.AnotherHost(), other.Modern, `{"elicitation":{},`+tasksExtension+`}`)
			a.Open("dev")
			b.Open("dev")
			hosts := map[string]Host{"t1": a, "t2": b}
			for _, task := range []string{"t1", "t2"} {
				Expect(string(hosts[task].Use("dev", "files", "build", "{}").Result)).To(ContainSubstring(`"taskId":"` + task + `"`))
			}

			for task, stranger := range map[string]Host{"t1": b, "t2": a} {
				for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
					Expect(stranger.Request(method, stranger.Params(`"taskId":"`+task+`"`)).Code()).To(BeElementOf(-32601, -32602))
				}
			}
			Expect(server.ReceivedWith("tasks/get")).To(BeEmpty())
			Expect(server.ReceivedWith("tasks/update")).To(BeEmpty())
			Expect(server.ReceivedWith("tasks/cancel")).To(BeEmpty())
			for task, owner := range hosts {
				Expect(string(owner.Request("tasks/get", owner.Params(`"taskId":"`+task+`"`)).Result)).To(And(
					ContainSubstring(`"to":"tasks/get"`), ContainSubstring(`"taskId":"`+task+`"`)))
			}
			Expect(server.ReceivedWith("server/discover")).To(HaveLen(1))
		})
	})

	It("announces changes to hosts of both eras", func() {
		changed := filepath.Join(GinkgoT().TempDir(), "changed")
		s := WithTools("change", "read")
		s.Capabilities = `{"tools":{"listChanged":true}}`
		s.Rules = []script.Rule{
			{Method: "subscriptions/listen", Background: true, Do: []script.Step{
				{Line: `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},` +
					`"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}}}`},
				{AwaitFile: changed},
				{Line: `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}}}`},
			}},
			{Method: "tools/call", Tool: "change", Do: []script.Step{
				{SetTools: []string{script.Tool("new")}}, {Touch: changed}, {Result: script.Text("done")},
			}},
		}
		server := Modern.Server(s, Shared)
		a, b := sharing(Older, Modern, server)

		a.Use("dev", "files", "change", "{}")

		for _, host := range []Host{a, b} {
			Eventually(func() []string { return host.Open("dev").Names() }).WithTimeout(Patience).Should(Equal([]string{"new"}))
		}
		Expect(server.ReceivedWith("server/discover")).To(HaveLen(1))
	})
})
