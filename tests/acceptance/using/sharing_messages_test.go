package using_test

import (
	"os"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

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

var _ = Describe("A message of a server that hosts share", Label("M10"), func() {
})

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
