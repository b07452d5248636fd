package hostfiles_test

import (
	"encoding/json"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain/serverconfig"
	"mcp-workbench/domain/textedit"
	"mcp-workbench/tests/spec"
)

var entry = hostfiles.Entry{Command: "/opt/mcp-workbench", Args: []string{"--config", "/home/me/w.json"}, Variables: []string{"TOKEN"}}

var _ = Describe("The workbench's entry", func() {
	DescribeTable("is written as the host writes servers", func(host, before, after string) {
		edited := spec.Must(hostfiles.Set(file(host, serverconfig.User), []byte(before), "workbench", hostfiles.Written(file(host, serverconfig.User), entry)))
		Expect(string(edited)).To(Equal(after))
		servers := spec.Must(hostfiles.Parse(file(host, serverconfig.User), edited))
		Expect(servers[len(servers)-1].Settings.Command).To(Equal(entry.Command))
		Expect(servers[len(servers)-1].Settings.Args).To(Equal(entry.Args))

		back := spec.Must(hostfiles.Delete(file(host, serverconfig.User), edited, "workbench"))
		Expect(string(back)).To(Equal(before))
	},
		Entry(nil, "claude-desktop", `{"mcpServers":{}}`, `{"mcpServers":{"workbench":{"command":"/opt/mcp-workbench","args":["--config","/home/me/w.json"]}}}`),
		Entry(nil, "claude-code", `{"n":1,"mcpServers":{}}`,
			`{"n":1,"mcpServers":{"workbench":{"type":"stdio","command":"/opt/mcp-workbench","args":["--config","/home/me/w.json"],"env":{"TOKEN":"${TOKEN}"}}}}`),
		Entry(nil, "cursor", `{"mcpServers":{}}`,
			`{"mcpServers":{"workbench":{"type":"stdio","command":"/opt/mcp-workbench","args":["--config","/home/me/w.json"],"env":{"TOKEN":"${env:TOKEN}"}}}}`),
		Entry(nil, "vscode", `{"servers":{},"inputs":[]}`,
			`{"servers":{"workbench":{"type":"stdio","command":"/opt/mcp-workbench","args":["--config","/home/me/w.json"],"env":{"TOKEN":"${env:TOKEN}"}}},"inputs":[]}`),
		Entry(nil, "windsurf", `{"mcpServers":{}}`,
			`{"mcpServers":{"workbench":{"type":"stdio","command":"/opt/mcp-workbench","args":["--config","/home/me/w.json"],"env":{"TOKEN":"${env:TOKEN}"}}}}`),
		Entry(nil, "gemini", `{"mcpServers":{}}`,
			`{"mcpServers":{"workbench":{"command":"/opt/mcp-workbench","args":["--config","/home/me/w.json"],"env":{"TOKEN":"$TOKEN"}}}}`),
		Entry(nil, "opencode", `{"mcp":{}}`,
			`{"mcp":{"workbench":{"type":"local","command":["/opt/mcp-workbench","--config","/home/me/w.json"],"environment":{"TOKEN":"{env:TOKEN}"},"enabled":true}}}`),
		Entry(nil, "codex", "model = \"x\"\n",
			"model = \"x\"\n\n[mcp_servers.workbench]\nargs = [\"--config\", \"/home/me/w.json\"]\ncommand = \"/opt/mcp-workbench\"\nenv_vars = [\"TOKEN\"]\n"),
	)

	It("creates a missing file", func() {
		edited := spec.Must(hostfiles.Set(file("claude-desktop", serverconfig.User), nil, "workbench", json.RawMessage(`{"command":"/w"}`)))
		Expect(string(edited)).To(Equal("{\n  \"mcpServers\": {\n    \"workbench\": {\n      \"command\": \"/w\"\n    }\n  }\n}\n"))
	})

	It("is not written into a broken file, which is named", func() {
		_, err := hostfiles.Set(file("cursor", serverconfig.User), []byte(`{"a": secret}`), "workbench", json.RawMessage(`{}`))
		Expect(err).To(MatchError(textedit.ErrSyntax))
		Expect(err).To(MatchError(ContainSubstring(filepath.Join(".cursor", "mcp.json"))))
		Expect(err.Error()).NotTo(ContainSubstring("secret"))
	})

	It("is not removed from a file that does not have it", func() {
		_, err := hostfiles.Delete(file("codex", serverconfig.User), []byte("a = 1\n"), "workbench")
		Expect(err).To(MatchError(textedit.ErrNotFound))
	})
})

var _ = Describe("A server whose name a file has twice", func() {
	It("is removed with the other, which would come into force", func() {
		cursor := file("cursor", serverconfig.User)
		edited := spec.Must(hostfiles.Delete(cursor, []byte(`{"mcpServers":{"a":{"command":"old"},"b":{"command":"b"},"a":{"command":"new"}}}`), "a"))
		Expect(string(edited)).To(Equal(`{"mcpServers":{"b":{"command":"b"}}}`))
	})
})
