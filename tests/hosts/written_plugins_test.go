package hosts_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
)

// pluginHost is a host that loads the folder of a plugin.
type pluginHost struct {
	name string
	// run starts the host with the plugin in a folder, and with the model.
	run func(ctx SpecContext, d account, folder string, m *model.Server, env ...string)
	// namespace is that of the plugin's tools, "" for none.
	namespace string
}

var pluginHosts = []pluginHost{
	{
		name: "GitHub Copilot CLI",
		run: func(ctx SpecContext, d account, folder string, m *model.Server, env ...string) {
			d.run(ctx, copilot.program, []string{"--plugin-dir", folder, "-p", prompt, "--allow-all-tools", "--disable-builtin-mcps"},
				append(env, "COPILOT_PROVIDER_BASE_URL="+m.URL()+"/v1", "COPILOT_MODEL=gpt-4.1", "COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false")...)
		},
	},
	{
		name: "Codex", namespace: "mcp__workbench",
		run: func(ctx SpecContext, d account, folder string, m *model.Server, env ...string) {
			d.write(codexFile, codexModel(m))
			d.write("market/.agents/plugins/marketplace.json", `{"name": "mine", "plugins": [{"name": "workbench-files",
				"source": {"source": "local", "path": "./workbench-files"}, "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}}]}`)
			Expect(os.Rename(folder, d.path("market/workbench-files"))).To(Succeed())
			d.run(ctx, codex.program, []string{"plugin", "marketplace", "add", d.path("market")}, env...)
			d.run(ctx, codex.program, []string{"plugin", "add", "workbench-files@mine"}, env...)
			d.run(ctx, codex.program, []string{"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt}, env...)
		},
	},
}

var _ = Describe("A plugin that the workbench wrote", Label("npm"), func() {
	for _, host := range pluginHosts {
		It("gives its toolboxes and skills to "+host.name, func(ctx SpecContext) {
			d := accountWith(seven[:2])
			d.write(".config/mcp-workbench/workbench-config.json", d.read("workbench-config.json"))
			Expect(os.Mkdir(d.path("bin"), 0o700)).To(Succeed())
			Expect(os.Symlink(programs.Workbench, d.path("bin/mcp-workbench"))).To(Succeed())
			d.command(ctx, nil, "plugin", d.path("written"), "--toolbox", "files", "--skills")
			calls := []model.Call{open("files"), use("files", "echo")}
			for i := range calls {
				calls[i].Namespace = host.namespace
			}
			m := model.Start(calls...)
			defer m.Close()
			host.run(ctx, d, d.path("written"), m, "PATH="+d.path("bin")+":"+os.Getenv("PATH"))
			c := modelConversation(m)

			Expect(c.read).To(And(ContainSubstring("workbench-files"), ContainSubstring(seven[0].description)))
			Expect(c.results).To(HaveExactElements(ContainSubstring("echo"), ContainSubstring("It says: hello")))
		})
	}
})
