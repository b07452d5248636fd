package plugins_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The commands that change the toolbox of a plugin", func() {
	var h home
	BeforeEach(func() {
		h = newHome("")
		h.trust()
	})
	run := func(arguments ...string) Outcome {
		GinkgoHelper()
		outcome := h.Run(arguments...)
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		return outcome
	}

	It("rename it, and its private folder stays", func() {
		data := strings.TrimSuffix(strings.TrimSpace(h.called("cwd")), "/work")
		run("move", "box", "tray")
		Expect(h.Content(OwnConfiguration)).To(MatchJSON(`{"toolboxes": {"tray": {"plugin": "../../plug"}}}`))
		Expect(run("call", "tray/local/cwd").Stdout).To(HavePrefix(data))
	})

	It("describe it", func() {
		run("describe", "box", "Mine")
		Expect(run("list").Stdout).To(Equal("box\tlocal\tstdio\tMine\n"))
		Expect(run("describe", "box").Stdout).To(Equal("Mine\n"))
	})

	It("disable and enable it, with its review", func() {
		run("disable", "box")
		Expect(run("list").Stdout).NotTo(ContainSubstring("local"))
		Expect(run("enable", "box").Stdout).To(ContainSubstring("would start and reach, with your rights:"))
		h.called("cwd")
	})

	It("disable and enable one of its servers by the key servers", func() {
		h.File("plug/mcp.json", h.servers(`, "web": {"type": "streamable-http", "url": "https://web.example/mcp"}`))
		h.trust()
		run("disable", "box/web")
		Expect(h.Content(OwnConfiguration)).To(MatchJSON(`{"toolboxes": {"box": {"plugin": "../../plug", "servers": {"web": {"disabled": true}}}}}`))
		Expect(run("list").Stdout).NotTo(ContainSubstring("web"))
		Expect(run("disable", "box/local").Stdout).To(ContainSubstring("the toolbox box has no other server that is enabled"))
		run("enable", "box/local")
		run("enable", "box/web")
		Expect(run("list").Stdout).To(ContainSubstring("box\tweb\t"))
	})

	It("neither move nor remove one of its servers, nor put another one beside them", func() {
		h.File(OwnConfiguration, `{"toolboxes": {"box": {"plugin": "../../plug"}, "other": {"mcpServers": {"s": {"command": "x"}}}}}`)
		for arguments, problem := range map[string]string{
			"move box/local other": "box/local belongs to the plugin of that toolbox and stays there; 'mcp-workbench disable box/local' leaves it out",
			"remove box/local":     "box/local belongs to the plugin of that toolbox and stays there",
			"move other/s box":     "the toolbox box has the servers of its plugin, and no others",
			"move other box":       "the toolbox box exists in ",
			"move box other":       "the toolbox other exists in ",
		} {
			outcome := h.Run(strings.Fields(arguments)...)
			Expect(outcome.Code).NotTo(Equal(0), arguments)
			Expect(outcome.Stderr).To(ContainSubstring(problem))
		}
	})

	It("name the key servers where they warn", func() {
		h.File(OwnConfiguration, `{"toolboxes": {"box": {"plugin": "../../plug", "servers": {"local": {"confirm": ["nothing"]}}}}}`)
		run("lock")
		Expect(h.Run("doctor").Stdout).To(And(ContainSubstring("toolboxes.box.servers.local.confirm"), Not(ContainSubstring("mcpServers"))))
	})
})
