package hostfiles_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain/serverconfig"
)

var _ = Describe("The login settings of a server in a host's file", func() {
	DescribeTable("are read as settings of the workbench", func(host, text, want string, notes ...string) {
		server := parsed(host, serverconfig.User, text)[0]
		written, err := json.Marshal(server.Settings)
		Expect(err).NotTo(HaveOccurred())
		Expect(written).To(MatchJSON(want))
		Expect(server.Notes).To(HaveExactElements(containing(notes)...))
	},
		Entry("of Claude Code, with the address that a registered client has there", "claude-code",
			`{"mcpServers": {"s": {"type": "http", "url": "https://x", "oauth": {"clientId": "${ID}", "callbackPort": 8080, "scopes": "read  write"}}}}`,
			`{"url": "https://x", "oauth": {"clientId": "${ID}", "redirectUri": "http://localhost:8080/callback", "scopes": ["read", "write"]}}`),
		Entry("of Claude Code, with a port alone", "claude-code",
			`{"mcpServers": {"s": {"type": "http", "url": "https://x", "oauth": {"callbackPort": 8080}}}}`,
			`{"url": "https://x", "oauth": {"callbackPort": 8080}}`),
		Entry("of Claude Code, but for what has no counterpart", "claude-code",
			`{"mcpServers": {"s": {"type": "sse", "url": "https://x", "oauth": {"authServerMetadataUrl": "https://as/m", "xaa": true}}}}`,
			`{"url": "https://x", "transport": "sse"}`, `"oauth.authServerMetadataUrl" has no counterpart`, `"oauth.xaa" has no counterpart`),
		Entry("of Cursor", "cursor",
			`{"mcpServers": {"s": {"url": "https://x", "auth": {"CLIENT_ID": "a", "CLIENT_SECRET": "${env:S}", "scopes": ["b"]}}}}`,
			`{"url": "https://x", "oauth": {"clientId": "a", "clientSecret": "${S}", "scopes": ["b"]}}`),
		Entry("of VS Code", "vscode",
			`{"servers": {"s": {"type": "http", "url": "https://x", "oauth": {"clientId": "${input:my-client}"}}}}`,
			`{"url": "https://x", "oauth": {"clientId": "${MY_CLIENT}"}}`, `set the variable MY_CLIENT`),
		Entry("of Windsurf", "windsurf",
			`{"mcpServers": {"s": {"serverUrl": "https://x", "oauth": {"clientId": "a"}}}}`, `{"url": "https://x", "oauth": {"clientId": "a"}}`),
		Entry("of Codex", "codex",
			"[mcp_servers.s]\nurl = \"https://x\"\nscopes = [\"a\"]\noauth_resource = \"https://r\"\n"+
				"[mcp_servers.s.oauth]\nclient_id = \"i\"\nclient_secret = \"k\"\nauthorization_server_issuer = \"https://as\"\ntoken_endpoint_auth_method = \"none\"\n",
			`{"url": "https://x", "oauth": {"clientId": "i", "clientSecret": "k", "issuer": "https://as", "scopes": ["a"]}}`,
			`"oauth.token_endpoint_auth_method" has no counterpart`, `"oauth_resource" has no counterpart`),
		Entry("of Codex, with an address and its port", "codex",
			"[mcp_servers.s]\nurl = \"https://x\"\n[mcp_servers.s.oauth]\ncallback_url = \"http://127.0.0.1/callback/a\"\ncallback_port = 5555\n",
			`{"url": "https://x", "oauth": {"redirectUri": "http://127.0.0.1:5555/callback/a"}}`),
		Entry("of Codex, but for an address without a port", "codex",
			"mcp_oauth_callback_port = 4444\n[mcp_servers.s]\nurl = \"https://x\"\n[mcp_servers.s.oauth]\nclient_id = \"i\"\ncallback_url = \"http://127.0.0.1/callback/a\"\n",
			`{"url": "https://x", "oauth": {"clientId": "i"}}`, `"oauth.callback_url" leaves the port open`),
		Entry("of Gemini CLI", "gemini",
			`{"mcpServers": {"s": {"httpUrl": "https://x", "oauth": {"enabled": true, "clientId": "a", "clientSecret": "$S", "issuer": "https://as", "scopes": ["b"],
				"redirectUri": "http://localhost:7777/oauth/callback?a=1&b=2", "authorizationUrl": "https://as/a", "tokenUrl": "https://as/t", "audiences": ["c"]}}}}`,
			`{"url": "https://x", "oauth": {"clientId": "a", "clientSecret": "${S}", "issuer": "https://as", "scopes": ["b"], "redirectUri": "http://localhost:7777/oauth/callback?a=1&b=2"}}`,
			`"oauth.audiences" has no counterpart`, `"oauth.authorizationUrl" has no counterpart`, `"oauth.tokenUrl" has no counterpart`),
		Entry("of Gemini CLI, when they only enable logins", "gemini",
			`{"mcpServers": {"s": {"httpUrl": "https://x", "oauth": {"enabled": true}}}}`, `{"url": "https://x"}`),
		Entry("of opencode, with the address that a registered client has there", "opencode",
			`{"mcp": {"s": {"type": "remote", "url": "https://x", "oauth": {"clientId": "a", "clientSecret": "{env:S}", "scope": "b c", "callbackPort": 9000}}}}`,
			`{"url": "https://x", "oauth": {"clientId": "a", "clientSecret": "${S}", "scopes": ["b", "c"], "redirectUri": "http://127.0.0.1:9000/mcp/oauth/callback"}}`),
		Entry("of opencode, where an address counts more than a port", "opencode",
			`{"mcp": {"s": {"type": "remote", "url": "https://x", "oauth": {"callbackPort": 9000, "redirectUri": "https://me/back"}}}}`,
			`{"url": "https://x", "oauth": {"redirectUri": "https://me/back"}}`),
		Entry("disabled", "opencode",
			`{"mcp": {"s": {"type": "remote", "url": "https://x", "oauth": false}}}`, `{"url": "https://x", "oauth": false}`),
		Entry("but for members of wrong types, whose values are not shown", "claude-code",
			`{"mcpServers": {"s": {"url": "https://x", "oauth": {"clientId": 1, "callbackPort": 70000, "scopes": [{}]}}, "t": {"url": "https://y", "oauth": "secret"}}}`,
			`{"url": "https://x"}`, `"oauth.callbackPort" has the wrong type`, `"oauth.clientId" has the wrong type`, `"oauth.scopes" has the wrong type`),
		Entry("but for settings that are not an object", "claude-code",
			`{"mcpServers": {"s": {"url": "https://x", "oauth": "secret"}}}`, `{"url": "https://x"}`, `"oauth" has the wrong type`),
		Entry("but for a secret without a client", "gemini",
			`{"mcpServers": {"s": {"httpUrl": "https://x", "oauth": {"clientSecret": "k"}}}}`, `{"url": "https://x"}`, `a secret without a client`),
		Entry("but for a program, which has no logins", "claude-code",
			`{"mcpServers": {"s": {"command": "x", "oauth": {"clientId": "a"}}}}`, `{"command": "x"}`, `"oauth" has no counterpart`),
	)

	It("keeps a server with a secret off the command line", func() {
		Expect(hostfiles.HoldsValues(json.RawMessage(`{"url": "https://x", "oauth": {"clientId": "a"}}`))).To(BeFalse())
		Expect(hostfiles.HoldsValues(json.RawMessage(`{"url": "https://x", "oauth": {"clientSecret": "k"}}`))).To(BeTrue())
	})
})
