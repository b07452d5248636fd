package opening_test

import (
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// lazyFiles is a server that is started lazily, in workbenches that share a state
// folder.
type lazyFiles struct {
	PinnedFiles
	state string
	gate  string // a file without which the server does not start
}

const (
	lazy  = `"start":"lazy"`
	atUse = `"start":"use"`
)

// stillStarting is the line of an answer that came before the server was ready.
const stillStarting = "still starting, and shown with the tools that they listed last: 'files'; " +
	"the tools can be used now, and the first use waits for the server"

// newListedFiles returns a server whose tools were listed to a host of the era in an earlier run, with a lock or
// without one.
func newListedFiles(e Era, isLocked bool, s script.Script, settings ...string) lazyFiles {
	GinkgoHelper()
	l := lazyFiles{
		PinnedFiles: NewPinnedFiles(s, settings...),
		state:       GinkgoT().TempDir(), gate: filepath.Join(GinkgoT().TempDir(), "gate"),
	}
	if isLocked {
		Expect(l.Run("lock").Code).To(Equal(0))
	}
	host := l.connect(e)
	Expect(host.Open("dev").Connected).To(Equal(1))
	Expect(host.End()).To(Equal(0))
	return l
}

// connect starts a workbench with the state folder and a host of the era.
func (l lazyFiles) connect(e Era) Host {
	GinkgoHelper()
	w := Start(Launch{
		Dir:  l.state,
		Args: []string{"--config", l.Config, "--log-level", "info"},
		Env:  []string{"HOME=" + l.state, "XDG_STATE_HOME=" + l.state, "LocalAppData=" + l.state},
	})
	return Connect(w, e.Modern, `{}`)
}

// startsLate makes the server wait for the gate before it starts, and then play that script.
func (l lazyFiles) startsLate(s script.Script) {
	GinkgoHelper()
	s.Start = append([]script.Step{{AwaitFile: l.gate}}, s.Start...)
	l.ServerIs(s)
}

func (l lazyFiles) opensGate() {
	GinkgoHelper()
	WriteFile(l.gate, "")
}

var _ = Describe("A toolbox whose server is started lazily", func() {
	read := WithDefinitions(DescribedTool("read", "Read."), script.Tool("same"))

	for _, e := range Eras {
		Context("before a host of "+e.Name, func() {
			DescribeTable("opens with the tools of the last list, and its first use waits for the server", Label("S20"), func(isLocked bool) {
				l := newListedFiles(e, isLocked, read, lazy)
				l.startsLate(read)
				host := l.connect(e)

				opened := host.Open("dev")

				Expect(opened.Connected).To(BeZero())
				Expect(opened.Names()).To(Equal([]string{"read", "same"}))
				Expect(opened.Warnings).To(Equal([]string{stillStarting}))
				Expect(opened.Errors).To(BeEmpty())

				used := host.BeginUse("dev", "files", "read", "{}")
				l.opensGate()
				Expect(host.Await(used).Text()).To(Equal("done"))

				again := host.Open("dev")
				Expect(again.Connected).To(Equal(1))
				Expect(again.Warnings).To(BeEmpty())
				Expect(again.Tools).To(Equal(opened.Tools))
			}, Entry("with a lock", true), Entry("without one", false))

			DescribeTable("starts nothing of a server that is started when it is used", Label("S20"), func(isLocked bool) {
				l := newListedFiles(e, isLocked, read, atUse)
				l.startsLate(script.Script{Start: []script.Step{{Exit: 3}}})
				host := l.connect(e)

				opened := host.Open("dev")

				Expect(opened.Connected).To(BeZero())
				Expect(opened.Names()).To(Equal([]string{"read", "same"}))
				Expect(opened.Warnings).To(Equal([]string{"not started before their first use, and shown with the tools that they listed last: 'files'"}))

				l.opensGate()
				failed := host.Use("dev", "files", "read", "{}").Failure()
				Expect(failed).To(HavePrefix("Error executing tool 'read' in server 'files' (toolbox 'dev'): "))
				l.ServerIs(read)
				again := host.Open("dev")
				Expect(again.Connected).To(Equal(1))
				Expect(again.Warnings).To(Equal([]string{"Server 'files': it was shown before it was started, and then could not be started: " +
					strings.TrimPrefix(failed, "Error executing tool 'read' in server 'files' (toolbox 'dev'): ")}))
				Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
			}, Entry("with a lock", true), Entry("without one", false))

			It("starts nothing of a server that lists a tool twice, either", Label("S20"), func() {
				twice := WithDefinitions(DescribedTool("read", "Read."), script.Tool("same"), DescribedTool("read", "Read."))
				l := newListedFiles(e, false, twice, atUse)
				l.startsLate(script.Script{Start: []script.Step{{Exit: 3}}})

				opened := l.connect(e).Open("dev")

				Expect(opened.Connected).To(BeZero())
				Expect(opened.Names()).To(Equal([]string{"read", "same"}))
			})

			DescribeTable("starts such a server when its prompts or resources are used, if it had some", Label("S20"), func(method, params, want string) {
				offering := read
				offering.Capabilities = `{"tools":{},"prompts":{},"resources":{},"completions":{}}`
				offering.Rules = append([]script.Rule{
					{Method: "resources/list", Do: []script.Step{{Result: `{"resources":[{"uri":"file:///a","name":"a"}]}`}}},
					{Method: "resources/templates/list", Do: []script.Step{{Result: `{"resourceTemplates":[{"uriTemplate":"file:///{b}","name":"b"}]}`}}},
					{Method: "resources/read", Do: []script.Step{{Result: `{"contents":[],"heard":"read"}`}}},
					{Method: "prompts/list", Do: []script.Step{{Result: `{"prompts":[{"name":"review"}]}`}}},
					{Method: "prompts/get", Do: []script.Step{{Result: `{"messages":[],"heard":"get"}`}}},
					{Method: "completion/complete", Do: []script.Step{{Result: `{"completion":{"values":["heard"]}}`}}},
				}, read.Rules...)
				host := newListedFiles(e, false, offering, atUse).connect(e)
				Expect(host.Open("dev").Connected).To(BeZero())

				answer := host.Request(method, host.Params(params))

				Expect(string(answer.Result)).To(ContainSubstring(want))
				Expect(host.Open("dev").Connected).To(Equal(1))

				host = newListedFiles(e, false, read, atUse).connect(e)
				Expect(host.Open("dev").Connected).To(BeZero())
				host.Request(method, host.Params(params))
				Expect(host.Open("dev").Connected).To(BeZero(), "it had nothing but tools")
			},
				Entry("resources that are listed", "resources/list", "", `"file:///a"`),
				Entry("templates that are listed", "resources/templates/list", "", `"file:///{b}"`),
				Entry("a resource that is read", "resources/read", `"uri":"file:///a"`, `"heard":"read"`),
				Entry("prompts that are listed", "prompts/list", "", `"dev__files_review"`),
				Entry("a prompt that is fetched", "prompts/get", `"name":"dev__files_review"`, `"heard":"get"`),
				Entry("a template whose variable is completed", "completion/complete",
					`"ref":{"type":"ref/resource","uri":"file:///{b}"},"argument":{"name":"b","value":""}`, `"heard"`),
			)

			DescribeTable("makes no call with a definition that the host was not shown", Label("S20"), func(isLocked bool) {
				l := newListedFiles(e, isLocked, read, lazy)
				l.startsLate(WithDefinitions(DescribedTool("read", "Send.")))
				host := l.connect(e)
				host.Open("dev")

				used, gone := host.BeginUse("dev", "files", "read", "{}"), host.BeginUse("dev", "files", "same", "{}")
				l.opensGate()

				refusal := host.Await(used).Failure()
				Expect(refusal).To(HavePrefix("Tool 'read' in server 'files' (toolbox 'dev') was not called, since its definition is not as it was shown (description)."))
				Expect(refusal).To(ContainSubstring(`"description":"Send."`))
				Expect(host.Await(gone).Failure()).To(HavePrefix("Tool 'same' not found in server 'files' (toolbox 'dev')\nThe server listed it the last time"))
				Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
			}, Entry("with a lock", true), Entry("without one", false))

			It("is opened by several windows at once, and a server that dies at its first use is started again", Label("S20"), func() {
				dying := WithTools("read", "die")
				dying.Rules = []script.Rule{{Method: "tools/call", Tool: "die", Do: []script.Step{{Exit: 1}}}, script.Answer("", script.Text("done"))}
				l := lazyFiles{PinnedFiles: NewPinnedFiles(dying, atUse), state: GinkgoT().TempDir()}
				var hosts []Host
				var openings []string
				for range 3 {
					hosts = append(hosts, l.connect(e))
				}
				for _, host := range hosts {
					openings = append(openings, host.Begin("tools/call", host.Params(`"name":"open_toolbox","arguments":{"toolbox":"dev"}`)))
				}
				for i, host := range hosts {
					Expect(host.Await(openings[i]).Opened().Names()).To(Equal([]string{"read", "die"}), "one can find the list of another")
					Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
					Expect(host.End()).To(Equal(0))
				}

				host := l.connect(e)
				Expect(host.Open("dev").Connected).To(BeZero())
				Expect(host.Use("dev", "files", "die", "{}").Failure()).To(ContainSubstring("files"))
				Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
				Expect(host.Open("dev").Connected).To(Equal(1))
			})
		})
	}
})
