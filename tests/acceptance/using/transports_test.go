package using_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// kind is a way in which servers are reached.
type kind struct {
	name string
	// serve returns a server of the kind, named files, that plays a script.
	serve func(s script.Script, settings ...string) ReachedServer
}

// kinds is the table of transports; the same specs apply to all.
var kinds = []kind{
	{name: "stdio, of " + Older.Name, serve: process(Older)},
	{name: "stdio, of " + Modern.Name, serve: process(Modern)},
	{name: WebKinds[0].Name(), serve: WebKinds[0].Serve},
	{name: WebKinds[1].Name(), serve: WebKinds[1].Serve},
	{name: WebKinds[2].Name(), serve: WebKinds[2].Serve},
}

// overEveryTransport describes what is the same however servers are reached.
func overEveryTransport(body func(over kind)) {
	for _, over := range kinds {
		Context("over "+over.name, func() { body(over) })
	}
}

// process serves programs on this machine.
func process(e Era) func(script.Script, ...string) ReachedServer {
	return func(s script.Script, settings ...string) ReachedServer {
		kill := func(w *Workbench) {
			for _, pid := range w.Servers() {
				process, err := os.FindProcess(pid)
				Expect(err).NotTo(HaveOccurred())
				_ = process.Kill() // it may be gone already
			}
		}
		return ReachedServer{Server: e.Server(s, settings...), Crash: kill, Open: func() int { return 0 }}
	}
}

var _ = Describe("A server, however it is reached,", func() {
	overEveryTransport(func(over kind) {
		It("shows its tools in its own JSON", func() {
			s := WithTools("read", "write")
			host := Older.Connect(`{}`, over.serve(s).Server)

			Expect(host.Open("dev").JSON).To(HavePrefix(`{"toolbox":"dev","description":"","servers_connected":1,"tools":[` +
				Listed("read", "files", "dev") + ",\n" + Listed("write", "files", "dev") + "\n]"))
		})

		It("gets arguments and returns answers in their bytes", func() {
			s := WithTools("read")
			s.Rules = []script.Rule{script.Answer("read", `{"content":[], "n":9007199254740993,"got":${arguments}}`)}
			host := Older.Connect(`{}`, over.serve(s).Server)

			answer := host.Use("dev", "files", "read", `{ "a":1.0,"é":"\u0041"}`)

			Expect(string(answer.Result)).To(Equal(`{"content":[], "n":9007199254740993,"got":{ "a":1.0,"é":"\u0041"}}`))
		})

		It("returns errors in its own words", func() {
			s := WithTools("read")
			s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{{Error: `{"code":-32050, "message":"no","data":1.0}`}}}}
			host := Older.Connect(`{}`, over.serve(s).Server)

			Expect(string(host.Use("dev", "files", "read", `{}`).Error)).To(Equal(`{"code":-32050, "message":"no","data":1.0}`))
		})

		It("fails the call in progress when it is gone, and no call is made twice", func() {
			server := over.serve(Hanging())
			host := Older.Connect(`{}`, server.Server)
			id := host.BeginUse("dev", "files", "hang", `{}`)
			Eventually(server.ReceivedWith).WithArguments("tools/call").WithTimeout(Patience).Should(HaveLen(1))

			server.Crash(host.Workbench)

			Expect(host.Await(id).Failure()).To(HavePrefix("Error executing tool 'hang' in server 'files' (toolbox 'dev'): "))
			Expect(server.ReceivedWith("tools/call")).To(HaveLen(1))
		})

		It("gets a cancel once, and the host gets nothing more about the call", func() {
			server := over.serve(Hanging())
			host := Older.Connect(`{}`, server.Server)
			id := host.BeginUse("dev", "files", "hang", `{}`)
			Eventually(server.ReceivedWith).WithArguments("tools/call").WithTimeout(Patience).Should(HaveLen(1))

			host.Cancel(id)

			Eventually(server.ReceivedWith).WithArguments("notifications/cancelled").WithTimeout(Patience).Should(HaveLen(1))
			Expect(host.Use("dev", "files", "read", `{}`).Text()).To(Equal("done"))
			Expect(host.Answers(id)).To(BeEmpty())
			Expect(server.ReceivedWith("notifications/cancelled")).To(HaveLen(1))
		})

		It("reports its progress before the result, in order", func() {
			host := Older.Connect(`{}`, over.serve(reporting(50)).Server)

			Expect(host.Use("dev", "files", "work", `{}`, `"progressToken":"p"`).Text()).To(Equal("done"))

			notifications := host.Sent("notifications/progress")
			Expect(notifications).To(HaveLen(50))
			Expect(string(notifications[49].Params)).To(Equal(`{"progressToken":"p","progress":50,"message":"at 50"}`))
		})

		It("is released when the host is done, even with calls in progress", func() {
			server := over.serve(Hanging())
			host := Older.Connect(`{}`, server.Server)
			host.BeginUse("dev", "files", "hang", `{}`)
			Eventually(server.ReceivedWith).WithArguments("tools/call").WithTimeout(Patience).Should(HaveLen(1))

			host.CloseInput()

			Eventually(host.Ended()).WithTimeout(Patience).Should(BeClosed())
			Expect(host.ExitCode()).To(Equal(0))
			Expect(server.Open()).To(BeZero())
		})
	})
})
