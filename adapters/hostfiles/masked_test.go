package hostfiles_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain/serverconfig"
)

var _ = Describe("A text that is shown", func() {
	masked := func(host, text string) string {
		return string(hostfiles.Masked(file(host, serverconfig.User), []byte(text)))
	}

	It("has no value of variables and headers, and none outside of servers", func() {
		Expect(masked("cursor", `{"account": {"key": "S"}, "mcpServers": {"a": {"command": "c", "env": {"K": "S"}, "headers": {"H": "S"}}}}`)).To(Equal(
			`{"account": {"key": "•••"}, "mcpServers": {"a": {"command": "c", "env": {"K": "•••"}, "headers": {"H": "•••"}}}}`))
		Expect(masked("codex", "key = \"S\"\n[mcp_servers.a]\ncommand = \"c\"\n[mcp_servers.a.env]\nK = \"S\"\n")).To(Equal(
			"key = \"•••\"\n[mcp_servers.a]\ncommand = \"c\"\n[mcp_servers.a.env]\nK = \"•••\"\n"))
		Expect(masked("opencode", `{"provider": {"x": {"apiKey": "S"}}, "mcp": {"a": {"type": "local", "environment": {"K": "S"}}}}`)).To(Equal(
			`{"provider": {"x": {"apiKey": "•••"}}, "mcp": {"a": {"type": "local", "environment": {"K": "•••"}}}}`))
	})

	It("has no value of a server that is an inline table in TOML", func() {
		Expect(masked("codex", "[mcp_servers]\na = { command = \"c\", env = { K = \"S\" } }\n")).To(Equal("[mcp_servers]\na = \"•••\"\n"))
	})

	It("has no secret of a login", func() {
		Expect(masked("cursor", `{"mcpServers": {"a": {"url": "https://h", "auth": {"CLIENT_ID": "i", "CLIENT_SECRET": "S"}, "oauth": {"clientSecret": "S"}}}}`)).To(Equal(
			`{"mcpServers": {"a": {"url": "https://h", "auth": {"CLIENT_ID": "i", "CLIENT_SECRET": "•••"}, "oauth": {"clientSecret": "•••"}}}}`))
		Expect(masked("codex", "[mcp_servers.a.oauth]\nclient_secret = \"S\"\n")).To(Equal("[mcp_servers.a.oauth]\nclient_secret = \"•••\"\n"))
		Expect(masked("gemini", `{"oauth": {"x": "S"}, "mcpServers": {}}`)).NotTo(ContainSubstring("S\""))
	})

	DescribeTable("has no secret of an argument or an address", func(server, shown string) {
		Expect(masked("cursor", `{"mcpServers": {"a": `+server+`}}`)).To(Equal(`{"mcpServers": {"a": ` + shown + `}}`))
	},
		Entry(nil, `{"command": "c", "args": ["--api-key", "secret-1", "--verbose", "yes"]}`, `{"command": "c", "args": ["--api-key", "•••", "--verbose", "yes"]}`),
		Entry(nil, `{"command": "c", "args": ["--github-token=secret-1"]}`, `{"command": "c", "args": ["--github-token=•••"]}`),
		Entry(nil, `{"command": "c", "args": ["postgres://me:secret-1@host/db"]}`, `{"command": "c", "args": ["postgres://me:•••@host/db"]}`),
		Entry(nil, `{"url": "https://host/mcp?k=secret-1&mode=ro"}`, `{"url": "https://host/mcp?k=•••&mode=ro"}`),
		Entry(nil, `{"command": "c", "args": ["--token", "${env:TOKEN}"]}`, `{"command": "c", "args": ["--token", "${env:TOKEN}"]}`),
	)

	DescribeTable("has the informative parts of a value", func(server, shown string) {
		Expect(masked("cursor", `{"mcpServers": {"a": `+server+`}}`)).To(Equal(`{"mcpServers": {"a": ` + shown + `}}`))
	},
		Entry("a reference", `{"env": {"K": "${env:A}", "L": "x${B}y${C:-s}"}}`, `{"env": {"K": "${env:A}", "L": "•••${B}•••${C:-•••}"}}`),
		Entry("a variable that loads code", `{"env": {"NODE_OPTIONS": "-r ./x", "UV_INDEX_URL": "https://u:secret@h/"}}`,
			`{"env": {"NODE_OPTIONS": "-r ./x", "UV_INDEX_URL": "https://u:•••@h/"}}`),
		Entry("a host whose name is in the query", `{"url": "https://evil.example/?x=evil.example"}`, `{"url": "https://evil.example/?x=•••"}`),
		Entry("an argument that is called a secret elsewhere", `{"args": ["-c", "run this", "--token", "run this"]}`, `{"args": ["-c", "run this", "--token", "•••"]}`),
	)

	It("has the commands of servers with any name", func() {
		text := `{"mcpServers": {"env": {"command": "sh", "args": ["x"]}, "clientSecret": {"command": "y"}}}`
		Expect(masked("cursor", text)).To(Equal(text))
	})

	It("has no value of a server that is in a comment", func() {
		Expect(masked("cursor", "{\n  // \"old\": {\"env\": {\"K\": \"S\"}}\n  \"mcpServers\": {}\n}")).To(Equal(
			"{\n  // \"old\": {\"env\": {\"K\": \"•••\"}}\n  \"mcpServers\": {}\n}"))
	})

	It("is empty when it cannot be parsed", func() {
		Expect(hostfiles.Masked(file("cursor", serverconfig.User), []byte(`{"a": secret}`))).To(BeNil())
	})
})
