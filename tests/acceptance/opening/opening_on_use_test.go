package opening_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"

	"mcp-workbench/tests/fixtures/script"
)

var _ = Describe("Using a tool of a toolbox that is not open", func() {
	answering := func() Server {
		GinkgoHelper()
		s := WithTools("read", "write")
		s.Rules = []script.Rule{script.Answer("read", script.Text("what was read"))}
		return Scripted("files", s)
	}

	It("opens the toolbox if the configuration says so", func() {
		server := answering()
		w := Start(Launch{Config: Configuration(InDev(server)), Env: []string{"WORKBENCH_OPEN_ON_USE=true"}})

		Expect(w.Use("dev", "files", "read", `{"a":1}`).Text()).To(Equal("what was read"))
		Expect(w.Use("dev", "files", "read", `{"a":2}`).Text()).To(Equal("what was read"))
		Expect(server.Starts()).To(Equal(1))
		Expect(server.ReceivedWith("tools/call")).To(HaveExactElements(ContainSubstring(`{"a":1}`), ContainSubstring(`{"a":2}`)))
	})

	It("still refuses names that do not exist", func() {
		w := Start(Launch{Config: `{"openOnUse": true, ` + Configuration(InDev(answering(), Program("gone", "/nowhere/at-all")))[1:]})

		Expect(w.Use("nowhere", "files", "read", "{}").Failure()).To(HavePrefix("Error: Toolbox 'nowhere' not found."))
		Expect(w.Use("dev", "files", "delete", "{}").Failure()).To(HavePrefix("Tool 'delete' not found in server 'files' (toolbox 'dev')"))
		Expect(w.Use("dev", "gone", "read", "{}").Failure()).To(HavePrefix("Error executing tool 'read' in server 'gone' (toolbox 'dev'): "))
	})

	It("is refused if the configuration does not say so", func() {
		server := answering()

		Expect(Serve(InDev(server)).Use("dev", "files", "read", "{}").Failure()).To(
			Equal("Error: Toolbox 'dev' is not open. Call open_toolbox first." +
				"\nIf it was opened before, the host begins a new session for each call; the user can set \"openOnUse\": true in the configuration."))
		Expect(server.Starts()).To(Equal(0))
	})
})
