package hosts_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
)

var _ = Describe("In the folder of a project with a configuration", func() {
	for _, h := range []host{claudeCode, codex, geminiCLI, openCode} {
		It("a host uses its toolboxes beside the user's, once the user trusts it: "+h.name, func(ctx SpecContext) {
			d := accountWith([]toolbox{{"memory", "A memory that outlives the conversation"}})
			own := ".config/mcp-workbench/workbench-config.json" // the user's own file, which hosts are connected with
			d.write(own, d.read("workbench-config.json"))
			d.workbench = d.path("mcp-workbench")
			d.write("mcp-workbench", "#!/bin/sh\nexec '"+programs.Workbench+"' --config '"+d.path(own)+"'\n")
			Expect(os.Chmod(d.workbench, 0o700)).To(Succeed())
			d.write("work/workbench-config.json", configurationOf(d.path("script.json"), []toolbox{{"shop", "The servers of this project"}}))
			d.run(ctx, programs.Workbench, []string{"trust", "--yes"})

			c := h.converse(ctx, d, []model.Call{open("shop"), use("shop", "echo"), open("memory"), use("memory", "echo")})

			Expect(c.read).To(ContainSubstring("shop"))
			Expect(c.results).To(HaveLen(4))
			Expect(c.results[1]).To(ContainSubstring("It says: hello"))
			Expect(c.results[3]).To(ContainSubstring("It says: hello"))
			Eventually(d.processes).WithTimeout(patience).Should(BeEmpty())
		})
	}
})
