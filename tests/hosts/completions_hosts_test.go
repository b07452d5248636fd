package hosts_test

import (
	"context"
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
)

var copilot = host{
	name: "GitHub Copilot CLI", packaged: "@github/copilot", program: "@github/copilot-linux-x64/copilot",
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		m := model.Start(calls...)
		defer m.Close()
		d.write(".copilot/mcp-config.json", d.lines("GitHub Copilot CLI"))
		d.run(ctx, "@github/copilot-linux-x64/copilot", []string{"-p", prompt, "--allow-all-tools", "--disable-builtin-mcps"},
			"COPILOT_PROVIDER_BASE_URL="+m.URL()+"/v1", "COPILOT_MODEL=gpt-4.1", "COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false")
		return modelConversation(m)
	},
}

var qwenCode = host{
	name: "Qwen Code", packaged: "@qwen-code/qwen-code", program: "@qwen-code/qwen-code/cli-entry.js", defers: true,
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		for i := range calls {
			calls[i].Tool, calls[i].Namespace = "mcp__workbench__"+calls[i].Tool, "mcp__workbench"
		}
		m := model.Start(calls...)
		defer m.Close()
		var settings map[string]any
		Expect(json.Unmarshal([]byte(d.lines("Qwen Code")), &settings)).To(Succeed())
		settings["security"] = map[string]any{"auth": map[string]any{"selectedType": "openai"}}
		settings["general"] = map[string]any{"enableAutoUpdate": false}
		settings["privacy"] = map[string]any{"usageStatisticsEnabled": false}
		settings["memory"] = map[string]any{"enableManagedAutoMemory": false, "enableManagedAutoDream": false}
		text, err := json.Marshal(settings)
		Expect(err).NotTo(HaveOccurred())
		d.write(".qwen/settings.json", string(text))
		d.run(ctx, "@qwen-code/qwen-code/cli-entry.js", []string{"-p", prompt, "--yolo"},
			"OPENAI_API_KEY=none", "OPENAI_BASE_URL="+m.URL()+"/v1", "OPENAI_MODEL=gpt-4.1")
		return modelConversation(m)
	},
}

var continueCLI = host{
	name: "Continue", packaged: "@continuedev/cli", program: "@continuedev/cli/dist/cn.js",
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		m := model.Start(calls...)
		defer m.Close()
		const file = ".continue/config.yaml"
		d.write(file, "name: mine\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: stand-in\n    provider: openai\n    model: gpt-4.1\n"+
			"    apiKey: none\n    apiBase: "+m.URL()+"/v1\n    useResponsesApi: false\n    roles: [chat]\n"+d.lines("Continue"))
		d.run(ctx, "@continuedev/cli/dist/cn.js", []string{"-p", prompt, "--auto", "--config", d.path(file)}, "CONTINUE_TELEMETRY_ENABLED=0")
		c := modelConversation(m)
		for i, result := range c.results { // a text of JSON there
			c.results[i] = strings.ReplaceAll(result, `\"`, `"`)
		}
		return c
	},
}
