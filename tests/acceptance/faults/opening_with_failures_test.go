package faults_test

import (
	"os"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Opening a toolbox with servers that fail", func() {
	const failed = "Failed to connect to server 'bad' in toolbox 'dev': "
	silent := script.Script{Rules: []script.Rule{{Method: "initialize", Do: []script.Step{{Stderr: "busy"}}}}}

	killed := "the server ended by signal 9 (killed)"
	if runtime.GOOS == "windows" { // Windows has no signals
		killed = "the server ended with exit code 137"
	}

	DescribeTable("names each with its reason beside the tools of the rest", func(bad func() Server, reason string) {
		w := Serve(InDev(bad(), Scripted("good", WithTools("read"))))

		opened := w.Open("dev")

		Expect(opened.JSON).To(Equal(`{"toolbox":"dev","description":"","servers_connected":1,"tools":[` +
			Listed("read", "good", "dev") + "\n" + `],"_errors":[` + Quote(failed+reason) + `]}`))
		Expect(w.Use("dev", "good", "read", "{}").Text()).To(Equal("done"))
		Expect(w.Servers()).To(HaveLen(1))
	},
		Entry("a program that does not exist", Label("L12"), func() Server {
			return Program("bad", "/nowhere/at-all")
		}, "command '/nowhere/at-all' does not exist"),
		Entry("a misspelt launcher", func() Server { return Program("bad", "npxx") }, "command 'npxx' not found in PATH; did you mean 'npx'?"),
		Entry("a program that is a directory", Label("L12"), func() Server {
			return Program("bad", "/")
		}, "command '/' is a directory"),
		Entry("a program that is not executable", Label("L12"), func() Server {
			if runtime.GOOS == "windows" {
				Skip("Windows has no modes that make files executable")
			}
			return Program("bad", "/etc/passwd")
		}, "command '/etc/passwd' is not executable"),
		Entry("a working directory that does not exist", func() Server {
			return Program("bad", "/bin/sh", `"cwd": "/nowhere"`)
		}, "its working directory '/nowhere' does not exist"),
		Entry("a program that ends at once, with its last words", Label("L12"), func() Server {
			return Scripted("bad", script.Script{Start: []script.Step{
				{Stderr: "no licence"}, {Stderr: "giving up"}, {Exit: 3},
			}})
		}, "the server ended with exit code 3; the end of its stderr: no licence | giving up"),
		Entry("a program that is killed", func() Server {
			return Scripted("bad", script.Script{Start: []script.Step{{Kill: 9}}})
		}, killed),
		Entry("a server that refuses the handshake", func() Server {
			return Scripted("bad", script.Script{Rules: []script.Rule{
				{Method: "initialize", Do: []script.Step{{Error: `{"code":-32000,"message":"no seats left"}`}}},
			}})
		}, "the server refused the handshake: no seats left (code -32000)"),
		Entry("a server that cannot list its tools", func() Server {
			return Scripted("bad", script.Script{Rules: []script.Rule{
				{Method: "tools/list", Do: []script.Step{{Error: `{"code":-32603,"message":"out of order"}`}}},
			}})
		}, "listing its tools: out of order (code -32603)"),
		Entry("a server that does not answer within the limit", Label("L10"), func() Server {
			return Scripted("bad", silent, `"limits": {"connect": "2s"}`)
		}, "connection timeout after 2s (limits.connect raises it); the end of its stderr: busy"),
		Entry("a server without a variable that it needs", func() Server {
			return Scripted("bad", WithTools("t"), `"env": {"TOKEN": "${WB_ABSENT}"}`)
		}, "environment variable 'WB_ABSENT' is not set (toolboxes.dev.mcpServers.bad.env.TOKEN)"),
	)

	It("leaves no process of a server that does not answer within the limit", Label("L10"), func() {
		hung := silent
		hung.IgnoreTerm = true
		hung.Start = []script.Step{{Spawn: "stubborn"}, {Spawn: "sleep"}}
		w := Serve(InDev(
			Scripted("bad", hung, `"limits": {"connect": "1s", "shutdown": "1s"}`),
			Scripted("good", WithTools("read"))))

		opened := w.Open("dev")

		Expect(opened.Names()).To(Equal([]string{"read"}))
		Expect(opened.Errors).To(HaveExactElements(HavePrefix(failed + "connection timeout after 1s")))
		Eventually(w.Servers).WithTimeout(Patience).Should(HaveLen(1))
	})

	Context("when all of them fail", func() {
		It("fails with every reason", Label("L12"), func() {
			w := Serve(InDev(
				Program("a", "/nowhere/a"), Program("b", "/nowhere/b")))

			Expect(w.Call("open_toolbox", `{"toolbox":"dev"}`).Failure()).To(Equal("Error opening toolbox 'dev': " +
				"Failed to connect to server 'a' in toolbox 'dev': command '/nowhere/a' does not exist; " +
				"Failed to connect to server 'b' in toolbox 'dev': command '/nowhere/b' does not exist"))
			Expect(w.Servers()).To(BeEmpty())
		})
	})

	Context("when a server is still starting as the answer is due", func() {
		const dueSoon = `"limits": {"openReply": "50ms"}`
		const reason = "still starting after 0.05s; open the toolbox again to see its tools"
		var gate string
		var slow Server

		BeforeEach(func() {
			gate = filepath.Join(GinkgoT().TempDir(), "gate")
			s := WithTools("write")
			s.Start = []script.Step{{AwaitFile: gate}}
			slow = Scripted("bad", s, dueSoon)
		})

		It("answers with the others, and includes it when opened again", Label("L11"), func() {
			w := Serve(InDev(slow, Scripted("good", WithTools("read"))))

			first := w.Open("dev")
			Expect(first.Connected).To(Equal(1))
			Expect(first.Names()).To(Equal([]string{"read"}))
			Expect(first.Errors).To(Equal([]string{failed + reason}))

			Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())
			Eventually(func() []string { return w.Open("dev").Names() }).WithTimeout(Patience).
				Should(Equal([]string{"write", "read"}))
			Expect(slow.Starts()).To(Equal(1))
		})
	})
})
