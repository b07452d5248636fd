package stdio_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Checking settings", func() {
	DescribeTable("reports what was found and what is wanted",
		func(settings, problem string) {
			Expect(newTransport().Check(json.RawMessage(settings))).To(MatchError(problem))
		},
		Entry("a number for the settings", `7`, "[]: found a number, want an object"),
		Entry("no command", `{}`, "[command]: found nothing, want the program to start, a string"),
		Entry("another kind of command", `{"command":["x"]}`, "[command]: found a list, want the program to start, a string"),
		Entry("an empty command", `{"command":""}`, "[command]: found an empty string, want the program to start"),
		Entry("a string for args", `{"command":"x","args":"-y"}`, "[args]: found a string, want a list of strings"),
		Entry("a number among args", `{"command":"x","args":["a",7]}`, "[args 1]: found a number, want a string"),
		Entry("a list for env", `{"command":"x","env":["A=1"]}`, "[env]: found a list, want an object of strings"),
		Entry("true in env", `{"command":"x","env":{"A":true}}`, "[env A]: found true, want a string"),
		Entry("null for cwd", `{"command":"x","cwd":null}`, "[cwd]: found null, want a string"),
		Entry("a number for inheritEnv", `{"command":"x","inheritEnv":1}`, "[inheritEnv]: found a number, want true, false or a list of variable names"),
		Entry("a list with a number for inheritEnv", `{"command":"x","inheritEnv":["A",1]}`, "[inheritEnv]: found a list, want true, false or a list of variable names"),
		Entry("a string for installScripts", `{"command":"x","installScripts":"yes"}`, "[installScripts]: found a string, want true or false"),
	)

	DescribeTable("finds nothing wrong with", func(settings string) {
		Expect(newTransport().Check(json.RawMessage(settings))).To(Succeed())
	},
		Entry("a command", `{"command":"x"}`), Entry("everything", `{"command":"x","args":[],"env":{},"cwd":"","inheritEnv":["A"],"installScripts":true}`),
		Entry("variables", `{"command":"${A}","args":["${B:-}"],"env":{"A":"${C}"},"cwd":"${D}"}`),
		Entry("all variables", `{"command":"x","inheritEnv":"all"}`), Entry("all variables by true", `{"command":"x","inheritEnv":true}`),
	)

	It("does not show a secret in the place of another type", func() {
		err := newTransport().Check(json.RawMessage(`{"command":"x","args":"secret-value","env":"secret-value","inheritEnv":"secret-value"}`))

		Expect(err).To(HaveOccurred())
		Expect(err.Error()).NotTo(ContainSubstring("secret-value"))
	})
})
