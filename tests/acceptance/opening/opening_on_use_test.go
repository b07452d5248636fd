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
})
