package hostfiles_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/application/setup"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The rules of a host about tools of its servers", func() {
	var m hostfiles.Machine

	BeforeEach(func() {
		home := GinkgoT().TempDir()
		m = hostfiles.Machine{Home: home, Config: filepath.Join(home, ".config"), Project: filepath.Join(home, "shop"), System: "linux", Getenv: func(string) string { return "" }}
	})

	write := func(path, text string) {
		GinkgoHelper()
		path = filepath.Join(m.Home, filepath.FromSlash(path))
		Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	}
	// in returns the server "fs x" of a host whose file has these rules, or that of the user without one.
	in := func(host, path, rules string) (setup.Server, hostfiles.File) {
		GinkgoHelper()
		known, _ := hostfiles.Find(host)
		path, members, _ := strings.Cut(path, " ")
		write(path, rules)
		text := `{"mcpServers": {"fs x": {"command": "s"}}}`
		switch host {
		case "opencode":
			text = `{"mcp": {"fs x": {"type": "local", "command": ["s"]}}` + members + `}`
		case "amp":
			text = `{"amp.mcpServers": {"fs x": {"command": "s"}}` + members + `}`
		case "zed":
			text = `{"context_servers": {"fs x": {"command": "s"}}` + members + `}`
		case "codex":
			text = "[mcp_servers.\"fs x\"]\ncommand = \"s\"\n" + members
		case "goose":
			text = "extensions:\n  fs x:\n    type: stdio\n    cmd: s\n"
		case "qwen", "gemini":
			text = `{"mcpServers": {"fs x": {"command": "s"}}` + members + `}`
		}
		file := known.UserFile(m)
		Expect(os.MkdirAll(filepath.Dir(file.Path), 0o700)).To(Succeed())
		Expect(os.WriteFile(file.Path, []byte(text), 0o600)).To(Succeed())
		servers := spec.Must(hostfiles.Read(known.UserFile(m)))
		Expect(servers).To(HaveLen(1))
		return servers[0], file
	}

	const none, claude = "", ".claude/settings.json"
	DescribeTable("are toolFilters and confirm", func(host, path, rules, filters, confirm string) {
		server, file := in(host, path, rules)
		Expect(strings.Join(server.Settings.ToolFilters, " ")).To(Equal(filters))
		Expect(strings.Join(server.Settings.Confirm, " ")).To(Equal(confirm))
		Expect(server.Settings.Disabled).To(BeFalse())
		Expect(server.Settings.Untranslated).To(BeEmpty())
		if filters+confirm != "" {
			Expect(strings.Join(server.Notes, "\n")).To(MatchRegexp("the host (forbids|asks)"))
			weak := []setup.Settings{{Command: "s"}}
			_, alike, err := hostfiles.Doubles(file, weak, "workbench", compared(os.LookupEnv))
			Expect(err).NotTo(HaveOccurred())
			Expect(alike).To(HaveLen(1), "a configuration without them does not replace it")
		}
		same, _, _ := hostfiles.Doubles(file, []setup.Settings{server.Settings}, "workbench", compared(os.LookupEnv))
		Expect(same).To(Equal([]string{"fs x"}))
	},
		Entry(nil, "claude-code", claude, `{"permissions": {"deny": ["mcp__fs_x__write", "mcp__other__rm", "Bash(rm:*)"], "ask": ["mcp__fs_x__move"]}}`, "* !write", "move"),
		Entry(nil, "claude-code", "shop/.claude/settings.json", `{"permissions": {"deny": ["mcp__fs_x__write"]}}`, "* !write", none),
		Entry(nil, "claude-code", "shop/.claude/settings.local.json", `{"permissions": {"ask": ["mcp__fs_x__w*", "mcp__fs_x__a?b"]}}`, none, "a*b w*"),
		Entry(nil, "claude-code", claude, `{"permissions": {"ask": ["mcp__fs_x"], "deny": ["mcp__fs_x__rm"]}}`, "* !rm", "*"),
		Entry("denied before asked about", "claude-code", claude, `{"permissions": {"ask": ["mcp__fs_x__rm"], "deny": ["mcp__fs_x__rm"], "allow": ["mcp__fs_x__rm"]}}`, "* !rm", none),
		Entry("those of every server, which hold for the workbench too", "claude-code", claude, `{"permissions": {"deny": ["mcp__*"], "ask": ["*"]}}`, none, none),
		Entry("those that only allow", "claude-code", claude, `{"permissions": {"allow": ["mcp__fs_x", "mcp__fs_x__read"]}}`, none, none),
		Entry(nil, "opencode", `- , "permission": {"fs_x_*": "ask", "fs_x_write": "deny", "bash": "deny"}`, "", "* !write", "*"),
		Entry("the last one counts", "opencode", `- , "permission": {"fs_x_write": "deny", "fs_x_*": "allow"}`, "", none, none),
		Entry("all but one denied", "opencode", `- , "permission": {"fs_x_*": "deny", "fs_x_read": "allow", "fs_x_write": {"*": "ask"}}`, "", "read write", "write"),
		Entry("those of every server", "opencode", `- , "permission": {"*": "ask"}, "agent": {"plan": {"permission": {"*": "deny"}, "tools": {"*": false}}}`, "", none, none),
		Entry("of opencode 2", "opencode", `- , "permissions": [{"action": "fs_x_*", "resource": "*", "effect": "ask"}, {"action": "fs_x_write", "resource": "*", "effect": "deny"}]`, "", "* !write", "*"),
		Entry(nil, "gemini", `- , "tools": {"exclude": ["mcp_fs_x_write", "write"]}, "excludeTools": ["fs_x__rm"]`, "", "* !rm !write", none),
		Entry(nil, "gemini", ".gemini/policies/p.toml", "[[rule]]\nmcpName = \"fs x\"\ntoolName = [\"write\", \"rm\"]\ndecision = \"deny\"\npriority = 5\n"+
			"[[rule]]\nmcpName = \"fs x\"\ndecision = \"ask_user\"\npriority = 1\n[[rule]]\ncommandPrefix = \"git\"\ndecision = \"deny\"\npriority = 9\n", "* !rm !write", "*"),
		Entry("the higher priority counts", "gemini", ".gemini/policies/p.toml", "[[rule]]\nmcpName = \"fs x\"\ndecision = \"allow\"\npriority = 5\n[[rule]]\ntoolName = \"mcp_fs_x_rm\"\ndecision = \"deny\"\npriority = 1\n", none, none),
		Entry(nil, "qwen", `- , "permissions": {"deny": ["mcp__fs_x__rm"], "ask": ["mcp__fs_x__w"]}, "tools": {"exclude": ["mcp__fs_x__a"]}`, "", "* !a !rm", "w"),
		Entry(nil, "cursor", ".cursor/cli-config.json", `{"permissions": {"deny": ["Mcp(fs x:rm)", "Shell(rm)"]}}`, "* !rm", none),
		Entry(nil, "goose", ".config/goose/permission.yaml", "user:\n  ask_before: [fs_x__w]\n  never_allow: [fs_x__rm, developer__shell]\n", "* !rm", "w"),
		Entry("the first one counts", "amp", `- , "amp.permissions": [{"tool": "mcp__fs_x__rm", "action": "reject"}, {"tool": "mcp__fs_x__*", "action": "ask"}, {"tool": "mcp__fs_x__*", "action": "reject"}]`, "", "* !rm", "*"),
		Entry(nil, "zed", `- , "agent": {"tool_permissions": {"tools": {"mcp:fs_x:rm": {"default": "deny"}, "mcp:fs_x:w": {"default": "confirm"}, "terminal": {"default": "deny"}}}}`, "", "* !rm", "w"),
		Entry(nil, "codex", "- default_tools_approval_mode = \"approve\"\n[mcp_servers.\"fs x\".tools.rm]\napproval_mode = \"prompt\"\n", "", none, "rm"),
		Entry(nil, "codex", "- default_tools_approval_mode = \"prompt\"\n", "", none, "*"),
	)

	DescribeTable("keep a server in the host if they have no counterpart", func(host, path, rules, rule string) {
		server, file := in(host, path, rules)
		Expect(server.Settings.Disabled).To(BeTrue())
		Expect(server.Settings.Untranslated).To(HaveKey(HavePrefix("the rule " + rule + " in ")))
		Expect(server.Notes).To(ContainElement(ContainSubstring("since the rule " + rule + " in ")))
		enabled := server.Settings
		enabled.Disabled, enabled.Untranslated = false, nil
		_, alike, err := hostfiles.Doubles(file, []setup.Settings{enabled}, "workbench", compared(os.LookupEnv))
		Expect(err).NotTo(HaveOccurred())
		Expect(alike).To(HaveLen(1))
		Expect(alike[0].Rules()).To(HaveExactElements(HavePrefix("the rule " + rule)))
	},
		Entry("a pattern of tools", "claude-code", claude, `{"permissions": {"deny": ["mcp__fs_x__get_*"]}}`, "mcp__fs_x__get_*"),
		Entry("a pattern of servers", "claude-code", claude, `{"permissions": {"deny": ["mcp__fs*__rm"]}}`, "mcp__fs*__rm"),
		Entry("a condition", "claude-code", claude, `{"permissions": {"deny": ["mcp__fs_x__rm(path:/)"]}}`, "mcp__fs_x__rm"),
		Entry("the arguments of a call", "opencode", `- , "permission": {"fs_x_rm": {"*": "allow", "/etc/*": "deny"}}`, "", "fs_x_rm"),
		Entry("the arguments of a call, in opencode 2", "opencode", `- , "permissions": [{"action": "fs_x_rm", "resource": "/etc/*", "effect": "deny"}]`, "", "fs_x_rm"),
		Entry("one agent of opencode 2", "opencode", `- , "agents": {"plan": {"permissions": [{"action": "fs_x_rm", "resource": "*", "effect": "deny"}]}}`, "", "fs_x_rm"),
		Entry("one agent", "opencode", `- , "agent": {"plan": {"permission": {"fs_x_rm": "deny"}}}`, "", "fs_x_rm"),
		Entry("the only agent that may use it", "opencode", `- , "permission": {"fs_x_*": "deny"}, "agent": {"plan": {"permission": {"fs_x_*": "allow"}}}`, "", "fs_x_*"),
		Entry("a mode of the host", "gemini", ".gemini/policies/p.toml", "[[rule]]\nmcpName = \"fs x\"\ntoolName = \"rm\"\ndecision = \"deny\"\nmodes = [\"plan\"]\n", "rm"),
		Entry("a tool of any server by its name", "gemini", ".gemini/policies/p.toml", "[[rule]]\ntoolName = \"mcp_*_rm\"\ndecision = \"deny\"\n", "mcp_*_rm"),
		Entry("the arguments of a call", "amp", `- , "amp.permissions": [{"tool": "mcp__fs_x__rm", "action": "reject", "matches": {"path": "/"}}]`, "", "mcp__fs_x__rm"),
	)

	DescribeTable("disable a server", func(host, path, rules string) {
		server, _ := in(host, path, rules)
		Expect(server.Settings.Disabled).To(BeTrue())
		Expect(server.Notes).To(HaveExactElements(HavePrefix("it is disabled, since ")))
		Expect(server.Settings.Untranslated).To(BeEmpty())
	},
		Entry("that they deny whole", "claude-code", claude, `{"permissions": {"deny": ["mcp__fs_x"]}}`),
		Entry("if they cannot be read", "claude-code", claude, `{"permissions": {"deny": [`),
		Entry("if a policy cannot be read", "gemini", ".gemini/policies/p.toml", "[[rule]]\nmcpName = 1\n"),
	)
})
