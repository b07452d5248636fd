package using_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// methodsSaid returns the methods of the requests and notifications that a host got.
func methodsSaid(host Host) (methods []string) {
	for _, m := range host.Received() {
		if m.Method != "" {
			methods = append(methods, m.Method)
		}
	}
	return methods
}

var _ = Describe("A question of a server that hosts share", Label("M10"), func() {
	questions := []struct{ name, method, params string }{
		{"roots", "roots/list", ""},
		{"a sample", "sampling/createMessage", SamplingParams},
		{"a form", "elicitation/create", FormParams},
		{"a page to visit", "elicitation/create", PageParams},
		{"something new", "vendor/new", `{}`},
	}
	for _, e := range Eras {
		for _, asks := range questions {
			It("is answered with an error, and reaches no host, when a server of "+e.Name+" asks for "+asks.name, func() {
				server := e.Server(Asking(asks.method, asks.params), Shared)
				a, b := twoHosts(Older, Modern, server)

				for _, host := range []Host{a, b} {
					heard := string(host.Use("dev", "files", "ask", "{}").Result)
					Expect(heard).To(ContainSubstring(`"heard":{"error":{"code":-32601,"message":"several hosts share this server, and none of them answers ` + asks.method + `"`))
				}

				Expect(methodsSaid(a)).To(BeEmpty())
				Expect(methodsSaid(b)).To(BeEmpty())
			})
		}
	}

	BetweenHosts(func(first, other Era) {
		It("reaches only the host that made the call when a server of 2026-07-28 answers with a question", func() {
			server := Modern.Server(RequiringInput(1), Shared)
			a, b := twoHosts(first, other, server)

			id := a.BeginUse("dev", "files", "ask", `{"a":1.0}`)
			if first.Modern {
				state := RequiredInputOf(a.Await(id)).State
				stolen := b.Await(continueCall(b, "files", "ask", state, `{"who":{"action":"decline"},"where":{"roots":[]}}`))
				Expect(stolen.Line).NotTo(ContainSubstring("heard"))
				Expect(server.ReceivedWith("tools/call")).To(HaveLen(1))
				id = continueCall(a, "files", "ask", state, `{"who":{"action":"decline"},"where":{"roots":[]}}`)
			} else {
				a.Reply(a.AwaitSent("roots/list", 1), `{"roots":[]}`)
				a.Reply(a.AwaitSent("elicitation/create", 1), `{"action":"decline"}`)
			}

			Expect(string(a.Await(id).Result)).To(ContainSubstring(`"action":"decline"`))
			Expect(methodsSaid(b)).To(BeEmpty())
			Expect(server.ReceivedWith("tools/call")).To(HaveLen(2))
		})
	})
})
