package realservers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Locking the tools of a real server that shows different tools to different hosts", func() {
	// shown opens the toolbox as a host with these capabilities.
	shown := func(ctx context.Context, path, capabilities string) (names []string, warnings []string) {
		GinkgoHelper()
		env := append(environment(), "WORKBENCH_PINNING=block")
		w := workbench{startHost(env, programs.Workbench, "--config", path)}
		w.request(ctx, "initialize", `{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`,"clientInfo":{"name":"spec","version":"1"}}`)
		w.notify("notifications/initialized", `{}`)
		opened := w.open(ctx, "real")
		for _, definition := range opened.Tools {
			var tool struct{ Name string }
			Expect(json.Unmarshal(definition, &tool)).To(Succeed())
			names = append(names, tool.Name)
		}
		return names, opened.Warnings
	}
	run := func(ctx context.Context, args ...string) string {
		GinkgoHelper()
		var out bytes.Buffer
		program := exec.CommandContext(ctx, programs.Workbench, args...)
		program.Env, program.Stdout, program.Stderr = environment(), &out, GinkgoWriter
		Expect(program.Run()).To(Succeed(), "%s", &out)
		return out.String()
	}

	DescribeTable("hides none of them from any host",
		func(ctx SpecContext, capabilities string, count int) {
			path := configuration(toolbox{"real", []server{everything()}})
			Expect(run(ctx, "lock", "--config", path)).To(ContainSubstring("written (tools: 19)"))
			Expect(run(ctx, "lock", "--check", "--config", path)).To(ContainSubstring("up to date (tools: 19)"))

			names, warnings := shown(ctx, path, capabilities)

			Expect(names).To(HaveLen(count))
			Expect(warnings).To(BeEmpty())
		},
		Entry("with no capabilities", `{}`, 13, SpecTimeout(2*time.Minute)),
		Entry("with roots, sampling and elicitation",
			`{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}`, 17, SpecTimeout(2*time.Minute)),
		Entry("with tasks as well", `{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}},`+
			`"tasks":{"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}}}`, 19, SpecTimeout(2*time.Minute)),
	)
})
