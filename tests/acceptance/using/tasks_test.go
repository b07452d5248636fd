package using_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// begin begins a call as a task.
func beginTask(host Host, server string) Message {
	GinkgoHelper()
	return host.Request("tools/call", host.Params(`"name":"use_tool","arguments":`+
		UseArguments("dev", server, "build", `{"a":1.0}`)+`,"task":{"ttl": 60000}`))
}

var _ = Describe("A call that becomes a task", func() {
	for _, ofHost := range Eras {
		Context("of a host of "+ofHost.Name, func() {
			It("is created by the server, and followed there by the task's id", func() {
				a, b := Scripted("a", MakingTasks("a", "task of a")), Scripted("b", MakingTasks("b", "task of b"))
				host := ofHost.Connect(`{}`, a, b)

				Expect(string(beginTask(host, "b").Result)).To(HaveSuffix(
					`"task":{"taskId":"task of b","status":"working","ttl":60000},` +
						`"heard":{"name":"build","arguments":{"a":1.0},"task":{"ttl": 60000},"_meta":{"progressToken":1}}}`))
				beginTask(host, "a")

				for _, method := range []string{"tasks/get", "tasks/result", "tasks/cancel"} {
					Expect(string(host.Request(method, host.Params(`"taskId":"task of b"`)).Result)).To(HaveSuffix(
						`"by":"b","to":"` + method + `","heard":{"taskId":"task of b"}}`))
				}
				Expect(string(host.Request("tasks/get", host.Params(`"taskId":"task of a"`)).Result)).To(ContainSubstring(`"by":"a"`))
			})

			It("is refused with the reason if its server knows no tasks", func() {
				server := Older.Server(WithTools("build"))
				host := ofHost.Connect(`{}`, server)

				answer := beginTask(host, "files")

				Expect(answer.Code()).To(Equal(-32601))
				Expect(string(answer.Error)).To(ContainSubstring(
					"Server 'files' (toolbox 'dev') does not support tasks; call the tool without one"))
				Expect(server.ReceivedWith("tools/call")).To(BeEmpty())
			})

			It("is not found by an unknown id, nor when its server is gone", func() {
				host := ofHost.Connect(`{}`, Older.Server(MakingTasks("files", "t")))

				unknown := host.Request("tasks/get", host.Params(`"taskId":"t"`))
				Expect(unknown.Code()).To(Equal(-32602))
				Expect(string(unknown.Error)).To(ContainSubstring("Task 't' not found: no running server created it"))

				beginTask(host, "files")
				Expect(host.Request("tasks/get", host.Params(`"taskId":"t"`)).Error).To(BeNil())
				host.Use("dev", "files", "vanish", "{}").Failure()
				Expect(host.Request("tasks/get", host.Params(`"taskId":"t"`)).Code()).To(Equal(-32602))
			})
		})
	}

	It("is one of the extension if both speak 2026-07-28: the server creates it without being asked, and gets the input that it requires", func() {
		s := WithTools()
		s.Tools = []string{script.Tool("build")}
		s.Capabilities = `{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
		s.Rules = []script.Rule{
			{Method: "tools/call", Do: []script.Step{{Result: `{"resultType":"task","taskId":"t","status":"working","ttlMs":null}`}}},
			{Method: "tasks/get", Do: []script.Step{{Result: `{"resultType":"complete","taskId":"t","status":"input_required","inputRequests":{}}`}}},
			{Method: "tasks/update", Do: []script.Step{{Result: `{"resultType":"complete"}`}}},
			{Method: "tasks/cancel", Do: []script.Step{{Result: `{"resultType":"complete"}`}}},
		}
		server := Modern.Server(s)
		host := Modern.Connect(`{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, server)

		Expect(string(host.Use("dev", "files", "build", "{}").Result)).To(Equal(s.Rules[0].Do[0].Result))
		Expect(string(host.Request("tasks/get", host.Params(`"taskId":"t"`)).Result)).To(Equal(s.Rules[1].Do[0].Result))
		for _, method := range []string{"tasks/update", "tasks/cancel"} {
			answer := host.Request(method, host.Params(`"taskId":"t","inputResponses":{"a":{"n":1.0}}`, `"traceparent":"x"`))
			Expect(string(answer.Result)).To(Equal(`{"resultType":"complete"}`))
			Expect(server.ReceivedWith(method)).To(ConsistOf(And(
				ContainSubstring(`"params":{"taskId":"t","inputResponses":{"a":{"n":1.0}},"_meta":{`), ContainSubstring(`"traceparent":"x"`))))
		}
	})

	It("has its state reported to a host with a handshake", func() {
		host := Older.Connect(`{}`, Older.Server(MakingTasks("files", "t")))

		beginTask(host, "files")

		Expect(string(host.AwaitSent("notifications/tasks/status", 1).Params)).To(Equal(`{"taskId":"t","status":"completed"}`))
	})
})
