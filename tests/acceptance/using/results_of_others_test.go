package using_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A kept result over HTTP", func() {
	const ofOne, ofOther = "token-of-one-that-is-long", "token-of-another-that-is-long"

	BetweenHosts(func(first, other Era) {
		It("is shown only to the caller that made the call", func() {
			tokens := `{"tokens": {
				"one": {"value": "` + ofOne + `", "toolboxes": ["*"]}, "other": {"value": "` + ofOther + `", "toolboxes": ["*"]}
			}}`
			server := Older.Server(resultScript(script.Text(issues(100))), Shared)
			w := Listen(Launch{Config: WithRoot(WithHTTP(tokens, InDev(server)), fittingSoon)})
			a, b := Connect(w.AnotherHostWith(ofOne), first.Modern, "{}"), Connect(w.AnotherHostWith(ofOther), other.Modern, "{}")
			a.Open("dev")
			b.Open("dev")
			id := keptID(a.Use("dev", "files", "get", "{}"))

			Expect(readResult(b, fmt.Sprintf(`{"id":%q}`, id)).Failure()).To(Equal("Result '" + id + "' is not kept any more; call the tool again"))
			Expect(shownIn(readResult(a, fmt.Sprintf(`{"id":%q}`, id))).Content[0].Text).To(HavePrefix(`[{"number":0`))
		})
	})

	It("has an id that cannot be guessed, since programs without a session count as one host", func() {
		w := Listen(Launch{Config: WithRoot(Configuration(InDev(Scripted("files", resultScript(script.Text(issues(100)))))), fittingSoon)})
		a := Connect(w.AnotherHost(), true, "{}")

		Expect(keptID(a.Use("dev", "files", "get", "{}"))).To(MatchRegexp(`^r1-[a-z2-7]{10}$`))
		Expect(readResult(Connect(w.AnotherHost(), true, "{}"), `{"id":"r1"}`).Failure()).To(ContainSubstring("is not kept any more"))
	})
})
