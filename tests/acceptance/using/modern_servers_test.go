package using_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Using a server of another era", func() {
	DescribeTable("still makes the handshake with a server that", Label("L14"), func(asked ...script.Step) {
		s := WithTools("t")
		s.Rules = append([]script.Rule{{Method: "server/discover", Do: asked}}, s.Rules...)
		server := Scripted("files", s)
		w := Serve(InDev(server))

		Expect(w.Open("dev").Names()).To(Equal([]string{"t"}))
		Expect(w.Use("dev", "files", "t", "{}").Text()).To(Equal("done"))
		Expect(server.ReceivedWith("server/discover")).To(BeEmpty())
		Expect(server.Starts()).To(Equal(1))
	},
		Entry("ends when it is asked to discover", script.Step{Exit: 3}),
		Entry("is silent when it is asked to discover", script.Step{Stderr: "what?"}),
		Entry("refuses to discover", script.Step{Error: `{"code":-32601,"message":"Method not found"}`}),
	)
})

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
		It("gets arguments and returns answers in their bytes", func() {
			s := WithTools("read")
			s.Rules = []script.Rule{script.Answer("read", `{"content":[], "n":9007199254740993,"got":${arguments}}`)}
			host := Older.Connect(`{}`, over.serve(s).Server)

			answer := host.Use("dev", "files", "read", `{ "a":1.0,"é":"\u0041"}`)

			Expect(string(answer.Result)).To(Equal(`{"content":[], "n":9007199254740993,"got":{ "a":1.0,"é":"\u0041"}}`))
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
	})
})
