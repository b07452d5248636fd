package plugins_test

import (
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

const (
	manifestSchema = `"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"`
	serversSchema  = `"$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"`
)

// home is a home folder with a plugin in the folder plug.
type home struct{ HomeFolder }

// newHome returns a home folder with a plugin whose server local tells how it was started, and with a configuration whose
// toolbox box has the members beside the plugin.
func newHome(members string) home {
	GinkgoHelper()
	h := home{NewHomeFolder()}
	s := script.Script{
		Tools: []string{script.Tool("environ"), script.Tool("argv"), script.Tool("cwd")},
		Rules: []script.Rule{
			{Method: "tools/call", Tool: "environ", Do: []script.Step{{Environ: true}}},
			{Method: "tools/call", Tool: "argv", Do: []script.Step{{Argv: true}}},
			{Method: "tools/call", Tool: "cwd", Do: []script.Step{{Cwd: true}}},
		},
	}
	Expect(s.Save(h.Path("script.json"))).To(Succeed())
	h.File("plug/plugin.json", `{`+manifestSchema+`, "name": "tools", "version": "1.0.0", "description": "Does\nall \"things\""}`)
	h.File("plug/mcp.json", h.servers(``))
	h.program("")
	h.File(OwnConfiguration, `{"toolboxes": {"box": {"plugin": "../../plug"`+members+`}}}`)
	return h
}

// servers returns the text of mcp.json with the server local and others.
func (h home) servers(others string) string {
	return `{` + serversSchema + `, "mcpServers": {"local": {"type": "stdio", "command": "./bin/server",
		"args": ["-script", ` + Quote(h.Path("script.json")) + `, "${PLUGIN_DATA}", "${HOME}", "~"], "env": {"OF_PLUGIN": "${PLUGIN_ROOT}:${HOME}"},
		"cwd": "${PLUGIN_DATA}/work"}` + others + `}}`
}

// program writes the program of the plugin.
func (h home) program(comment string) {
	GinkgoHelper()
	path := h.File("plug/bin/server", "#!/bin/sh\n# "+comment+"\nexec "+ScriptedServer()+" \"$@\"\n")
	Expect(os.Chmod(path, 0o700)).To(Succeed())
}

// called returns what a tool of the server local prints.
func (h home) called(tool string) string {
	GinkgoHelper()
	outcome := h.Run("call", "box/local/"+tool)
	Expect(outcome.Code).To(Equal(0), outcome.Stderr)
	return outcome.Stdout
}

func (h home) trust() {
	GinkgoHelper()
	outcome := h.Run("trust", "--yes", h.Path("plug"))
	Expect(outcome.Code).To(Equal(0), outcome.Stderr)
}

var _ = Describe("A toolbox with a plugin", func() {
	It("starts its servers as the specification says", func() {
		h := newHome("")
		h.trust()

		data := strings.TrimSpace(strings.TrimSuffix(h.called("cwd"), "/work\n"))
		Expect(data).To(HavePrefix(h.Path(".local/state/mcp-workbench/plugins/tools-")))
		Expect(h.called("argv")).To(ContainSubstring(`"` + data + `","${HOME}","~"]`))
		Expect(strings.Split(h.called("environ"), "\n")).To(ContainElements(
			"PLUGIN_ROOT="+h.Path("plug"), "PLUGIN_DATA="+data, "OF_PLUGIN="+h.Path("plug")+":${HOME}"))
		info, err := os.Stat(data)
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(BeEquivalentTo(0o700))
	})

	It("is described by the words of the plugin, as such, unless it has its own", func() {
		h := newHome("")
		h.trust()
		Expect(h.Run("list").Stdout).To(Equal("box\tlocal\tstdio\tIts plugin says: \"Does all 'things'\"\n"))

		h = newHome(`, "description": "Mine"`)
		h.trust()
		Expect(h.Run("list").Stdout).To(Equal("box\tlocal\tstdio\tMine\n"))
	})

	It("is closed until the user saw the plugin and said yes, and again when a byte of what runs changes", Label("PL01"), func() {
		h := newHome("")
		closed := func(why string) {
			GinkgoHelper()
			outcome := h.Run("call", "box/local/cwd")
			Expect(outcome.Code).NotTo(Equal(0))
			Expect(outcome.Stderr).To(ContainSubstring("the toolbox 'box' is closed, since its plugin " + h.Path("plug/plugin.json") + " is not trusted" + why + "; to see what "))
			Expect(outcome.Stderr).To(ContainSubstring("`mcp-workbench trust " + h.Path("plug/plugin.json") + "`"))
			if why != "" {
				Expect(outcome.Stderr).To(ContainSubstring("run `mcp-workbench update box`, or "))
			}
		}
		closed("")
		Expect(h.Run("trust", h.Path("plug")).Code).To(Equal(2))
		closed("")
		h.trust()
		h.called("cwd")

		for _, change := range []func(){
			func() { h.program("other") },
			func() { h.File("plug/mcp.json", h.servers(`, "more": {"type": "stdio", "command": "x"}`)) },
			func() { h.File("plug/plugin.json", h.Content("plug/plugin.json")+" ") },
		} {
			change()
			closed(" (it changed since it was trusted)")
			Expect(h.Run("trust", "--list").Stdout).To(HaveSuffix("; it changed since then\n"))
			h.trust()
			h.called("cwd")
		}
		Expect(h.Run("trust", "--remove", h.Path("plug")).Code).To(Equal(0))
		closed("")
	})

	It("is reviewed whole, and the next time with what was different", func() {
		h := newHome("")
		h.File("plug/skills/deploy/SKILL.md", "---\nname: deploy\ndescription: Deploys\n---\n")
		h.File("plug/skills/bad/SKILL.md", "")
		h.File("plug/mcp.json", h.servers(`, "web": {"type": "streamable-http", "url": "https://old.example/mcp"}, "bad": {"type": "http"}`))

		outcome := h.Run("trust", "--yes", h.Path("plug"))
		Expect(outcome.Stdout).To(And(
			HavePrefix("The plugin in "+h.Path("plug")+" would start and reach, with your rights:\n  tools/local: OF_PLUGIN="),
			ContainSubstring(h.Path("plug/bin/server")+" -script "),
			ContainSubstring("\n  tools/web: https://old.example/mcp\n"),
			ContainSubstring("\n  plugin tools '1.0.0', which says: \"Does all \"things\"\"\n"),
			ContainSubstring("\n  skill deploy, which says: \"Deploys\"\n"),
			ContainSubstring("\n  server 'bad' has a \"type\" other than"),
			ContainSubstring("\n  skill 'bad' has no fields"),
			MatchRegexp("\n  a yes holds for bin/server with the SHA-256 [0-9a-f]{64}\n"),
		))
		Expect(outcome.Stdout).NotTo(Or(ContainSubstring("was: "), ContainSubstring("HOME goes to")))

		h.File("plug/mcp.json", h.servers(`, "web": {"type": "streamable-http", "url": "https://new.example/mcp"}`))
		outcome = h.Run("trust", "--yes", h.Path("plug"))
		Expect(outcome.Stdout).To(And(
			ContainSubstring("\n  tools/web: https://new.example/mcp\n"), ContainSubstring("\n  was: tools/web: https://old.example/mcp\n"),
			Not(ContainSubstring("was: tools/local"))))
		Expect(outcome.Code).NotTo(Equal(0), "another address needs care")
		Expect(h.Run("trust", "--yes", "--allow-options", h.Path("plug")).Code).To(Equal(0))
	})

	It("asks in a terminal", func() {
		h := newHome("")
		Expect(RunInTerminal(h.Launch("trust", h.Path("plug")), Turn{Until: "Trust this plugin? [y/N]", Type: "n\r"}).Code).To(Equal(1))
		Expect(h.Run("call", "box/local/cwd").Code).NotTo(Equal(0))
		Expect(RunInTerminal(h.Launch("trust", h.Path("plug")), Turn{Until: "Trust this plugin? [y/N]", Type: "y\r"}).Code).To(Equal(0))
		h.called("cwd")
	})

	It("keeps the private folder of a plugin over an update", Label("PL04"), func() {
		h := newHome("")
		h.trust()
		data := strings.TrimSuffix(strings.TrimSpace(h.called("cwd")), "/work")
		WriteFile(data+"/kept", "1")
		h.File("plug/plugin.json", `{`+manifestSchema+`, "name": "tools", "version": "2.0.0"}`)
		h.program("2")
		h.trust()
		Expect(h.called("cwd")).To(HavePrefix(data + "/work"))
		Expect(data + "/kept").To(BeAnExistingFile())
	})

	It("takes keys for its servers that do not change what runs", func() {
		h := newHome(`, "servers": {"local": {"toolFilters": ["environ"], "env": {"MINE": "${HOME}"}}}`)
		h.trust()
		Expect(h.called("environ")).To(And(ContainSubstring("\nMINE="+string(h.HomeFolder)+"\n"), ContainSubstring("\nOF_PLUGIN=")))
		Expect(h.Run("call", "box/local/cwd").Code).NotTo(Equal(0))
	})

	DescribeTable("takes no keys that change what runs", func(keys, problem string) {
		h := newHome(`, "servers": {"local": {` + keys + `}}`)
		h.trust()
		outcome := h.Run("validate")
		Expect(outcome.Code).NotTo(Equal(0))
		Expect(outcome.Stdout + outcome.Stderr).To(ContainSubstring(problem))
	},
		Entry("the command", `"command": "x"`, `toolboxes.box.servers.local.command: found a key that says what runs, want only keys that the plugin leaves open`),
		Entry("arguments", `"args": []`, `servers.local.args: found a key that says what runs`),
		Entry("the folder", `"cwd": "/"`, `servers.local.cwd: found a key that says what runs`),
		Entry("the kind", `"type": "stdio"`, `servers.local.type: found a key that says what runs`),
		Entry("an address", `"url": "https://x.example"`, `servers.local.url`),
		Entry("a variable of the plugin", `"env": {"OF_PLUGIN": "x"}`, `servers.local.env.OF_PLUGIN: found a name that says what runs, or that the plugin sets`),
		Entry("a reserved variable", `"env": {"PLUGIN_ROOT": "x"}`, `servers.local.env.PLUGIN_ROOT: found a name`),
		Entry("a variable that is code", `"env": {"NODE_OPTIONS": "x"}`, `servers.local.env.NODE_OPTIONS: found a name`),
		Entry("an unknown key", `"x": 1`, `servers.local.x: unknown key "x"`),
	)

	It("is left out alone if its manifest is broken, and the line names the rule", Label("PL02"), func() {
		h := newHome("")
		h.File(OwnConfiguration, `{"toolboxes": {"box": {"plugin": "../../plug"}, "other": {"mcpServers": {"s": {"command": "x"}}}}}`)
		h.File("plug/plugin.json", `{"name": "tools"}`)
		outcome := h.Run("list")
		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(Equal("other\ts\tstdio\t\n"))
		Expect(outcome.Stderr).To(ContainSubstring("the toolbox 'box' is closed, since its plugin cannot be used: " + h.Path("plug/plugin.json") +
			`: "$schema" is missing (Agent Plugins 1.0.0, section 5.3)`))
		Expect(h.Run("validate").Code).To(Equal(0))
	})

	It("is left out alone if there is no plugin", func() {
		h := newHome("")
		Expect(os.RemoveAll(h.Path("plug"))).To(Succeed())
		Expect(h.Run("list").Stderr).To(ContainSubstring("the toolbox 'box' is closed, since its plugin cannot be used: "))
	})

	It("loses only the servers that break a rule", Label("PL02"), func() {
		h := newHome("")
		h.File("plug/mcp.json", h.servers(`, "bad": {"type": "stdio", "command": "a b"}, "a__b": {"type": "stdio", "command": "x"}`))
		h.trust()
		outcome := h.Run("validate")
		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(outcome.Stdout + outcome.Stderr).To(And(
			ContainSubstring(`toolboxes.box.plugin: server 'bad' has a "command" that is neither`),
			ContainSubstring(`toolboxes.box.plugin: the server 'a__b' of the plugin is left out: found a name with "__", want a name without "__"`)))
		h.called("cwd")
		Expect(h.Run("call", "box/local/cwd").Stderr).To(BeEmpty())
	})

	It("is closed if others can change the plugin", func() {
		h := newHome("")
		h.trust()
		Expect(os.Chmod(h.Path("plug/bin"), 0o777)).To(Succeed())
		Expect(h.Run("list").Stderr).To(ContainSubstring("the toolbox 'box' is closed, since others can change its plugin"))
		Expect(h.Run("trust", "--yes", h.Path("plug")).Code).NotTo(Equal(0))
		Expect(h.Run("list", "--allow-foreign-config").Stdout).To(HavePrefix("box\t"))
	})

	It("of a cloned folder needs the trust of the user, who sees what it starts", Label("PL01"), func() {
		h := newHome("")
		Expect(os.Rename(h.Path("plug"), h.Path("work/plug"))).To(Succeed())
		h.File(OwnConfiguration, `{"toolboxes": {}}`)
		h.File("work/workbench-config.json", `{"toolboxes": {"box": {"plugin": "plug"}}}`)
		Expect(h.Run("call", "box/local/cwd").Code).To(Equal(2))

		outcome := h.Run("trust", "--yes")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(And(ContainSubstring("  box/local: "), ContainSubstring("  box: plugin tools '1.0.0', which says: ")))
		h.called("cwd")

		path := h.File("work/plug/bin/server", "#!/bin/sh\ntouch "+h.Path("RAN")+"\n")
		Expect(os.Chmod(path, 0o700)).To(Succeed())
		Expect(h.Run("call", "box/local/cwd").Stderr).To(ContainSubstring("(it changed since it was trusted)"))
		Expect(h.Path("RAN")).NotTo(BeAnExistingFile())
	})

	It("closes while a host runs when the plugin changes, and opens again when the user trusts it", func() {
		h := newHome("")
		h.trust()
		w := Start(h.Launch("serve"))
		w.Initialize()
		Expect(w.Open("box").Names()).To(ConsistOf("environ", "argv", "cwd"))

		h.program("other")
		Expect(string(w.AwaitSent("notifications/message", 1).Params)).To(ContainSubstring("toolboxes removed: box"))
		Expect(w.Call("open_toolbox", `{"toolbox":"box"}`).Failure()).To(ContainSubstring("is closed, since its plugin"))
		h.trust()
		Expect(string(w.AwaitSent("notifications/message", 2).Params)).To(ContainSubstring("toolboxes added: box"))
		Expect(w.Open("box").Names()).To(ConsistOf("environ", "argv", "cwd"))
	})
})
