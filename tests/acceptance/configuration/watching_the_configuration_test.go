package configuration_test

import (
	"os"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

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
		WriteFile(lock, `{"lockVersion":1,"toolboxes":{}}`)
		Expect(host.Open("dev").Warnings).To(ContainElement(HavePrefix("Server 'files' is not in workbench.lock.json (1 tool)")))

		Expect(os.Remove(lock)).To(Succeed())

		Expect(host.Open("dev").Warnings).To(ConsistOf(
			"workbench.lock.json was removed; until the next start of the workbench tools are compared with what it contained",
			HavePrefix("Server 'files' is not in workbench.lock.json (1 tool)"),
		))
	})

	It("include the policy for changed tools, the names of the tool mode, and the log without payloads", func() {
		server := Scripted("files", WithTools("read"))
		in := func(members string, toolbox string) string {
			return `{` + members + Configuration(NewToolbox(toolbox, server))[1:]
		}
		host := ServeReloadable(Older, in(`"pinning":"block","toolMode":"dynamic",`, "dev"))

		log := host.Reload(in(`"logPayloads":true,`, "dev"))
		Expect(log).To(ContainSubstring("from the next start of the workbench: pinning (protects less than before), logPayloads (protects less than before), toolMode"))
		Expect(host.Call("open_toolbox", `{"toolbox":"dev"}`).Opened().Names()).To(BeEmpty(), "there is no lock")

		log = host.Reload(in(``, "with_underscore"))
		Expect(log).To(ContainSubstring(`want a name without "_" or the tool mode "proxy"`))
		Expect(host.Enum()).To(Equal([]string{"dev"}))
	})
})
