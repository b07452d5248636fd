package hosts_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Adding a server as a README says", Label("FP04"), func() {
	var home HomeFolder
	BeforeEach(func() { home = NewHomeFolder() })

	DescribeTable("takes the forms of other programs", func(server string, args ...string) {
		outcome := home.Run(append([]string{args[0], "--toolbox", "t"}, args[1:]...)...)
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(home.Content(OwnConfiguration)).To(MatchJSON(`{"definitions": "auto", "results": "fit", "openOnUse": true, "start": "lazy", "toolboxes": {"t": {"mcpServers": {"foo": ` + server + `}}}}`))
	},
		Entry("of Codex", `{"url": "https://docs.example.com/mcp"}`, "add", "foo", "--url", "https://docs.example.com/mcp"),
		Entry("of Codex with a token", `{"url": "https://docs.example.com/mcp", "headers": {"Authorization": "Bearer ${DOCS_TOKEN}"}}`,
			"add", "foo", "--url", "https://docs.example.com/mcp", "--bearer-token-env-var", "DOCS_TOKEN"),
		Entry("the whole object", `{"command": "npx", "args": ["-y", "foo-mcp"]}`, "add-json", "foo", `{"mcpServers": {"foo": {"command": "npx", "args": ["-y", "foo-mcp"]}}}`),
		Entry("the whole object with another name", `{"command": "npx"}`, "add-json", "foo", `{"mcpServers": {"bar": {"command": "npx"}}}`),
		Entry("one of several", `{"command": "y"}`, "add-json", "foo", `{"mcpServers": {"bar": {"command": "x"}, "foo": {"command": "y"}}}`),
		Entry("a member", `{"command": "npx"}`, "add-json", "foo", `{"foo": {"command": "npx"}}`),
		Entry("a member without its object", `{"command": "npx"}`, "add-json", "foo", `"foo": {"command": "npx"}`),
		Entry("the whole object behind add", `{"command": "npx"}`, "add", `{"mcpServers": {"foo": {"command": "npx"}}}`),
		Entry("a member behind add", `{"command": "npx"}`, "add", `"foo": {"command": "npx"}`),
		Entry("an object behind a name", `{"command": "npx"}`, "add", "foo", `{"command": "npx"}`),
		Entry("a link of Cursor, after a yes", `{"command": "npx", "args": ["-y"]}`, "add", "--yes",
			"cursor://anysphere.cursor-deeplink/mcp/install?name=foo&config=eyJjb21tYW5kIjoibnB4IiwiYXJncyI6WyIteSJdfQ=="),
		Entry("a link of VS Code, after a yes", `{"command": "npx"}`, "add", "--yes", "vscode:mcp/install?%7B%22name%22%3A%22foo%22%2C%22command%22%3A%22npx%22%7D"),
		Entry("of Gemini CLI", `{"url": "https://x.example.com/mcp"}`, "add-json", "foo", `{"httpUrl": "https://x.example.com/mcp"}`),
		Entry("of opencode", `{"command": "npx", "args": ["-y", "foo-mcp"], "env": {"A": "${B}"}}`,
			"add-json", "foo", `{"type": "local", "command": ["npx", "-y", "foo-mcp"], "environment": {"A": "{env:B}"}}`),
		Entry("of VS Code", `{"command": "npx", "env": {"T": "${T}"}}`, "add-json", "foo", `{"servers": {"foo": {"command": "npx", "env": {"T": "${env:T}"}}}}`),
		Entry("with a comma too many", `{"command": "npx", "args": ["-y"]}`, "add-json", "foo", `{"command": "npx", "args": ["-y",],}`),
		Entry("switched off", `{"command": "npx", "disabled": true}`, "add-json", "foo", `{"command": "npx", "enabled": false}`),
	)

	It("names placeholders with what to write instead, and never a value", func() {
		outcome := home.Run("add", "foo", `{"command": "npx", "env": {"API_KEY": "YOUR_API_KEY"}}`)
		Expect(outcome.Stdout).To(ContainSubstring(`note: env.API_KEY is a placeholder: write "${API_KEY}", and set API_KEY where hosts are started`))
		Expect(strings.Count(outcome.Stdout, "is a placeholder")).To(Equal(1))
	})

	DescribeTable("says what to do instead", func(code int, reason string, args ...string) {
		outcome := home.Run(args...)
		Expect(outcome.Code).To(Equal(code), outcome.Stdout)
		Expect(outcome.Stderr).To(ContainSubstring(reason))
		Expect(outcome.Stderr).NotTo(Or(ContainSubstring("workbench-config.json:"), ContainSubstring("secret-of")))
		Expect(home.Path(OwnConfiguration)).NotTo(BeAnExistingFile())
	},
		Entry(nil, 2, "name the address once", "add", "foo", "https://a", "--url", "https://b"),
		Entry(nil, 2, "--bearer-token-env-var wants the name of a variable", "add", "foo", "--url", "https://b", "--bearer-token-env-var", "secret-of-b"),
		Entry(nil, 2, "--bearer-token-env-var is for addresses", "add", "foo", "--bearer-token-env-var", "T", "--", "x"),
		Entry(nil, 2, "run 'mcp-workbench add LINK --yes'", "add", "vscode:mcp/install?%7B%22name%22%3A%22foo%22%2C%22command%22%3A%22npx%22%2C%22env%22%3A%7B%22T%22%3A%22secret-of-a%22%7D%7D"),
		Entry(nil, 2, "this link of an editor has no server that can be read", "add", "foo", "cursor://x/mcp/install?name=foo&config=secret-of-a"),
		Entry(nil, 2, "'mcp-workbench add-json JSON' adds what follows it", "add", "--add-mcp", `{"name":"secret-of-a"}`),
		Entry(nil, 2, "several servers, and none of that name", "add-json", "foo", `{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}`),
		Entry(nil, 2, `want a JSON object, such as {"command": "npx", "args": []} (at line 1, column 13:`, "add-json", "foo", `{"command": secret-of-a}`),
		Entry(nil, 2, "want a JSON object", "add-json", "foo", `npx -y secret-of-a`),
		Entry(nil, 2, `want "command" or "url"`, "add-json", "foo", `{}`),
		Entry(nil, 3, "foo.url: found", "add-json", "foo", `{"url": "ws://x"}`),
	)
})
