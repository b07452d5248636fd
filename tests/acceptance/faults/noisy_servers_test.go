package faults_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// garbage has examples of lines that servers print and that are not messages.
var garbage = []string{
	"Server listening on stdio…", "", "   ", "{", `{"jsonrpc":"2.0"`, `{"jsonrpc":"2.0","id":1,"result":`, "null", "true", "7",
	`"text"`, "[]", `[{"jsonrpc":"2.0","id":1,"result":{}}]`, "{}", `{"level":"info","msg":"started"}`,
	`{"jsonrpc":"1.0","id":1,"result":{}}`, `{"id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1}`,
	`{"jsonrpc":"2.0","id":{},"result":{}}`, "\x00\x01\x02", "\xff\xfe", "\x1b[31mred\x1b[0m",
	strings.Repeat("[", 20_000), `{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}",
}

// printSteps returns the steps that print lines unchanged.
func printSteps(lines ...string) []script.Step {
	steps := make([]script.Step, len(lines))
	for i, line := range lines {
		steps[i] = script.Step{Raw: line + "\n"}
	}
	return steps
}

var _ = Describe("Using a server that prints more than messages", func() {
	DescribeTable("passes over a banner before the first message", Label("W01"), func(level string, noted int) {
		s := WithTools("t")
		for i := range 100 {
			s.Start = append(s.Start, printSteps(fmt.Sprint("banner line ", i))...)
		}
		w := Start(Launch{
			Config: Configuration(InDev(Scripted("noisy", s))), Args: []string{"--log-level", level},
		})

		Expect(w.Open("dev").Names()).To(Equal([]string{"t"}))
		Expect(w.Use("dev", "noisy", "t", "{}").Text()).To(Equal("done"))
		Expect(w.End()).To(Equal(0))
		Expect(strings.Count(w.Stderr(), "ignored a line of the server's output")).To(Equal(noted))
		Expect(w.Stderr()).NotTo(ContainSubstring("banner"), "what a line holds may be a secret")
	},
		Entry("which the log has at debug", "debug", 100),
		Entry("which the log does not have at info", "info", 0),
	)

	It("passes over garbage before every answer", Label("W01"), func() {
		s := WithTools("t")
		s.Rules = []script.Rule{{Method: "tools/call", Do: append(printSteps(garbage...), script.Step{Result: `{"content":[],"heard":${arguments}}`})}}
		server := Scripted("noisy", s)
		w := Serve(InDev(server))
		w.Open("dev")

		for i := range 1000 {
			arguments := fmt.Sprint(`{"n":`, i, `}`)
			Expect(string(w.Use("dev", "noisy", "t", arguments).Result)).To(Equal(`{"content":[],"heard":` + arguments + `}`))
		}
		Expect(server.Starts()).To(Equal(1))
	})

	It("is not delayed by a flood on stderr, and passes little of it on", Label("W11"), func() {
		s := WithTools("t")
		s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{
			{Stderr: strings.Repeat("noise ", 200), Times: 500}, {Result: script.Text("done")},
		}}}
		w := Start(Launch{
			Config: Configuration(InDev(Scripted("noisy", s))), Args: []string{"--log-level", "debug"},
		})
		w.Open("dev")

		for range 10 {
			Expect(w.Use("dev", "noisy", "t", "{}").Text()).To(Equal("done"))
		}
		Expect(w.End()).To(Equal(0))
		Expect(len(w.Stderr())).To(BeNumerically("<", 1<<20))
	})
})
