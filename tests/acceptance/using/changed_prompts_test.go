package using_test

import (
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

const promptsListChanged = "notifications/prompts/list_changed"

// followPrompts makes a host follow the list of prompts in the way of its era.
func followPrompts(host Host) {
	GinkgoHelper()
	if host.Modern {
		before := len(host.Sent("notifications/subscriptions/acknowledged"))
		host.Begin("subscriptions/listen", host.Params(`"notifications":{"promptsListChanged":true}`))
		acknowledged := host.AwaitSent("notifications/subscriptions/acknowledged", before+1)
		Expect(acknowledged.Member("notifications")).To(Equal(`{"promptsListChanged":true}`))
	}
}

// expectPromptsChanged expects that the nth notification that prompts changed came after
// the answer to a request.
func expectPromptsChanged(host Host, n int, id string) {
	GinkgoHelper()
	SkipOverHTTP("the answer and the notification come on two streams")
	host.AwaitSent(promptsListChanged, n)
	seen := 0
	for _, m := range host.Received() {
		switch {
		case m.Method == promptsListChanged:
			seen++
		case m.Method == "" && string(m.ID) == id:
			Expect(seen).To(Equal(n-1), "it should come after the answer")
			return
		}
	}
	Fail("there is no answer to " + id)
}

// changingPrompts returns a promptScript whose tool "read" changes its prompts and announces the change.
func changingPrompts(name string, era Era) script.Script {
	changed := filepath.Join(GinkgoT().TempDir(), "changed")
	notification := script.Step{Line: `{"jsonrpc":"2.0","method":"` + promptsListChanged + `"}`}
	s := withFirstRules(promptScript(name),
		script.Rule{Method: "prompts/list", Once: true, Do: []script.Step{{Result: `{"prompts":[{"name":"old"}]}`}}},
		script.Rule{Method: "prompts/list", Do: []script.Step{{Result: `{"prompts":[{"name":"new"}]}`}}},
	)
	if !era.Modern {
		return withFirstRules(s, script.Rule{Method: "tools/call", Do: []script.Step{notification, {Result: script.Text("done")}}})
	}
	notification.Line = `{"jsonrpc":"2.0","method":"` + promptsListChanged + `","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}}}`
	return withFirstRules(s,
		script.Rule{Method: "subscriptions/listen", Background: true, Do: []script.Step{
			{Line: `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"promptsListChanged":true},` +
				`"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}}}`},
			{AwaitFile: changed},
			notification,
		}},
		script.Rule{Method: "tools/call", Do: []script.Step{{Touch: changed}, {Result: script.Text("done")}}})
}

var _ = Describe("A host that follows prompts", func() {
	BetweenEras(func(ofHost, ofServer Era) {
		It("hears that a toolbox added some, after the answer that opened it, and that they changed", func() {
			server := Scripted("a", ofServer.Script(changingPrompts("a", ofServer)))
			host := Connect(Start(Launch{Config: Configuration(InDev(server))}), ofHost.Modern, `{}`)
			followPrompts(host)
			Expect(promptNames(host)).To(BeEmpty())

			expectPromptsChanged(host, 1, host.BeginTool("open_toolbox", `{"toolbox":"dev"}`))
			Expect(server.ReceivedWith("prompts/list")).To(BeEmpty(), "no host asked for them yet")
			Expect(promptNames(host)).To(Equal([]string{"dev__a_old"}))
			host.Use("dev", "a", "read", "{}")
			notices := host.AwaitSent(promptsListChanged, 2)

			if ofHost.Modern {
				Expect(notices.Member("_meta")).To(ContainSubstring("subscriptionId"))
			} else {
				Expect(notices.Params).To(BeNil())
			}
			Expect(promptNames(host)).To(Equal([]string{"dev__a_new"}))
		})
	})
})
