package acceptance_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/workbenchtest"
)

// kind is a way in which servers are reached.
type kind struct {
	name string
	era  era
	// start starts a server of the kind, nil for one that the workbench starts.
	start     func(script.Script) *remote.Server
	transport string
}

// kinds is the table of transports: what is true of one is true of all.
var kinds = []kind{
	{name: "stdio", era: older},
	{name: "stdio", era: modern},
	{name: "http", era: older, start: remote.StartStreamable, transport: "http"},
	{name: "http", era: modern, start: remote.StartModern, transport: "http"},
	{name: "sse", era: older, start: remote.StartOlder, transport: "sse"},
}

// overEveryTransport describes what is the same however servers are reached.
func overEveryTransport(body func(over kind)) {
	for _, over := range kinds {
		Context("over "+over.name+", of "+over.era.name, func() { body(over) })
	}
}

// elsewhere are the kinds whose servers the workbench does not start.
func elsewhere(body func(over kind)) {
	for _, over := range kinds {
		if over.start != nil {
			Context("over "+over.name+", of "+over.era.name, func() { body(over) })
		}
	}
}

// reached is a server named files and what can be done to it.
type reached struct {
	workbenchtest.Server
	remote *remote.Server // nil for a process
}

// serve returns a server of the kind that plays a script.
func (k kind) serve(s script.Script, settings ...string) reached {
	GinkgoHelper()
	if k.start == nil {
		return reached{Server: k.era.server(s, settings...)}
	}
	return k.serveBehind(func(address string) string { return address }, s, settings...)
}

// serveBehind is serve for a server elsewhere that is reached at another address
// than its own.
func (k kind) serveBehind(address func(own string) string, s script.Script, settings ...string) reached {
	GinkgoHelper()
	s = k.era.script(s)
	s.Journal = filepath.Join(GinkgoT().TempDir(), "journal")
	far := k.start(s)
	DeferCleanup(far.Break)
	url := strings.Replace(far.URL(), far.Address(), address(far.Address()), 1)
	settings = append(settings, `"transport":"`+k.transport+`"`)
	return reached{Server: workbenchtest.Elsewhere("files", url, s.Journal, settings...), remote: far}
}

// crash ends the server at once.
func (r reached) crash(w *workbenchtest.Workbench) {
	GinkgoHelper()
	if r.remote != nil {
		r.remote.Break()
		return
	}
	for _, pid := range w.Servers() {
		process, err := os.FindProcess(pid)
		Expect(err).NotTo(HaveOccurred())
		_ = process.Kill() // gone already, maybe
	}
}

var _ = Describe("A server, however it is reached,", func() {
	overEveryTransport(func(over kind) {
		It("shows its tools in its own JSON", func() {
			s := withTools("read", "write")
			host := over.era.connect(`{}`, over.serve(s).Server)

			Expect(host.Open("dev").JSON).To(HavePrefix(`{"toolbox":"dev","description":"","servers_connected":1,"tools":[` +
				listed("read", "files", "dev") + `,` + listed("write", "files", "dev") + `]`))
		})

		It("gets arguments and answers in the bytes that were written", func() {
			s := withTools("read")
			s.Rules = []script.Rule{script.Answer("read", `{"content":[], "n":9007199254740993,"got":${arguments}}`)}
			host := older.connect(`{}`, over.serve(s).Server)

			answer := host.Use("dev", "files", "read", `{ "a":1.0,"é":"\u0041"}`)

			Expect(string(answer.Result)).To(Equal(`{"content":[], "n":9007199254740993,"got":{ "a":1.0,"é":"\u0041"}}`))
		})

		It("fails in its own words", func() {
			s := withTools("read")
			s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{{Error: `{"code":-32050, "message":"no","data":1.0}`}}}}
			host := older.connect(`{}`, over.serve(s).Server)

			Expect(string(host.Use("dev", "files", "read", `{}`).Error)).To(Equal(`{"code":-32050, "message":"no","data":1.0}`))
		})

		It("fails the call under way when it is gone, and no call is made twice", func() {
			server := over.serve(hanging())
			host := older.connect(`{}`, server.Server)
			id := host.BeginUse("dev", "files", "hang", `{}`)
			Eventually(server.HeardOf).WithArguments("tools/call").WithTimeout(workbenchtest.Patience).Should(HaveLen(1))

			server.crash(host.Workbench)

			Expect(host.Await(id).Failure()).To(HavePrefix("Error executing tool 'hang' in server 'files' (toolbox 'dev'): "))
			Expect(server.HeardOf("tools/call")).To(HaveLen(1))
		})

		It("hears of a cancel once, and the host hears nothing more of the call", func() {
			server := over.serve(hanging())
			host := older.connect(`{}`, server.Server)
			id := host.BeginUse("dev", "files", "hang", `{}`)
			Eventually(server.HeardOf).WithArguments("tools/call").WithTimeout(workbenchtest.Patience).Should(HaveLen(1))

			host.Cancel(id)

			Eventually(server.HeardOf).WithArguments("notifications/cancelled").WithTimeout(workbenchtest.Patience).Should(HaveLen(1))
			Expect(host.Use("dev", "files", "read", `{}`).Text()).To(Equal("done"))
			Expect(host.Answers(id)).To(BeEmpty())
			Expect(server.HeardOf("notifications/cancelled")).To(HaveLen(1))
		})

		It("tells of its progress before the result, in order", func() {
			host := older.connect(`{}`, over.serve(reporting(50)).Server)

			Expect(host.Use("dev", "files", "work", `{}`, `"progressToken":"p"`).Text()).To(Equal("done"))

			said := host.Said("notifications/progress")
			Expect(said).To(HaveLen(50))
			Expect(string(said[49].Params)).To(Equal(`{"progressToken":"p","progress":50,"message":"at 50"}`))
		})

		It("is let go of when the host is done, whatever is under way", func() {
			server := over.serve(hanging())
			host := older.connect(`{}`, server.Server)
			host.BeginUse("dev", "files", "hang", `{}`)
			Eventually(server.HeardOf).WithArguments("tools/call").WithTimeout(workbenchtest.Patience).Should(HaveLen(1))

			host.CloseInput()

			Eventually(host.Ended()).WithTimeout(exitLimit).Should(BeClosed())
			Expect(host.ExitCode()).To(Equal(0))
			if server.remote != nil {
				Expect(server.remote.Open()).To(BeZero())
			}
		})
	})
})
