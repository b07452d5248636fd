package using_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

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

				It("is started when one of them uses it, if that is configured", Label("S20"), func() {
					server := ofServer.Server(waitingScript(gate), Shared, `"start":"use"`)
					state := GinkgoT().TempDir()
					config := filepath.Join(state, "c.json")
					WriteFile(config, Configuration(InDev(server)))
					run := Launch{Args: []string{"--config", config}, Dir: state, Env: []string{"XDG_STATE_HOME=" + state, "LocalAppData=" + state}}
					a, _ := ShareServers(run, one, other)
					Expect(a.End()).To(Equal(0))
					before := server.Starts()

					a, b := ShareServers(run, one, other)

					Expect(server.Starts()).To(Equal(before))
					Expect(processOf(a)).To(Equal(processOf(b)))
					Expect(server.Starts()).To(Equal(before + 1))
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

// taskAndResourceScript returns an echoScript that also makes tasks, and has a resource that its tool
// touch changes.
func taskAndResourceScript(gate string) script.Script {
	s := waitingScript(gate)
	s.Capabilities = `{"tools":{},"resources":{"subscribe":true},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}`
	s.Tools = append(s.Tools, script.Tool("touch"), `{"name":"build","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`)
	updated := script.Step{Line: `{"jsonrpc":"2.0","method":"` + updates + `","params":{"uri":"a://own"}}`}
	s.Rules = append([]script.Rule{
		{Method: "tools/call", Tool: "touch", Do: []script.Step{updated, {Result: script.Text("done")}}},
		script.Answer("build", `{"task":{"taskId":"t","status":"working","ttl":60000}}`),
		{Method: "tasks/get", Do: []script.Step{{Result: `{"taskId":"t","status":"working"}`}}},
		{Method: "resources/list", Do: []script.Step{{Result: `{"resources":[{"uri":"a://own","name":"own"}]}`}}},
		{Method: "resources/read", Do: []script.Step{{Result: `{"contents":[{"uri":"a://own","text":"mine"}]}`}}},
		{Method: "resources/subscribe", Do: []script.Step{{Result: `{}`}}},
		{Method: "resources/unsubscribe", Do: []script.Step{{Result: `{}`}}},
	}, s.Rules...)
	return s
}

var _ = Describe("A server that hosts with different tokens share", Label("M10"), func() {
	const (
		ofOne, ofOther, ofOutsider = "token-of-one-that-is-long", "token-of-another-that-is-long", "token-of-an-outsider-that-is-long"

		tokens = `{"tokens": {
			"one": {"value": "` + ofOne + `", "toolboxes": ["dev"]},
			"other": {"value": "` + ofOther + `", "toolboxes": ["*"]},
			"outsider": {"value": "` + ofOutsider + `", "toolboxes": ["ops"]}
		}}`
	)
	// hosts are equal in everything but their tokens.
	listen := func(server Server) *Workbench {
		GinkgoHelper()
		ops := NewToolbox("ops", Scripted("other", WithTools("read")))
		return Listen(Launch{Config: WithHTTP(tokens, InDev(server), ops)})
	}

	for _, e := range Eras {
		It("does not exist for a host of "+e.Name+" whose token does not see its toolbox", func() {
			server := Older.Server(taskAndResourceScript(""), Shared)
			w := listen(server)
			a, outsider := Connect(w.AnotherHostWith(ofOne), e.Modern, "{}"), Connect(w.AnotherHostWith(ofOutsider), e.Modern, "{}")
			a.Open("dev")
			beginTask(a, "files")
			before := len(server.Received())

			open := outsider.Request("tools/call", outsider.Params(`"name":"open_toolbox","arguments":{"toolbox":"dev"}`))
			Expect(open.Failure()).To(ContainSubstring("not found"))
			Expect(outsider.Use("dev", "files", "echo", "{}").Failure()).NotTo(ContainSubstring("got"))
			Expect(outsider.Request("tasks/get", outsider.Params(`"taskId":"t"`)).Code()).To(Equal(-32602))
			Expect(outsider.Request("resources/list", outsider.Params("")).Line).NotTo(ContainSubstring("a://own"))
			Expect(outsider.Request("resources/read", outsider.Params(`"uri":"a://own"`)).Line).NotTo(ContainSubstring("mine"))
			Expect(outsider.Request("tools/list", outsider.Params("")).Line).To(ContainSubstring(`"enum":["ops"]`))
			Expect(outsider.Open("ops").Names()).To(Equal([]string{"read"}))

			Expect(server.Received()).To(HaveLen(before))
		})
	}
})

var _ = Describe("A server that hosts share and do not use", Label("M10"), func() {
	const left = "stopping the server, since it was not used for a while"
	for _, ofServer := range Eras {
		Context("which speaks "+ofServer.Name, func() {
			BetweenHosts(func(first, other Era) {
				It("is released by an idle host, continues for another, and stops until the next use when all are idle", func() {
					gate := filepath.Join(GinkgoT().TempDir(), "gate")
					server := ofServer.Server(waitingScript(gate), Shared, `"idleTimeout": "100ms"`)
					a, b := ShareServers(Launch{Config: Configuration(InDev(server)), Args: []string{"--log-level", "info"}}, first, other)
					departures := func() int { return strings.Count(a.Stderr(), left) }
					hanging := b.BeginUse("dev", "files", "wait", `{"of":"b"}`, `"progressToken":"p"`)
					b.AwaitSent("notifications/progress", 1)
					process := processOf(b)

					before := departures() // from here on, only the other host can be idle
					processOf(a)
					Eventually(departures).WithTimeout(Patience).Should(BeNumerically(">", before), "the host that is idle leaves")
					Expect(processOf(b)).To(Equal(process))
					Expect(processOf(a)).To(Equal(process), "it comes back to the same process")

					Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())
					Expect(string(b.Await(hanging).Result)).To(ContainSubstring(`"got":{"of":"b"}`))
					Eventually(a.Servers).WithTimeout(Patience).Should(BeEmpty())
					Expect(processOf(a)).NotTo(Equal(process))
				})
			})
		})
	}
})

const updates = "notifications/resources/updated"

// followResource subscribes to a resource in the way of the host's era. It returns a function that ends it.
func followResource(host Host, uri string) (end func()) {
	GinkgoHelper()
	if !host.Modern {
		Expect(string(host.Request("resources/subscribe", `{"uri":"`+uri+`"}`).Result)).To(Equal("{}"))
		return func() {
			GinkgoHelper()
			Expect(string(host.Request("resources/unsubscribe", `{"uri":"`+uri+`"}`).Result)).To(Equal("{}"))
		}
	}
	id := host.Begin("subscriptions/listen", host.Params(`"notifications":{"resourceSubscriptions":["`+uri+`"]}`))
	host.AwaitSent("notifications/subscriptions/acknowledged", 1)
	return func() { host.Cancel(id) }
}

var _ = Describe("A reload that changes a server that hosts share", func() {
	It("starts it once with new settings, while calls with the old ones can still be pending", func() {
		gate := filepath.Join(GinkgoT().TempDir(), "gate")
		server := Older.Server(waitingScript(gate), Shared)
		first := reloadingHosts(InDev(server))
		a, b := first.Host, Connect(first.AnotherHost(), true, "{}")
		a.Open("dev")
		b.Open("dev")
		hanging := a.BeginUse("dev", "files", "wait", `{"of":"a"}`, `"progressToken":"p"`)
		a.AwaitSent("notifications/progress", 1)

		changed := server
		changed.Settings = append(append([]string{}, server.Settings...), `"env": {"A": "1"}`)
		first.Reload(Configuration(InDev(changed)))

		Expect(processOf(b)).To(Equal(processOf(b)))
		Expect(server.Starts()).To(Equal(2))
		Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())
		Expect(string(a.Await(hanging).Result)).To(ContainSubstring(`"got":{"of":"a"}`))
		Expect(processOf(a)).To(Equal(processOf(b)))
		Expect(server.Starts()).To(Equal(2))
	})

	It("begins to share a server only at the next start, and separates one at once", func() {
		server := Older.Server(waitingScript(""))
		apart := InDev(server)
		server.Settings = append(append([]string{}, server.Settings...), Shared)
		together := InDev(server)
		host := reloadingHosts(apart)
		host.Open("dev")

		Expect(host.Reload(Configuration(together))).To(ContainSubstring(
			"from the next start of the workbench: shared of server 'files' in toolbox 'dev' (protects less than before)"))
		Expect(server.Starts()).To(Equal(1))

		other := reloadingHosts(together)
		other.Open("dev")
		Expect(other.Reload(Configuration(apart))).NotTo(ContainSubstring("from the next start"))
		other.Use("dev", "files", "echo", "{}")
		Expect(server.ReceivedWith("initialize")).To(HaveLen(3))
	})
})

// reloadingHosts starts a workbench over HTTP whose configuration changes while it runs.
func reloadingHosts(toolbox Toolbox) *Reloading {
	GinkgoHelper()
	if runtime.GOOS == "windows" {
		Skip("Windows has no SIGUSR1")
	}
	path := filepath.Join(GinkgoT().TempDir(), "workbench-config.json")
	WriteFile(path, Configuration(toolbox))
	w := Listen(Launch{Args: []string{"--config", path, "--log-level", "info"}})
	r := &Reloading{Host: Connect(w, false, `{}`), Path: path}
	r.Request("tools/list", r.Params("")) // the workbench handles signals from now on
	return r
}

var _ = Describe("A server that a host on standard input shares with one over HTTP", Label("M10"), func() {
	BetweenHosts(func(local, remote Era) {
		It("is one process, which the end of standard input does not end", func() {
			gate := filepath.Join(GinkgoT().TempDir(), "gate")
			server := Older.Server(taskAndResourceScript(gate), Shared)
			w := ListenToo(Launch{Config: Configuration(InDev(server))})
			a, b := Connect(w, local.Modern, "{}"), Connect(w.AnotherHost(), remote.Modern, "{}")
			a.Open("dev")
			b.Open("dev")
			process := processOf(a)
			Expect(processOf(b)).To(Equal(process))
			followResource(a, "a://own")
			Eventually(server.ReceivedWith).WithArguments("resources/subscribe").WithTimeout(Patience).Should(HaveLen(1))
			hanging := b.BeginUse("dev", "files", "wait", `{"of":"b"}`, `"progressToken":"p"`)
			b.AwaitSent("notifications/progress", 1)

			a.CloseInput()

			Eventually(server.ReceivedWith).WithArguments("resources/unsubscribe").WithTimeout(Patience).Should(HaveLen(1), "all of the host ends")
			Expect(processOf(b)).To(Equal(process))
			Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())
			Expect(string(b.Await(hanging).Result)).To(ContainSubstring(`"got":{"of":"b"}`))
			Expect(server.Starts()).To(Equal(1))
			w.Signal(syscall.SIGTERM)
			Expect(w.ExitCode()).To(Equal(0))
		})
	})
})

// methodsSaid returns the methods of the requests and notifications that a host got.
func methodsSaid(host Host) (methods []string) {
	for _, m := range host.Received() {
		if m.Method != "" {
			methods = append(methods, m.Method)
		}
	}
	return methods
}

var _ = Describe("A question of a server that hosts share", Label("M10"), func() {
	questions := []struct{ name, method, params string }{
		{"roots", "roots/list", ""},
		{"a sample", "sampling/createMessage", SamplingParams},
		{"a form", "elicitation/create", FormParams},
		{"a page to visit", "elicitation/create", PageParams},
		{"something new", "vendor/new", `{}`},
	}
	for _, e := range Eras {
		for _, asks := range questions {
			It("is answered with an error, and reaches no host, when a server of "+e.Name+" asks for "+asks.name, func() {
				server := e.Server(Asking(asks.method, asks.params), Shared)
				a, b := twoHosts(Older, Modern, server)

				for _, host := range []Host{a, b} {
					heard := string(host.Use("dev", "files", "ask", "{}").Result)
					Expect(heard).To(ContainSubstring(`"heard":{"error":{"code":-32601,"message":"several hosts share this server, and none of them answers ` + asks.method + `"`))
				}

				Expect(methodsSaid(a)).To(BeEmpty())
				Expect(methodsSaid(b)).To(BeEmpty())
			})
		}
	}

	BetweenHosts(func(first, other Era) {
		It("reaches only the host that made the call when a server of 2026-07-28 answers with a question", func() {
			server := Modern.Server(RequiringInput(1), Shared)
			a, b := twoHosts(first, other, server)

			id := a.BeginUse("dev", "files", "ask", `{"a":1.0}`)
			if first.Modern {
				state := RequiredInputOf(a.Await(id)).State
				stolen := b.Await(continueCall(b, "files", "ask", state, `{"who":{"action":"decline"},"where":{"roots":[]}}`))
				Expect(stolen.Line).NotTo(ContainSubstring("heard"))
				Expect(server.ReceivedWith("tools/call")).To(HaveLen(1))
				id = continueCall(a, "files", "ask", state, `{"who":{"action":"decline"},"where":{"roots":[]}}`)
			} else {
				a.Reply(a.AwaitSent("roots/list", 1), `{"roots":[]}`)
				a.Reply(a.AwaitSent("elicitation/create", 1), `{"action":"decline"}`)
			}

			Expect(string(a.Await(id).Result)).To(ContainSubstring(`"action":"decline"`))
			Expect(methodsSaid(b)).To(BeEmpty())
			Expect(server.ReceivedWith("tools/call")).To(HaveLen(2))
		})
	})
})
