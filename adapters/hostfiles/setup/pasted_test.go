package setup_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles/setup"
)

var _ = Describe("What is pasted behind add", func() {
	const settings = `{"name":"alpha","command":"npx","env":{"KEY":"q7Zp"}}`
	DescribeTable("is read as JSON", func(words ...string) {
		pasted, isPasted, err := setup.ReadPasted(words, -1)

		Expect(err).NotTo(HaveOccurred())
		Expect(isPasted).To(BeTrue())
		Expect(pasted.Name).To(Equal("alpha"))
		Expect(string(pasted.Text)).To(Equal(words[len(words)-1]))
		Expect(pasted.IsLinked).To(BeFalse())
	},
		Entry("that has its name", settings), Entry("behind a name", "alpha", settings),
		Entry("as files of hosts have it", `{"mcpServers":{"alpha":{"command":"npx"}}}`), Entry("as VS Code has it", `{"servers": {"alpha": {"command": "npx"}}}`),
		Entry("as a part of a file", `"alpha": {"command": "npx"}`), Entry("as a part of a file behind a name", "alpha", `"gh": {"command": "npx"}`),
		Entry("as an object of servers", `{"alpha":{"command":"npx"}}`),
	)

	DescribeTable("is read as a link of an editor", func(words ...string) {
		pasted, isPasted, err := setup.ReadPasted(words, -1)

		Expect(err).NotTo(HaveOccurred())
		Expect(isPasted).To(BeTrue())
		Expect(pasted.Name).To(Equal("alpha"))
		Expect(string(pasted.Text)).To(ContainSubstring(`"command":"npx"`))
		Expect(pasted.IsLinked).To(BeTrue())
	},
		Entry(nil, "cursor://anysphere.cursor-deeplink/mcp/install?name=alpha&config=eyJjb21tYW5kIjoibnB4IiwiYXJncyI6WyIteSJdfQ=="),
		Entry(nil, "alpha", "cursor://anysphere.cursor-deeplink/mcp/install?name=other&config=eyJjb21tYW5kIjoibnB4IiwiYXJncyI6WyIteSJdfQ%3D%3D"),
		Entry(nil, "https://cursor.com/en/install-mcp?name=alpha&config=eyJjb21tYW5kIjoibnB4IiwiYXJncyI6WyIteSJdfQ"),
		Entry(nil, "vscode:mcp/install?%7B%22name%22%3A%22alpha%22%2C%22command%22%3A%22npx%22%7D"),
		Entry(nil, "vscode-insiders:mcp/install?%7B%22name%22%3A%22alpha%22%2C%22command%22%3A%22npx%22%7D"),
		Entry(nil, "https://insiders.vscode.dev/redirect/mcp/install?name=alpha&config=%7B%22command%22%3A%22npx%22%7D&quality=insiders"),
		Entry(nil, "https://vscode.dev/redirect?url=vscode%3Amcp%2Finstall%3F%257B%2522name%2522%253A%2522alpha%2522%252C%2522command%2522%253A%2522npx%2522%257D"),
	)

	DescribeTable("is refused without repeating it", func(words ...string) {
		_, isPasted, err := setup.ReadPasted(words, -1)

		Expect(isPasted).To(BeFalse())
		Expect(err).To(MatchError(Not(ContainSubstring("q7Zp"))))
	},
		Entry("as JSON without a name", `{"command":"npx","env":{"KEY":"q7Zp"}}`),
		Entry("as JSON of several servers", `{"mcpServers":{"a":{"command":"x","env":{"KEY":"q7Zp"}},"b":{"command":"x"}}}`),
		Entry("as a command line", "npx -y alpha --key q7Zp"),
		Entry("as a link of Cursor", "alpha", "cursor://anysphere.cursor-deeplink/mcp/install?name=alpha&config=q7Zp"),
		Entry("as a link of VS Code", "vscode:mcp/install?q7Zp"),
		Entry("as a link of its preview", "alpha", "vscode-insiders:mcp/install?q7Zp"),
		Entry("as what is no name", "a;q7Zp"),
	)

	DescribeTable("is nothing that a name, a command or an address is", func(dash int, words ...string) {
		_, isPasted, err := setup.ReadPasted(words, dash)

		Expect(isPasted).To(BeFalse())
		Expect(err).NotTo(HaveOccurred())
	},
		Entry("a name", -1, "io.github.octo/files@1.0.0"), Entry("an address", -1, "a", "https://x.example/mcp"), Entry("one of an editor's own", -1, "a", "https://cursor.com/mcp"), Entry("values", -1, "files", "A={x}"),
		Entry("a command", 1, "a", "npx", "{}"),
	)
})
