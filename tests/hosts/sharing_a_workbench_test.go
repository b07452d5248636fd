package hosts_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// shareWorkbench makes the workbench of the account run in the background, with servers that windows share. It
// returns the program for windows. Windows have separate homes, since each is a separate conversation with its
// host; their workbenches start as in the account. Codex passes on only some variables, so they start without
// the others.
func (d account) shareWorkbench() (program string) {
	GinkgoHelper()
	config := strings.Replace(d.read("workbench-config.json"), "{", `{"background":true,`, 1)
	d.write("workbench-config.json", strings.ReplaceAll(config, `"command":`, `"shared":true,"command":`))
	d.write("mcp-workbench", "#!/bin/sh\nunset HTTP_PROXY HTTPS_PROXY NO_PROXY\nexport HOME='"+d.directory+"' TMPDIR='"+d.directory+
		"' WORKBENCH_CONFIG='"+d.path("workbench-config.json")+"'\nexec '"+programs.Workbench+"' serve\n")
	Expect(os.Chmod(d.path("mcp-workbench"), 0o700)).To(Succeed())
	return d.path("mcp-workbench")
}

// running returns how many processes of the account have a text in their command line.
func (d account) running(text string) int {
	GinkgoHelper()
	return len(slices.DeleteFunc(d.processes(), func(line string) bool { return !strings.Contains(line, text) }))
}

var _ = Describe("Ten windows of four hosts whose workbench runs in the background", Label("M11"), func() {
	windows := []host{claudeCode, codex, geminiCLI, openCode, claudeCode, codex, geminiCLI, openCode, claudeCode, codex}

	It("share one workbench and one process of a server, and leave nothing when the workbench is stopped", func(ctx SpecContext) {
		d, release := observedAccount()
		program := d.shareWorkbench()
		DeferCleanup(func(ctx context.Context) { d.runToEnd(ctx, programs.Workbench, []string{"stop"}) })
		var running sync.WaitGroup
		for i, h := range windows {
			window := newAccount("{}")
			window.workbench = program
			running.Go(func() {
				defer GinkgoRecover()
				c := h.converse(ctx, window, observedCalls())
				Expect(c.results).To(HaveLen(4), h.name)
				Expect(c.results[3]).To(ContainSubstring("Released"), h.name)
			})
			Eventually(ctx, func() []shownHost { return d.hostsShown(ctx) }).Should(And(HaveLen(i+1), HaveEach(And(
				HaveField("Transport", "background"), HaveField("Toolboxes", ConsistOf("memory")),
			))), h.name)
		}
		Expect(d.running("__background")).To(Equal(1))
		Expect(d.running("-script")).To(Equal(1))
		release()
		running.Wait()

		Expect(d.run(ctx, programs.Workbench, []string{"stop"})).To(HavePrefix("ended the background workbench "))
		Eventually(func() int { return d.running("-script") + d.running("__background") }).WithTimeout(patience).Should(BeZero())
	})
})
