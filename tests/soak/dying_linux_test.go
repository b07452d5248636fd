package soak_test

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// mortal returns an echoing server whose tool "die" ends it.
func mortal(death ...script.Step) script.Script {
	s := echo()
	s.Tools = append(s.Tools, script.Tool("die"))
	s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Tool: "die", Do: death})
	return s
}

var _ = Describe("Servers that die often", Label("soak", "R01"), func() {
	It("leave nothing behind in the workbench", func() {
		deaths := []script.Script{
			mortal(script.Step{Stderr: "out of luck"}, script.Step{Exit: 3}),
			mortal(script.Step{Kill: 9}),
			mortal(script.Step{Spawn: "sleep"}, script.Step{Exit: script.ExitZero}),
			mortal(script.Step{CloseOutput: true}),
		}
		var servers []Server
		for n := range amount(8, 100) {
			servers = append(servers, scripted(fmt.Sprint("s", n), deaths[n%len(deaths)]))
		}
		// After the fifth death of one server it would not be started for a minute.
		wear{
			servers: servers, warmUp: 1, amount: amount(1, 3),
			work: func(w *Workbench, amount int) {
				together(len(servers), func(worker int) {
					for range amount {
						dieAndRecover(w, servers[worker].Name)
					}
				})
				Eventually(w.Servers).WithTimeout(Patience).Should(HaveLen(len(servers)))
			},
		}.expectNothingLeft()
	})
})

// dieAndRecover lets a server die and uses it until it is started again after a
// pause.
func dieAndRecover(w *Workbench, server string) {
	GinkgoHelper()
	answer, err := w.UseExchange("dev", server, "die", "{}")
	Expect(err).NotTo(HaveOccurred())
	Expect(answer.Failure()).To(HavePrefix("Error executing tool 'die' in server '" + server + "' (toolbox 'dev'): the server "))
	Eventually(func() (string, error) {
		answer, err := w.UseExchange("dev", server, "echo", "{}")
		return string(answer.Result), err
	}).WithTimeout(Patience).WithPolling(50 * time.Millisecond).Should(HavePrefix(`{"content":[],"heard":{},`))
}
