package setup_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles/setup"
)

var _ = Describe("What is pasted behind add", func() {
	const settings = `{"name":"alpha","command":"npx","env":{"KEY":"q7Zp"}}`
	DescribeTable("is read as JSON", func(words ...string) {
		name, text, isPasted, err := setup.Pasted(words, -1)

		Expect(err).NotTo(HaveOccurred())
		Expect(isPasted).To(BeTrue())
		Expect(name).To(Equal("alpha"))
		Expect(string(text)).To(Equal(settings))
	}, Entry("that has its name", settings), Entry("behind a name", "alpha", settings))

	DescribeTable("is refused without repeating it", func(words ...string) {
		_, _, isPasted, err := setup.Pasted(words, -1)

		Expect(isPasted).To(BeFalse())
		Expect(err).To(MatchError(Not(ContainSubstring("q7Zp"))))
	},
		Entry("as JSON without a name", `{"command":"npx","env":{"KEY":"q7Zp"}}`),
		Entry("as a command line", "npx -y alpha --key q7Zp"),
		Entry("as a link of Cursor", "alpha", "cursor://anysphere.cursor-deeplink/mcp/install?name=alpha&config=q7Zp"),
		Entry("as a link of VS Code", "vscode:mcp/install?q7Zp"),
		Entry("as a link of its preview", "alpha", "vscode-insiders:mcp/install?q7Zp"),
		Entry("as what is no name", "a;q7Zp"),
	)

	DescribeTable("is nothing that a name, a command or an address is", func(dash int, words ...string) {
		_, _, isPasted, err := setup.Pasted(words, dash)

		Expect(isPasted).To(BeFalse())
		Expect(err).NotTo(HaveOccurred())
	},
		Entry("a name", -1, "io.github.octo/files@1.0.0"), Entry("an address", -1, "a", "https://x.example/mcp"), Entry("values", -1, "files", "A={x}"),
		Entry("a command", 1, "a", "npx", "{}"),
	)
})
