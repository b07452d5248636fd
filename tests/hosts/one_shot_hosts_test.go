package hosts_test

import (
	"context"
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
)

var mcporter = host{
	name: "mcporter", packaged: "mcporter", program: "mcporter/dist/cli.js", oneShot: true,
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		d.write(".mcporter/mcporter.json", d.lines("mcporter"))
		c := conversation{read: d.run(ctx, "mcporter/dist/cli.js", []string{"list", "workbench", "--schema"})}
		for _, call := range calls {
			c.results = append(c.results, d.run(ctx, "mcporter/dist/cli.js",
				[]string{"call", "workbench." + call.Tool, "--args", call.Arguments, "--output", "text"}))
		}
		return c
	},
}

const inspectorProgram = "@modelcontextprotocol/inspector/cli/build/cli.js"

var inspector = host{
	name: "Inspector", packaged: "@modelcontextprotocol/inspector", program: inspectorProgram, oneShot: true,
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		d.write("mcp.json", d.lines("Inspector"))
		inspect := func(arguments ...string) string {
			return d.run(ctx, inspectorProgram,
				append([]string{"--cli", "--config", d.path("mcp.json"), "--server", "workbench", "--method"}, arguments...))
		}
		c := conversation{read: inspect("tools/list")}
		for _, call := range calls {
			arguments := []string{"tools/call", "--tool-name", call.Tool}
			var members map[string]json.RawMessage
			Expect(json.Unmarshal([]byte(call.Arguments), &members)).To(Succeed())
			for name, value := range members {
				arguments = append(arguments, "--tool-arg", name+"="+strings.Trim(string(value), `"`))
			}
			var result struct{ Content []struct{ Text string } }
			printed := inspect(arguments...)
			Expect(json.Unmarshal([]byte(printed), &result)).To(Succeed(), printed)
			Expect(result.Content).NotTo(BeEmpty(), printed)
			c.results = append(c.results, result.Content[0].Text)
		}
		return c
	},
}
