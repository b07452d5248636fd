package using_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

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
