package opening_test

import (
	"os"
	"path/filepath"
	"strings"

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

	It("retries a server that failed, and does not change the others", func() {
		late := filepath.Join(GinkgoT().TempDir(), ProgramName("late"))
		good := Scripted("good", WithTools("read"))
		bad := Scripted("bad", WithTools("write"))
		bad.Settings[0] = `"command":` + Quote(late)
		w := Serve(InDev(bad, good))

		first := w.Open("dev")
		Expect(first.Errors).To(Equal([]string{
			"Failed to connect to server 'bad' in toolbox 'dev': command '" + late + "' does not exist",
		}))
		Expect(first.Names()).To(Equal([]string{"read"}))

		PlaceScriptedServer(late)
		again := w.Open("dev")
		Expect(again.Errors).To(BeEmpty())
		Expect(again.Names()).To(Equal([]string{"write", "read"}))
		Expect(good.Starts()).To(Equal(1))
	})

	It("restarts a server that died", func() {
		s := WithTools("die")
		s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{{Exit: 3}}}}
		server := Scripted("mortal", s)
		w := Serve(InDev(server))
		w.Open("dev")
		w.Use("dev", "mortal", "die", "{}").Failure()

		Expect(w.Open("dev").Names()).To(Equal([]string{"die"}))
		Expect(server.Starts()).To(Equal(2))
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

	It("continues an attempt whose host gave up", func() {
		directory := GinkgoT().TempDir()
		started, gate := filepath.Join(directory, "started"), filepath.Join(directory, "gate")
		s := WithTools("read")
		s.Start = []script.Step{{Touch: started}, {AwaitFile: gate}}
		server := Scripted("slow", s)
		w := Serve(InDev(server))

		id := w.BeginCall("open_toolbox", `{"toolbox":"dev"}`)
		Eventually(started).WithTimeout(Patience).Should(BeARegularFile())
		w.Notify("notifications/cancelled", `{"requestId":`+id+`}`)
		w.Request("ping", "{}") // by its answer the cancel was read
		Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())

		Expect(w.Open("dev").Names()).To(Equal([]string{"read"}))
		Expect(server.Starts()).To(Equal(1))
		Expect(w.Answers(id)).To(BeEmpty())
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

	It("keeps an opened toolbox open", func() {
		w := Serve(
			InDev(Scripted("files", WithTools("read"))),
			NewToolbox("ops", Scripted("deploy", WithTools("run"))))
		w.Open("dev")
		w.Open("ops")

		Expect(w.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
		Expect(w.Use("ops", "deploy", "run", "{}").Text()).To(Equal("done"))
		Expect(strings.Count(w.Open("dev").JSON, `"name"`)).To(Equal(1))
	})
})
