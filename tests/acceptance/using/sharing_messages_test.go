package using_test

import (
	"os"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

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

// awaitLogged returns the levels of the log messages that a host got, once it got that many.
func awaitLogged(host Host, count int) []string {
	GinkgoHelper()
	host.AwaitSent("notifications/message", count)
	return logged(host)
}

var _ = Describe("A message of a server that hosts share", Label("M10"), func() {
	BetweenHosts(func(first, other Era) {
		It("reaches the hosts that subscribed to it, until the last one unsubscribes", func() {
			server := Scripted("a", shelf("a"), Shared)
			a, b := sharing(first, other, server)
			endOfA := followResource(a, "a://own")
			Eventually(server.ReceivedWith).WithArguments("resources/subscribe").WithTimeout(Patience).Should(HaveLen(1))
			a.Use("dev", "a", "touch", "{}")
			a.AwaitSent(updates, 1)
			Expect(b.Sent(updates)).To(BeEmpty())

			endOfB := followResource(b, "a://own")
			endOfA()
			Eventually(func() int {
				b.Use("dev", "a", "touch", "{}")
				return len(b.Sent(updates))
			}).WithTimeout(Patience).Should(BeNumerically(">", 0))
			Expect(server.ReceivedWith("resources/unsubscribe")).To(BeEmpty())
			Expect(server.ReceivedWith("resources/subscribe")).To(HaveLen(1))
			endOfB()
			Eventually(server.ReceivedWith).WithArguments("resources/unsubscribe").WithTimeout(Patience).Should(HaveLen(1))
			Expect(a.Sent(updates)).To(HaveLen(1))
		})

		It("creates tasks that belong to one host, whatever the other asks", func() {
			server := Older.Server(MakingTasks("files", "t"), Shared)
			a, b := sharing(first, other, server)
			beginTask(a, "files")
			for _, method := range []string{"tasks/get", "tasks/result", "tasks/cancel"} {
				Expect(b.Request(method, b.Params(`"taskId":"t"`)).Code()).To(Equal(-32602))
			}
			Expect(string(a.Request("tasks/get", a.Params(`"taskId":"t"`)).Result)).To(ContainSubstring(`"by":"files"`))
			Expect(server.ReceivedWith("tasks/get")).To(HaveLen(1))
			Expect(b.Sent("notifications/tasks/status")).To(BeEmpty())
		})
	})

	for _, ofServer := range Eras {
		It("is logged for each host at its own level, by a server of "+ofServer.Name, func() {
			server := ofServer.Server(logging(), Shared)
			a, b := sharing(Older, Older, server)
			a.Request("logging/setLevel", `{"level":"critical"}`)
			b.Request("logging/setLevel", `{"level":"warning"}`)

			a.Use("dev", "files", "log", "{}")

			Expect(awaitLogged(b, 5)).To(Equal([]string{"warning", "error", "critical", "alert", "emergency"}))
			Expect(awaitLogged(a, 3)).To(Equal([]string{"critical", "alert", "emergency"}))
		})
	}

	It("is logged for one host at its level even if another wants less, or leaves", func() {
		server := Older.Server(logging(), Shared)
		a, b := sharing(Older, Older, server)
		messages := func() []string {
			var levels []string
			for _, line := range server.ReceivedWith("logging/setLevel") {
				levels = append(levels, line[len(`{"jsonrpc":"2.0","id":`):])
			}
			return levels
		}
		a.Request("logging/setLevel", `{"level":"error"}`)
		Eventually(messages).WithTimeout(Patience).Should(ConsistOf(ContainSubstring(`"debug"`)), "b never said which it wants")
		b.Request("logging/setLevel", `{"level":"info"}`)
		Eventually(messages).WithTimeout(Patience).Should(HaveExactElements(ContainSubstring(`"debug"`), ContainSubstring(`"info"`)))

		b.CloseInput()

		Eventually(messages).WithTimeout(Patience).Should(HaveLen(3))
		Expect(messages()[2]).To(ContainSubstring(`"error"`))
	})

	It("announces changed tools to all hosts", func() {
		s := WithTools("change", "read")
		s.Capabilities = `{"tools":{"listChanged":true}}`
		s.Rules = []script.Rule{{Method: "tools/call", Tool: "change", Do: []script.Step{
			{SetTools: []string{script.Tool("new")}},
			{Line: `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`},
			{Result: script.Text("done")},
		}}}
		server := Older.Server(s, Shared)
		a, b := sharing(Older, Modern, server)

		a.Use("dev", "files", "change", "{}")

		for _, host := range []Host{a, b} {
			Eventually(func() []string { return host.Open("dev").Names() }).WithTimeout(Patience).Should(Equal([]string{"new"}))
		}
		Expect(server.Starts()).To(Equal(1))
	})

	It("belongs to one toolbox: a server with that name in another one is a separate process", func() {
		first, other := Scripted("files", speaking(""), Shared), Scripted("files", speaking(""), Shared)
		w := Start(Launch{Config: Configuration(InDev(first), NewToolbox("ops", other))})
		host := Connect(w, false, "{}")
		host.Open("dev")
		host.Open("ops")
		Expect(first.Starts() + other.Starts()).To(Equal(2))
	})
})

var _ = Describe("A reload that changes a server that hosts share", func() {
	It("starts it once with new settings, while calls with the old ones can still be pending", func() {
		gate := filepath.Join(GinkgoT().TempDir(), "gate")
		server := Older.Server(speaking(gate), Shared)
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
		server := Older.Server(speaking(""))
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
