package configuration_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A host of a workbench that serves some toolboxes", func() {
	toolbox := func(name string) Toolbox { return NewToolbox(name, Scripted("files", WithTools("read"))) }
	run := func(config string, args ...string) Outcome {
		GinkgoHelper()
		path := filepath.Join(GinkgoT().TempDir(), "c.json")
		WriteFile(path, config)
		return Run(Launch{Args: append([]string{"serve", "--config", path}, args...)})
	}

	for _, e := range Eras {
		Context("with a host of "+e.Name, func() {
			It("sees only these", func() {
				w := Start(Launch{Config: Configuration(toolbox("a"), toolbox("b"), toolbox("c")), Args: []string{"--toolbox", "c, a"}})
				host := Connect(w, e.Modern, `{}`)
				Expect(host.Open("a").Names()).To(Equal([]string{"read"}))
				Expect(host.Open("c").Names()).To(Equal([]string{"read"}))
				Expect(host.Request("tools/list", host.Params("")).Line).To(And(ContainSubstring(`["a","c"]`), Not(ContainSubstring(`"b"`))))
				refused := host.Request("tools/call", host.Params(`"name":"open_toolbox","arguments":{"toolbox":"b"}`))
				Expect(refused.Failure()).To(Equal("Error: Toolbox 'b' not found. Available toolboxes: a, c"))
				Expect(host.Use("b", "files", "read", `{}`).Failure()).To(ContainSubstring("Toolbox 'b' not found"))
				Expect(w.Stderr()).To(ContainSubstring("toolboxes c, a only\n"))
			})

			It("sees no toolbox that is added later, and the log has a line about a removed one", func() {
				host := ServeReloadable(e, Configuration(toolbox("a"), toolbox("b")), "WORKBENCH_TOOLBOXES=a,b")
				Expect(host.Enum()).To(Equal([]string{"a", "b"}))

				log := host.Reload(Configuration(toolbox("a"), toolbox("c")))

				Expect(log).To(ContainSubstring("no toolbox 'b' is configured"))
				Expect(host.Enum()).To(Equal([]string{"a"}))
			})
		})
	}

	for _, e := range Eras {
		It("gets the toolboxes of included files, and their changes, as one of "+e.Name, func() {
			folder := GinkgoT().TempDir()
			more := filepath.Join(folder, "more.json")
			WriteFile(more, Configuration(toolbox("more"), toolbox("a")))
			host := ServeReloadable(e, `{"include":[`+Quote(more)+`],`+Configuration(toolbox("a"))[1:])
			Expect(host.Enum()).To(Equal([]string{"a", "more"}))
			Expect(host.Open("more").Names()).To(Equal([]string{"read"}))
			Expect(host.Stderr()).To(ContainSubstring(more + ": its toolbox 'a' is left out"))

			WriteFile(more, Configuration(toolbox("other")))
			host.AwaitSent(ToolsListChanged, 1)
			Eventually(host.Stderr).WithTimeout(Patience).Should(ContainSubstring("the configuration was read again"))
			Expect(host.Enum()).To(Equal([]string{"a", "other"}))

			later := filepath.Join(folder, "later.json")
			WriteFile(later, Configuration(toolbox("later")))
			host.Reload(`{"include":[` + Quote(later) + `],` + Configuration(toolbox("a"))[1:])
			Expect(host.Enum()).To(Equal([]string{"a", "later"}))
			// The first change may be seen because the file that includes it has changed too.
			for _, name := range []string{"latest", "last"} {
				WriteFile(later, Configuration(toolbox(name)))
				Eventually(host.Enum).WithTimeout(Patience).Should(Equal([]string{"a", name}))
			}
		})
	}

	It("is told the file of a toolbox that the configuration includes", func() {
		folder := GinkgoT().TempDir()
		main, more := filepath.Join(folder, "c.json"), filepath.Join(folder, "more.json")
		WriteFile(more, Configuration(NewToolbox("more", Program("x", "true"))))
		WriteFile(main, `{"include":["more.json"],`+Configuration(toolbox("a"))[1:])
		command := func(words ...string) Outcome {
			return Run(Launch{Args: append([]string{"--config", main}, words...)})
		}

		Expect(command("list", "--json").Stdout).To(ContainSubstring(`"name":"more","description":"","file":` + Quote(more)))
		for _, words := range [][]string{{"remove", "more/x"}, {"disable", "more"}, {"move", "more/x", "a"}, {"describe", "more", "text"}} {
			Expect(command(words...)).To(And(HaveField("Code", 1),
				HaveField("Stderr", ContainSubstring("the toolbox more is in "+more+", which "+main+" includes; give --config "))))
		}
	})

	It("is told of mistakes in its own toolboxes, and not of those in others", func() {
		broken := Server{Name: "broken", Settings: []string{`"comand":"x"`}}
		config := Configuration(toolbox("a"), NewToolbox("mine", broken), NewToolbox("theirs", broken))
		w := Start(Launch{Config: config, Args: []string{"--toolbox", "a,mine"}})
		var result struct{ Instructions string }
		w.Request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`).Decode(&result)
		Expect(result.Instructions).To(And(ContainSubstring("toolboxes.mine.mcpServers.broken"), Not(ContainSubstring("theirs"))))
		Expect(w.Stderr()).To(And(ContainSubstring("toolboxes.mine.mcpServers.broken"), Not(ContainSubstring("theirs"))))
		Expect(Start(Launch{Config: config, Args: []string{"--toolbox", "a", "--strict"}}).End()).To(Equal(0))
		Expect(run(config, "--toolbox", "mine", "--strict").Code).To(Equal(3))
	})

	It("keeps its toolboxes, and is told what is missing, if an included file does not exist", func() {
		folder := GinkgoT().TempDir()
		main, more := filepath.Join(folder, "c.json"), filepath.Join(folder, "more.json")
		WriteFile(main, `{"include":["more.json"],`+Configuration(toolbox("a"))[1:])
		host := Connect(Start(Launch{Args: []string{"--config", main}}), false, `{}`)
		Expect(host.Open("a").Names()).To(Equal([]string{"read"}))
		open := func(toolbox string) string {
			return host.Request("tools/call", host.Params(`"name":"open_toolbox","arguments":{"toolbox":`+Quote(toolbox)+`}`)).Line
		}
		const advice = `include[0]: want \"user\", or the path of a configuration file that can be read`
		Expect(open("more")).To(And(ContainSubstring(`Toolbox 'more' not found. Available toolboxes: a\n`), ContainSubstring(advice)))

		WriteFile(more, Configuration(toolbox("more")))
		Eventually(func() string { return open("more") }).WithTimeout(Patience).Should(ContainSubstring("servers_connected"))
		Expect(os.Remove(more)).To(Succeed())
		Eventually(func() string { return open("a") }).WithTimeout(Patience).Should(ContainSubstring(`previous one is still in force: ` + main))

		later := filepath.Join(folder, "later.json")
		WriteFile(main, `{"include":["later.json"],`+Configuration(toolbox("a"))[1:])
		Eventually(host.Stderr).WithTimeout(Patience).Should(ContainSubstring("no file: " + later))
		WriteFile(later, Configuration(toolbox("later")))
		Eventually(func() string { return open("later") }).WithTimeout(Patience).Should(ContainSubstring("servers_connected"))
	})

	DescribeTable("is not served when the toolboxes", func(chosen, complaint string) {
		outcome := run(Configuration(toolbox("files"), toolbox("web")), "--toolbox", chosen)
		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stderr).To(ContainSubstring("mcp-workbench: " + complaint + "\n"))
	},
		Entry("do not exist", "files,wbe", "no toolbox 'wbe' is configured; did you mean 'web'?"),
		Entry("are none", "", "--toolbox: want names of toolboxes separated by commas, and double quotes around a name with a comma"),
		Entry("have an empty name", "files,,web", "--toolbox: want names of toolboxes separated by commas, and double quotes around a name with a comma"),
		Entry("are quoted wrongly", `"files`, "--toolbox: want names of toolboxes separated by commas, and double quotes around a name with a comma"),
	)

	It("is served by a toolbox that is disabled, once that is enabled", func() {
		disabled := `{"toolboxes":{"a":{"disabled":true,"mcpServers":{"x":{"command":"x"}}},"b":{"mcpServers":{"x":{"command":"x"}}}}}`
		Expect(run(disabled, "--toolbox", "a").Code).To(Equal(0))
	})
})
