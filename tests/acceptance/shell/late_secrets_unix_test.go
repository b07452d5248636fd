//go:build unix

package shell_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A secret that a command printed", Label("X08"), func() {
	const secret = "hunter2-hunter2"

	It("appears nowhere in logs, lists, the lock, the record and the output, although the server writes it to stderr and into errors", func() {
		variable, sockets := runtimeFolder()
		folder := GinkgoT().TempDir()
		config, log := filepath.Join(folder, "c.json"), filepath.Join(folder, "log")
		talking := script.Script{
			Start: []script.Step{{Stderr: "started with " + secret}},
			Tools: []string{script.Tool("read"), script.Tool("fail"), script.Tool("end")},
			Rules: []script.Rule{
				script.Answer("read", script.Text("done")),
				{Method: "tools/call", Tool: "fail", Do: []script.Step{{Error: `{"code":-32050,"message":"` + secret + `"}`}}},
				{Method: "tools/call", Tool: "end", Do: []script.Step{{Stderr: "ending with " + secret}, {Exit: 3}}},
			},
		}
		broken := script.Script{Start: []script.Step{{Stderr: "refused " + secret}, {Exit: 3}}}
		env := []string{variable, "XDG_STATE_HOME=" + folder, "HOME=" + folder}
		WriteFile(config, `{"secrets":{"TOKEN":{"command":["/bin/sh","-c","printf 'hunter2%s' -hunter2"]}},"logFile":`+Quote(log)+`,"logLevel":"debug",`+
			Configuration(InDev(
				Scripted("files", talking, `"env":{"KEY":"${TOKEN}"}`),
				Scripted("broken", broken, `"env":{"KEY":"${TOKEN}"}`)))[1:])
		ask := func(args ...string) string {
			outcome := Run(Launch{Args: append([]string{"--config", config}, args...), Env: env})
			return outcome.Stdout + outcome.Stderr
		}
		w := Start(Launch{Args: []string{"--config", config}, Env: env})
		w.Initialize()
		Expect(w.Open("dev").JSON).To(ContainSubstring("'broken'"))
		Expect(w.Use("dev", "files", "read", `{}`).Text()).To(Equal("done"))
		for _, tool := range []string{"fail", "end"} {
			w.Call("use_tool", UseArguments("dev", "files", tool, `{}`))
		}
		awaitListening(sockets, 1)
		Eventually(func() string { return ask("calls") }).WithTimeout(Patience).Should(ContainSubstring("end"))

		for _, words := range [][]string{
			{"status"},
			{"status", "--json"},
			{"logs", "dev/files"},
			{"logs", "dev/broken"},
			{"calls", "--json"},
			{"calls", "--failed"},
			{"usage", "--json"},
			{"list", "--json"},
			{"validate", config},
			{"doctor"},
			{"trust", "--list"},
			{"lock"},
			{"lock", "--diff"},
		} {
			Expect(ask(words...)).NotTo(ContainSubstring("hunter2-"), "%v", words)
		}
		Expect(w.Stderr()).To(And(ContainSubstring("started with"), Not(ContainSubstring("hunter2-"))))
		for _, root := range []string{"mcp-workbench", "log", "workbench.lock.json"} {
			Expect(filepath.WalkDir(filepath.Join(folder, root), func(path string, entry os.DirEntry, err error) error {
				if err != nil || !entry.Type().IsRegular() {
					return err
				}
				text, err := os.ReadFile(path)
				Expect(string(text)).NotTo(ContainSubstring("hunter2-"), path)
				return err
			})).To(Succeed(), root)
		}
	})
})
