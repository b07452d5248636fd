package opening_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Opening a toolbox again", func() {
	It("returns the same answer without a new process or connection", func() {
		server := Scripted("files", WithTools("read"))
		w := Serve(InDev(server))
		first := w.Open("dev")
		heard := server.Received()

		again := w.Open("dev")

		Expect(again.JSON).To(Equal(first.JSON))
		Expect(server.Received()).To(Equal(heard))
		Expect(w.Servers()).To(HaveLen(1))
	})

	It("makes one attempt for all requests that open it at the same time", Label("C01"), func() {
		gate := filepath.Join(GinkgoT().TempDir(), "gate")
		s := WithTools("read")
		s.Start = []script.Step{{AwaitFile: gate}}
		server := Scripted("slow", s)
		w := Serve(InDev(server))

		var ids []string
		for range 50 {
			ids = append(ids, w.BeginCall("open_toolbox", `{"toolbox":"dev"}`))
		}
		w.Request("ping", "{}") // by now all fifty are under way
		Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())

		first := w.Await(ids[0]).Text()
		for _, id := range ids {
			Expect(w.Await(id).Text()).To(Equal(first))
		}
		Expect(server.Starts()).To(Equal(1))
		Expect(w.Servers()).To(HaveLen(1))
	})

	It("has a process for each toolbox with a server of the same name", Label("S15"), func() {
		s := WithTools("pid")
		s.Rules = []script.Rule{script.Answer("pid", script.Text("${pid}"))}
		server := Scripted("files", s)
		w := Serve(NewToolbox("one", server), NewToolbox("two", server))
		w.Open("one")
		w.Open("two")

		pid := func(toolbox string) string { return w.Use(toolbox, "files", "pid", "{}").Text() }
		one, two := pid("one"), pid("two")

		Expect(one).NotTo(Equal(two))
		Expect(pid("one")).To(Equal(one))
		Expect(pid("two")).To(Equal(two))
		Expect(server.Starts()).To(Equal(2))
	})
})
