package soak_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server that asks the host without end", Label("TQ06"), func() {
	const questions, inAnyCase = 400_000, 150 * mib
	const asks = `{"jsonrpc":"2.0","id":"%s${n}","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`

	for _, reads := range []bool{true, false} {
		for _, e := range Eras {
			name := "reads what it is answered"
			if !reads {
				name = "does not read what it is answered"
			}
			It("and "+name+" stays within the memory bound, with a host of "+e.Name, func() {
				line := strings.Replace(asks, "%s", strings.Repeat("x", 1000), 1)
				s := WithTools("flood", "read")
				flood := script.Rule{Method: "tools/call", Tool: "flood", Background: reads, Do: []script.Step{
					{Line: line, Times: questions}, {Result: script.Text("flooded")},
				}}
				s.Rules = []script.Rule{flood, script.Answer("read", script.Text("done"))}
				w := Start(Launch{Config: Configuration(NewToolbox("dev", scripted("s", s, `"limits": {"inFlight": 100}`)))})
				host := Connect(w, e.Modern, `{"elicitation":{"form":{}}}`)
				host.Open("dev")

				id := host.BeginUse("dev", "s", "flood", "{}")
				if e.Modern {
					Expect(string(host.Await(id).Result)).To(ContainSubstring("input_required"))
				} else {
					host.Await(id)
				}

				if !e.Modern { // its next call gets the server's questions
					Expect(host.Use("dev", "s", "read", "{}").Text()).To(Equal("done"))
				}
				expectPeak(w, inAnyCase)
			})
		}
	}
})
