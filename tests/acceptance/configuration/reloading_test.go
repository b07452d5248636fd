package configuration_test

import (
	"os"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// waitingServer returns a server whose tool "wait" answers once a file exists.
func waitingServer(file string) script.Script {
	s := WithTools("wait", "read")
	s.Rules = append([]script.Rule{{Method: "tools/call", Tool: "wait", Background: true, Do: []script.Step{
		{Touch: file + ".begun"}, {AwaitFile: file}, {Result: script.Text("waited")},
	}}}, s.Rules...)
	return s
}

var _ = Describe("A configuration that changes while the workbench runs", func() {
	for _, e := range Eras {
		Context("with a host of "+e.Name, func() {
			It("applies from the next request: toolboxes are added, changed and removed", func() {
				files, git, mail := Scripted("files", WithTools("read")), Scripted("git", WithTools("log")), Scripted("mail", WithTools("send"))
				host := ServeReloadable(e, Configuration(InDev(files), NewToolbox("old", mail)))
				host.Open("dev")
				host.Open("old")
				Expect(host.Enum()).To(Equal([]string{"dev", "old"}))

				host.Reload(Configuration(InDev(files, git), NewToolbox("new", mail)))

				host.AwaitSent(ToolsListChanged, 1)
				Expect(host.Enum()).To(Equal([]string{"dev", "new"}))
				Expect(host.Use("dev", "git", "log", `{}`).Text()).To(Equal("done"), "the toolbox is open")
				Expect(host.Open("dev").Names()).To(Equal([]string{"read", "log"}))
				Expect(host.Open("new").Names()).To(Equal([]string{"send"}))
				Expect(host.Use("old", "mail", "send", `{}`).Failure()).To(Equal("Error: Toolbox 'old' not found. Available toolboxes: dev, new"))
				Expect(files.Starts()).To(Equal(1), "its settings did not change")
				Expect(mail.Starts()).To(Equal(2), "of each toolbox one")
				if runtime.GOOS == "linux" {
					Eventually(host.Servers).WithTimeout(Patience).Should(HaveLen(3))
				}
			})

			It("lets a changed server finish its calls, and starts it with the new settings at its next use", func() {
				mark := filepath.Join(GinkgoT().TempDir(), "go on")
				s := waitingServer(mark)
				s.Rules = append([]script.Rule{{Method: "tools/call", Tool: "read", Do: []script.Step{{Environ: true}}}}, s.Rules...)
				server := Scripted("files", s)
				host := ServeReloadable(e, Configuration(InDev(server)))
				host.Open("dev")
				call := host.BeginUse("dev", "files", "wait", `{}`)
				Eventually(mark + ".begun").WithTimeout(Patience).Should(BeAnExistingFile())

				server.Settings = append(server.Settings, `"env":{"COLOUR":"blue"}`)
				host.Reload(Configuration(InDev(server)))

				Expect(server.Starts()).To(Equal(1), "no call used it yet")
				Expect(host.Use("dev", "files", "read", `{}`).Text()).To(ContainSubstring("COLOUR=blue\n"))
				Expect(server.Starts()).To(Equal(2))
				Expect(os.WriteFile(mark, nil, 0o600)).To(Succeed())
				Expect(host.Await(call).Text()).To(Equal("waited"))
				if runtime.GOOS == "linux" {
					Eventually(host.Servers).WithTimeout(Patience).Should(HaveLen(1))
				}
				Expect(host.Open("dev").Warnings).To(Equal([]string{
					"Server 'files': it was restarted, and what it had in memory is gone (its configuration changed)",
				}))
			})

			It("has no effect while the file has a mistake, which is named until it is fixed", func() {
				files, git := Scripted("files", WithTools("read")), Scripted("git", WithTools("log"))
				host := ServeReloadable(e, Configuration(InDev(files)))
				host.Open("dev")

				host.Reload(`{"toolboxes":{"dev":{"mcpServers":{"files":{"command":"x","args":"hunter2-is-secret"}}},"new":{}}}`)

				warnings := host.Open("dev").Warnings
				Expect(warnings).To(HaveLen(2))
				Expect(warnings[0]).To(HavePrefix("the configuration changed and has a problem, for the user to correct, so the previous one is still in force: " + host.Path + ":1: toolboxes.dev"))
				Expect(warnings[0]).NotTo(ContainSubstring("hunter2"))
				Expect(host.Use("dev", "files", "read", `{}`).Text()).To(Equal("done"))
				Expect(host.Use("new", "a", "b", `{}`).Failure()).To(And(
					HavePrefix("Error: Toolbox 'new' not found. Available toolboxes: dev\n"), ContainSubstring(host.Path)))

				host.Reload(Configuration(InDev(files, git)))

				opened := host.Open("dev")
				Expect(opened.Warnings).To(BeEmpty())
				Expect(opened.Names()).To(Equal([]string{"read", "log"}))
				Expect(files.Starts()).To(Equal(1))
			})

			It("weakens no protection before the next start, and says so", func() {
				files, git := Scripted("files", WithTools("read", "delete"), `"toolFilters":["read"]`), Scripted("git", WithTools("log"))
				host := ServeReloadable(e, Configuration(InDev(files)))
				host.Open("dev")

				weaker := Server{Name: "files", Settings: files.Settings[:len(files.Settings)-1]}
				log := host.Reload(Configuration(InDev(weaker, git)))

				Expect(log).To(ContainSubstring("from the next start of the workbench: toolFilters of server 'files' in toolbox 'dev' (protects less than before)"))
				opened := host.Open("dev")
				Expect(opened.Names()).To(Equal([]string{"read", "log"}))
				Expect(opened.Warnings).To(Equal([]string{
					"the configuration protects less than before (toolFilters of server 'files' in toolbox 'dev'); that takes effect at the next start of the workbench",
				}))
				Expect(host.Use("dev", "files", "delete", `{}`).Failure()).To(HavePrefix("Tool 'delete' not found in server 'files'"))
				Expect(files.Starts()).To(Equal(1))

				host.Reload(Configuration(InDev(git)))
				host.Reload(Configuration(InDev(weaker)))

				Expect(host.Open("dev").Names()).To(Equal([]string{"read"}), "not in two steps either")
			})

			It("strengthens protections at once", func() {
				files := Scripted("files", WithTools("read", "delete"))
				host := ServeReloadable(e, Configuration(InDev(files)))
				host.Open("dev")
				Expect(host.Use("dev", "files", "delete", `{}`).Text()).To(Equal("done"))

				files.Settings = append(files.Settings, `"toolFilters":["read"]`)
				host.Reload(Configuration(InDev(files)))

				Expect(host.Use("dev", "files", "delete", `{}`).Failure()).To(HavePrefix("Tool 'delete' not found in server 'files'"))
			})
		})
	}
})

// userConfig returns where the user's configuration is for a process whose home folder
// this is.
func userConfig(home string) string {
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "mcp-workbench", "workbench-config.json")
	}
	return filepath.Join(home, ".config", "mcp-workbench", "workbench-config.json")
}

// serveIn starts a workbench in a folder that is also its home, and makes the handshake.
func serveIn(folder string, args ...string) *Workbench {
	GinkgoHelper()
	if runtime.GOOS == "windows" {
		Skip("on Windows the home folder has another variable, and there is no SIGUSR1")
	}
	w := Start(Launch{Dir: folder, Args: append([]string{"--log-level", "info"}, args...)})
	w.Initialize()
	return w
}

var _ = Describe("The file of the configuration", func() {
	files, git := func() Server { return Scripted("files", WithTools("read")) }, func() Server { return Scripted("git", WithTools("log")) }

	It("is picked up by a program that started without one, from the user's folder but not from the working folder", func() {
		home := GinkgoT().TempDir()
		w := serveIn(home)
		WriteFile(filepath.Join(home, "workbench-config.json"), Configuration(NewToolbox("planted", git())))

		ReplaceFile(userConfig(home), Configuration(InDev(files())))

		w.AwaitSent(ToolsListChanged, 1)
		Expect(w.Open("dev").Names()).To(Equal([]string{"read"}))
		Expect(w.Call("open_toolbox", `{"toolbox":"planted"}`).Failure()).To(HavePrefix("Error: Toolbox 'planted' not found."))
	})

	It("in the working folder is used while its content is trusted, and is checked again at SIGUSR1", func() {
		if runtime.GOOS == "windows" {
			Skip("Windows has no SIGUSR1")
		}
		home := GinkgoT().TempDir()
		trust := func() {
			GinkgoHelper()
			Expect(Run(Launch{Dir: home, Args: []string{"trust", "--yes"}}).Code).To(Equal(0))
		}
		path := filepath.Join(home, "workbench-config.json")
		WriteFile(path, Configuration(InDev(files())))
		trust()
		w := serveIn(home)

		ReplaceFile(path, Configuration(NewToolbox("new", git())))
		AskToReload(w) // or wait a moment
		Eventually(w.Stderr).WithTimeout(Patience).Should(ContainSubstring("it changed since it was trusted"))
		Expect(w.Open("dev").Names()).To(Equal([]string{"read"}))

		trust()
		AskToReload(w) // or wait a moment
		w.AwaitSent(ToolsListChanged, 1)
		Expect(w.Open("new").Names()).To(Equal([]string{"log"}))
	})
})

var _ = Describe("The protections of a reloaded configuration", func() {
	It("include new secrets, in everything that is logged", func() {
		server := Scripted("files", WithTools("read"))
		host := ServeReloadable(Older, Configuration(InDev(server)))

		server.Settings = append(server.Settings, `"env":{"TOKEN":"hunter2-is-my-password"}`, `"cwd":"/no/such/hunter2-is-my-password"`)
		host.Reload(Configuration(InDev(server)))

		Expect(host.Call("open_toolbox", `{"toolbox":"dev"}`).Failure()).NotTo(ContainSubstring("hunter2"))
		Expect(host.End()).To(Equal(0))
		Expect(host.Stderr()).To(And(ContainSubstring("could not connect"), Not(ContainSubstring("hunter2"))))
	})

	It("include a lock whose file was removed, until the next start", func() {
		server := Scripted("files", WithTools("read"))
		host := ServeReloadable(Older, Configuration(InDev(server)))
		lock := filepath.Join(filepath.Dir(host.Path), "workbench.lock.json")
		WriteFile(lock, `{"lockVersion":1,"toolboxes":{},"instructions":{},"packages":{}}`)
		Expect(host.Open("dev").Warnings).To(ContainElement(HavePrefix("Server 'files' is not in workbench.lock.json (1 tool)")))

		Expect(os.Remove(lock)).To(Succeed())

		Expect(host.Open("dev").Warnings).To(ConsistOf(
			"workbench.lock.json was removed; until the next start of the workbench tools are compared with what it contained",
			HavePrefix("Server 'files' is not in workbench.lock.json (1 tool)"),
		))
	})
})
