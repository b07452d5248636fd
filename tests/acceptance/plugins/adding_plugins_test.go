package plugins_test

import (
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Adding a plugin", func() {
	var h home
	BeforeEach(func() {
		h = newHome("")
		h.File(OwnConfiguration, `{"toolboxes": {}}`)
	})

	It("shows it, asks, writes the entry and trusts it", func() {
		outcome := RunInTerminal(h.Launch("add", h.Path("plug"), "--toolbox", "box"), Turn{Until: "? [y/N]", Type: "n\r"})
		Expect(h.Content(OwnConfiguration)).To(Equal(`{"toolboxes": {}}`))
		Expect(outcome.Stdout).To(ContainSubstring("would start and reach, with your rights:"))

		Expect(RunInTerminal(h.Launch("add", h.Path("plug"), "--toolbox", "box"), Turn{Until: "? [y/N]", Type: "y\r"}).Code).To(Equal(0))
		Expect(h.Content(OwnConfiguration)).To(MatchJSON(`{"toolboxes": {"box": {"plugin": ` + Quote(h.Path("plug")) + `}}}`))
		h.called("cwd")
	})

	It("writes nothing without a yes", func() {
		Expect(h.Run("add", h.Path("plug")).Code).To(Equal(2))
		Expect(h.Run("add", h.Path("plug"), "--dry-run").Code).To(Equal(0))
		Expect(h.Content(OwnConfiguration)).To(Equal(`{"toolboxes": {}}`))
		Expect(h.Run("trust", "--list").Stdout).To(Equal("no file is trusted\n"))

		outcome := h.Run("add", h.Path("plug"), "--yes", "--description", "Mine")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("Added the toolbox tools."))
		Expect(h.Run("list").Stdout).To(Equal("tools\tlocal\tstdio\tMine\n"))
	})

	It("takes no name of a toolbox that exists, no flag of a server, and no broken plugin", func() {
		Expect(h.Run("add", h.Path("plug"), "--yes").Code).To(Equal(0))
		outcome := h.Run("add", h.Path("plug"), "--yes")
		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stderr).To(ContainSubstring("the toolbox tools exists in " + h.Path(OwnConfiguration) + "; give the plugin another name with --toolbox NAME"))
		Expect(h.Run("add", h.Path("plug"), "--env", "A=b").Stderr).To(ContainSubstring("--env cannot be used with the folder of a plugin"))
		h.File("plug/plugin.json", "{}")
		outcome = h.Run("add", h.Path("plug"), "--yes", "--toolbox", "other")
		Expect(outcome.Code).NotTo(Equal(0))
		Expect(outcome.Stderr).To(ContainSubstring("section 5.3"))
	})

	It("takes no plugin of which nothing can be used, and says why", func() {
		h.File("plug/mcp.json", `{"mcpServers": {"s": {"command": "x"}}}`)
		outcome := h.Run("add", h.Path("plug"), "--yes")
		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(ContainSubstring(`mcp.json has no "$schema"; so no server is used (Agent Plugins 1.0.0, section 7.2.1)`))
		Expect(outcome.Stderr).To(ContainSubstring("add the plugin tools: it has no server and no skill that can be used"))
		Expect(h.Content(OwnConfiguration)).To(Equal(`{"toolboxes": {}}`))
	})

	It("is undone by remove, with --data for the private folder", Label("PL04"), func() {
		Expect(h.Run("add", h.Path("plug"), "--yes", "--toolbox", "box").Code).To(Equal(0))
		data := strings.TrimSuffix(strings.TrimSpace(h.called("cwd")), "/work")
		Expect(h.Run("remove", "box").Code).To(Equal(0))
		Expect(h.Content(OwnConfiguration)).To(MatchJSON(`{"toolboxes": {}}`))
		Expect(data).To(BeADirectory())

		Expect(h.Run("add", h.Path("plug"), "--yes", "--toolbox", "box").Code).To(Equal(0))
		Expect(os.RemoveAll(h.Path("plug"))).To(Succeed())
		Expect(h.Run("remove", "box", "--data").Code).To(Equal(0))
		Expect(data).NotTo(BeADirectory())
		h.File(OwnConfiguration, `{"toolboxes": {"x": {"mcpServers": {"s": {"command": "x"}}}}}`)
		Expect(h.Run("remove", "x/s", "--data").Code).To(Equal(2))
	})
})
