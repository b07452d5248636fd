package hosts_test

import (
	"encoding/json"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

const commentedConfiguration = `{
  // mine
  "toolboxes": {
    "code": {
      "description": "Code", // short
      "mcpServers": {
        "git": {"command": "git-mcp"}, // daily
      },
    },
  },
}
`

var _ = Describe("Adding and removing servers", func() {
	var home HomeFolder
	BeforeEach(func() { home = NewHomeFolder() })

	It("keeps every other byte, and removing restores the file", func() {
		home.File(OwnConfiguration, commentedConfiguration)

		added := home.Run("add", "issues", "--toolbox", "code", "-e", "HUB_KEY=secret-of-hub", "-e", "PASSED", "--", "npx", "-y", "issues-mcp", "--verbose")
		Expect(added.Code).To(Equal(0), added.Stderr)
		Expect(added.Stdout).To(ContainSubstring("Added code/issues.\n"))
		Expect(added.Stdout).To(ContainSubstring("environment variable 'PASSED' is not set"))
		Expect(added.Stdout + added.Stderr).NotTo(ContainSubstring("secret-of"))
		text := home.Content(OwnConfiguration)
		Expect(text).To(And(
			ContainSubstring("// mine"), ContainSubstring("// short"), ContainSubstring("// daily"),
			ContainSubstring(`"HUB_KEY": "secret-of-hub"`), ContainSubstring(`"PASSED": "${PASSED}"`), ContainSubstring(`"--verbose"`),
		))
		Expect(home.Run("validate").Stdout).To(ContainSubstring("ok (toolboxes: 1, servers: 2)"))

		removed := home.Run("remove", "issues")
		Expect(removed.Code).To(Equal(0), removed.Stderr)
		Expect(home.Content(OwnConfiguration)).To(Equal(commentedConfiguration))
	})

	It("creates a configuration that only its owner can read, with a toolbox that fits", func() {
		outcome := home.Run("add", "pw", "--", "npx", "@playwright/mcp@latest", "--headless")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(home.Content(OwnConfiguration)).To(MatchJSON(`{"definitions": "auto", "results": "fit", "openOnUse": true, "start": "lazy", "toolboxes": {"browser": {
			"description": "pw: a web browser that opens and operates pages",
			"mcpServers": {"pw": {"command": "npx", "args": ["@playwright/mcp@latest", "--headless"]}}}}}`))
		info, err := os.Stat(home.Path(OwnConfiguration))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(BeEquivalentTo(0o600))
		Expect(home.Run("remove", "browser/pw").Code).To(Equal(0))
		Expect(home.Content(OwnConfiguration)).To(MatchJSON(`{"definitions": "auto", "results": "fit", "openOnUse": true, "start": "lazy", "toolboxes": {}}`))
	})

	DescribeTable("accepts the forms of claude mcp add", func(server string, args ...string) {
		outcome := home.Run(append([]string{"add", "--toolbox", "t"}, args...)...)
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(home.Content(OwnConfiguration)).To(MatchJSON(`{"definitions": "auto", "results": "fit", "openOnUse": true, "start": "lazy", "toolboxes": {"t": {"mcpServers": ` + server + `}}}`))
	},
		Entry(nil, `{"sentry": {"url": "https://mcp.sentry.dev/mcp"}}`, "--transport", "http", "sentry", "https://mcp.sentry.dev/mcp"),
		Entry(nil, `{"a": {"url": "https://h/sse", "transport": "sse", "headers": {"X-Key": "${K:-a:b}"}}}`, "-t", "sse", "a", "https://h/sse", "-H", "X-Key: ${K:-a:b}"),
		Entry(nil, `{"a": {"command": "npx", "args": ["b"], "env": {"K": "v=w"}}}`, "a", "--env", "K=v=w", "--transport", "stdio", "--", "npx", "b"),
		Entry(nil, `{"a": {"url": "https://h", "oauth": {"clientId": "x", "clientSecret": "${MCP_CLIENT_SECRET}", "redirectUri": "http://localhost:3118/callback"}}}`,
			"--client-id", "x", "--client-secret", "--callback-port", "3118", "a", "https://h"),
		Entry(nil, `{"a": {"url": "https://h", "oauth": {"clientId": "x", "clientSecret": "${S}", "issuer": "https://login.h"}}}`,
			"a", "https://h", "--client-id", "x", "--client-secret=${S}", "--issuer", "https://login.h"),
		Entry(nil, `{"a": {"url": "https://h", "oauth": {"callbackPort": 3118}}}`, "a", "https://h", "--callback-port", "3118"),
	)

	DescribeTable("warns, like validate, about a server that will not start", func(note string, args ...string) {
		outcome := home.Run(append([]string{"add", "--toolbox", "t", "a"}, args...)...)

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("note: " + note))
		Expect(home.Run("validate").Stdout).To(ContainSubstring(note))
	},
		Entry("a folder that is not there", "the working directory '/no/such/folder' does not exist", "--cwd", "/no/such/folder", "--", "sh"),
		Entry("a path that only a shell knows", "it begins with '~', which is not expanded", "--", "sh", "~/x"),
	)

	It("says that a path does not exist, or is relative to the working directory", func() {
		home.File("work/server.js", "#!/usr/bin/env node\n")
		notes := func(command ...string) string {
			outcome := home.Run(append([]string{"add", "rel", "--dry-run", "--"}, command...)...)
			Expect(outcome.Code).To(Equal(0), outcome.Stderr)
			return outcome.Stdout
		}

		Expect(notes("./nosuch.js")).To(ContainSubstring("note: command './nosuch.js' does not exist in " + home.Path("work") + "; write its absolute path"))
		Expect(notes("node", "./nosuch.js")).To(ContainSubstring("note: file './nosuch.js' does not exist in " + home.Path("work")))
		Expect(notes("./server.js")).To(ContainSubstring("write " + home.Path("work/server.js") + ", or give the folder with '--cwd'"))
		Expect(notes("node", "/no/such/server.js")).To(ContainSubstring("note: '/no/such/server.js' does not exist"))
	})

	DescribeTable("says what to do instead of a form that it does not accept", func(reason string, args ...string) {
		outcome := home.Run(args...)
		Expect(outcome.Code).To(Equal(2), outcome.Stdout)
		Expect(outcome.Stderr).To(ContainSubstring(reason))
		Expect(outcome.Stderr).NotTo(ContainSubstring("secret-of"))
		Expect(home.Path(OwnConfiguration)).NotTo(BeAnExistingFile())
	},
		Entry(nil, "name another with '--config FILE'", "add", "--scope", "local", "a", "--", "b"),
		Entry(nil, "--scope project: the configuration in use is", "add", "-s", "project", "a", "--", "b"),
		Entry(nil, `--scope "team": use user or project`, "add", "-s", "team", "a", "--", "b"),
		Entry(nil, "describes the settings for OAuth", "add", "a", "https://h", "--client-name", "x"),
		Entry(nil, "--client-secret takes no value but", "add", "a", "https://h", "--client-id", "x", "--client-secret", "secret-of-client"),
		Entry(nil, `read the server "a": want a JSON object`, "add-json", "a", `{"env": {"K": "secret-of-k"}`),
		Entry(nil, "leave out 'mcp'", "mcp", "add", "a", "--", "b"),
		Entry(nil, "run 'mcp-workbench import claude-desktop'", "add-from-claude-desktop"),
		Entry(nil, "run 'mcp-workbench list TOOLBOX/SERVER'", "get", "a"),
		Entry(nil, `did you mean 'connect'?`, "conect"),
	)

	It("reports as JSON, and writes nothing with --dry-run", func() {
		home.File(OwnConfiguration, commentedConfiguration)
		outcome := home.Run("add", "x", "--dry-run", "--json", "--", "y")
		var result map[string]any
		Expect(json.Unmarshal([]byte(outcome.Stdout), &result)).To(Succeed())
		Expect(result).To(And(
			HaveKeyWithValue("toolbox", "x"), HaveKeyWithValue("server", "x"), HaveKeyWithValue("written", false),
			HaveKeyWithValue("created", false), HaveKeyWithValue("diff", ContainSubstring(`+        "x": {`)),
		))
		Expect(home.Run("remove", "git", "--dry-run").Stdout).To(ContainSubstring("-    \"code\": {"))
		Expect(home.Content(OwnConfiguration)).To(Equal(commentedConfiguration))
	})

	DescribeTable("refuses", func(code int, reason string, args ...string) {
		home.File(OwnConfiguration, commentedConfiguration)
		outcome := home.Run(args...)
		Expect(outcome.Code).To(Equal(code), outcome.Stderr)
		Expect(outcome.Stderr).To(ContainSubstring(reason))
		Expect(outcome.Stderr).NotTo(ContainSubstring("secret-of"))
		Expect(home.Content(OwnConfiguration)).To(Equal(commentedConfiguration))
	},
		Entry("a name that is taken", 1, "code/git exists in", "add", "git", "--", "x"),
		Entry("a server that does not exist", 1, `did you mean 'code/git'?`, "remove", "gti"),
		Entry("a server of another toolbox", 1, `no server "git"`, "remove", "git", "--toolbox", "other"),
	)
})
