package faults_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Stopping the workbench", func() {
	// endings are the ways to end a workbench.
	endings := []TableEntry{
		Entry("when its input ends", func(w *Workbench) { w.CloseInput() }),
		Entry("on SIGTERM", func(w *Workbench) { w.Signal(syscall.SIGTERM) }),
		Entry("on SIGINT", func(w *Workbench) { w.Signal(syscall.SIGINT) }),
		Entry("on SIGHUP", func(w *Workbench) {
			SkipOverHTTP("it reloads the configuration there")
			w.Signal(syscall.SIGHUP)
		}),
	}
	BeforeEach(func() {
		if runtime.GOOS == "windows" {
			Skip("Windows has no signals and no groups of processes")
		}
	})
	// stubborn returns a server with descendants that ends on nothing but SIGKILL.
	stubborn := func() script.Script {
		s := WithTools("read")
		s.IgnoreTerm = true
		s.Start = []script.Step{{Spawn: "stubborn"}, {Spawn: "sleep"}}
		s.End = []script.Step{{Hang: true}}
		return s
	}
	// expectEnd does not look at the clock, since a busy machine takes its time: the specs of
	// application and of its wiring check the limit.
	expectEnd := func(w *Workbench) {
		GinkgoHelper()
		Eventually(w.Ended()).WithTimeout(Patience).Should(BeClosed())
		Expect(w.ExitCode()).To(Equal(0))
		Expect(w.Servers()).To(BeEmpty())
	}

	DescribeTable("ends its servers, which may do something at the end of their input", Label("L03"), func(end func(*Workbench)) {
		directory := GinkgoT().TempDir()
		var servers []Server
		var farewells []string
		for i := range 3 {
			farewell := filepath.Join(directory, strconv.Itoa(i))
			s := WithTools("read")
			s.End = []script.Step{{Touch: farewell}}
			farewells = append(farewells, farewell)
			servers = append(servers, Scripted(fmt.Sprint("s", i), s))
		}
		w := Serve(InDev(servers...))
		w.Open("dev")
		Expect(w.Servers()).To(HaveLen(3))

		end(w)

		expectEnd(w)
		for _, farewell := range farewells {
			Expect(farewell).To(BeARegularFile())
		}
	}, endings)

	DescribeTable("ends servers that do not want to, with all their descendants", Label("L02"), func(end func(*Workbench)) {
		w := Serve(InDev(
			Scripted("stubborn", stubborn(), `"limits": {"shutdown": "1s"}`),
			Scripted("good", WithTools("read"))))
		w.Open("dev")
		Expect(w.Servers()).To(HaveLen(4))

		end(w)

		expectEnd(w)
	}, endings)

	DescribeTable("ends processes that servers leave behind", Label("L02"), func(kind string) {
		s := WithTools("read")
		s.Start = []script.Step{{Spawn: kind}}
		w := Serve(InDev(Scripted("launcher", s, `"limits": {"shutdown": "2s"}`)))
		w.Open("dev")
		Expect(w.Servers()).To(HaveLen(2))

		w.CloseInput()

		expectEnd(w)
	},
		Entry("if they end on SIGTERM", "sleep"),
		Entry("if they do not", "stubborn"),
	)

	Context("with calls in flight", func() {
		It("tells the host about answers that do not come", Label("L03"), func() {
			s := WithTools("hang")
			s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{{Hang: true}}}}
			server := Scripted("files", s, `"limits": {"shutdown": "500ms"}`)
			w := Serve(InDev(server))
			w.Open("dev")
			id := w.BeginUse("dev", "files", "hang", "{}")
			server.AwaitCallsOf("hang", 1)

			w.CloseInput()

			expectEnd(w)
			Expect(w.Await(id).Failure()).To(Equal(
				"Error executing tool 'hang' in server 'files' (toolbox 'dev'): the workbench is shutting down"))
		})
	})

	Context("on a second signal", func() {
		It("stops waiting for servers", Label("L05"), func() {
			directory := GinkgoT().TempDir()
			names := []string{"a", "b", "c"}
			var servers []Server
			for _, name := range names {
				s := stubborn()
				s.End = []script.Step{{Touch: filepath.Join(directory, name)}, {Hang: true}}
				// With the configured limit it would end only after the spec.
				servers = append(servers, Scripted(name, s, `"limits": {"shutdown": "10s"}`))
			}
			w := Serve(InDev(servers...))
			w.Open("dev")

			w.Signal(syscall.SIGTERM)
			for _, name := range names {
				heard := filepath.Join(directory, name)
				Eventually(heard).WithTimeout(Patience).Should(BeARegularFile())
			}
			w.Signal(syscall.SIGTERM)

			expectEnd(w)
		})
	})

	It("gives servers their time when the host sends one signal after the other", Label("L05"), func() {
		directory := GinkgoT().TempDir()
		heard, saved := filepath.Join(directory, "heard"), filepath.Join(directory, "saved")
		s := WithTools("read")
		s.IgnoreTerm = true
		s.End = []script.Step{{Touch: heard}, {AwaitFile: filepath.Join(directory, "go on")}, {Touch: saved}}
		w := Serve(InDev(Scripted("slow", s, `"limits": {"shutdown": "10s"}`)))
		w.Open("dev")

		w.Signal(syscall.SIGINT)
		w.Signal(syscall.SIGTERM)
		Eventually(heard).WithTimeout(Patience).Should(BeARegularFile())
		WriteFile(filepath.Join(directory, "go on"), "")

		expectEnd(w)
		Expect(saved).To(BeARegularFile())
	})

	It("ends when the host closed the pipe that it reads", func() {
		SkipOverHTTP("there is no pipe, and a host that is gone ends nothing but its requests")
		w := Serve(InDev(Scripted("files", WithTools("read"))))
		w.Open("dev")

		w.StopReading()
		w.Begin("ping", "{}")

		expectEnd(w)
	})

	It("leaves no process when the input ends while toolboxes are being opened", Label("C06"), func() {
		var toolboxes []Toolbox
		for i := range 10 {
			toolboxes = append(toolboxes, NewToolbox(fmt.Sprint("t", i), Scripted("s", WithTools("t"))))
		}
		w := Serve(toolboxes...)

		for _, toolbox := range toolboxes {
			w.BeginCall("open_toolbox", `{"toolbox":"`+toolbox.Name+`"}`)
		}
		w.CloseInput()

		expectEnd(w)
	})
})
