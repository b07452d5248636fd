package approvals_test

import (
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server that is added to the configuration while the workbench runs", func() {
	for _, e := range Eras {
		Context("before a host of "+e.Name, func() {
			It("has the protections of the server with the same program, whatever its name", Label("TP05"), func() {
				protected := Scripted("a", WithTools("wipe", "read"), `"confirm":["wipe"]`, `"toolFilters":["wipe","read"]`)
				started := NewToolbox("b", protected)
				host := ServeReloadable(e, Configuration(started))
				host.Open("b")
				Expect(host.Use("b", "a", "wipe", `{}`).Failure()).To(ContainSubstring(needsYes))

				again := protected
				again.Settings = append([]string{`"env":{"X":"1"}`}, protected.Settings[:len(protected.Settings)-2]...)
				log := host.Reload(Configuration(started, NewToolbox("b2", again)))

				Expect(log).To(ContainSubstring("confirm of server 'a' in toolbox 'b2' (protects less than before)"))
				Expect(host.Open("b2").Warnings).To(ContainElement(
					"the configuration protects less than before (confirm of server 'a' in toolbox 'b2'); that takes effect at the next start of the workbench"))
				Expect(host.Use("b2", "a", "wipe", `{}`).Failure()).To(ContainSubstring(needsYes))
				Expect(host.Use("b2", "a", "read", `{}`).Text()).To(Equal("done"))

				host.Reload(Configuration(NewToolbox("b3", again)))
				Expect(host.Use("b3", "a", "wipe", `{}`).IsFailure()).To(BeTrue(), "the protected one is not there any more, and not forgotten")
				Expect(protected.CallsOf("wipe")).To(BeEmpty())
			})

			DescribeTable("is not started if new servers are not allowed", func(policy string) {
				mark := filepath.Join(GinkgoT().TempDir(), "ran")
				started := InDev(Scripted("a", WithTools("read")))
				host := ServeReloadable(e, WithRoot(Configuration(started), policy))

				runs := Program("e", "sh", `"args":["-c",`+Quote("echo ran >'"+mark+"'")+`]`)
				host.Reload(WithRoot(Configuration(started, NewToolbox("b2", runs)), policy))

				opened := host.Request("tools/call", host.Params(`"name":"open_toolbox","arguments":{"toolbox":"b2"}`)).Failure()
				Expect(opened).To(ContainSubstring("server 'e' in toolbox 'b2': it was added while the workbench runs, or its " +
					"program or address changed, and the configuration allows nothing new before the next start of the workbench"))
				host.Use("b2", "e", "read", `{}`)
				Expect(mark).NotTo(BeAnExistingFile())
			},
				Entry("with pinning block", Label("TP06"), `"pinning":"block"`),
				Entry("with packages locked", Label("TP06"), `"packages":"locked"`),
			)
		})
	}
})
