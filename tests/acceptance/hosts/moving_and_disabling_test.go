package hosts_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

const severalToolboxes = `{
  // mine
  "confirm": ["code/git/push", /* all */ "files/*", "*/git/log"],
  "toolboxes": {
    "code": {
      "description": "Code", // short
      "start": "open",
      "mcpServers": {
        "git": { // daily
          "command": "git-mcp",
          "args": [
            "--stdio", // always
          ],
        },
        "issues": {"command": "issues-mcp"},
      },
    },
    "files": {
      "mcpServers": {
        "fs": {"command": "fs-mcp"}
      }
    },
  },
}
`

var _ = Describe("Moving and disabling servers", func() {
	var home HomeFolder
	BeforeEach(func() {
		home = NewHomeFolder()
		home.File(OwnConfiguration, severalToolboxes)
	})
	text := func() string { return home.Content(OwnConfiguration) }
	succeed := func(args ...string) Outcome {
		GinkgoHelper()
		outcome := home.Run(args...)
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(home.Run("validate").Code).To(Equal(0))
		return outcome
	}

	It("moves a server with every comment in it, and the patterns that name it", func() {
		outcome := succeed("move", "code/git", "files")

		Expect(text()).To(Equal(strings.NewReplacer(
			`"code/git/push"`, `"files/git/push"`,
			"        \"git\": { // daily\n          \"command\": \"git-mcp\",\n          \"args\": [\n            \"--stdio\", // always\n          ],\n        },\n", "",
			"        \"fs\": {\"command\": \"fs-mcp\"}\n",
			"        \"fs\": {\"command\": \"fs-mcp\"},\n        \"git\": { // daily\n          \"command\": \"git-mcp\",\n          \"args\": [\n            \"--stdio\", // always\n          ],\n        }\n",
		).Replace(severalToolboxes)))
		Expect(outcome.Stdout).To(And(
			ContainSubstring("Moved code/git to files/git.\n"),
			ContainSubstring(`note: "start" of the toolbox code no longer applies to files/git`),
		))
	})

	It("renames a toolbox or a server, and back to the same bytes", func() {
		succeed("move", "code", "development")
		Expect(text()).To(Equal(strings.NewReplacer(`"code": {`, `"development": {`, `"code/git/push"`, `"development/git/push"`).Replace(severalToolboxes)))
		succeed("rename", "git", "development/repository", "--allow-options")
		Expect(text()).To(And(ContainSubstring(`"repository": { // daily`), ContainSubstring(`"development/repository/push"`)))
		succeed("mv", "development/repository", "development/git")
		succeed("move", "development/", "code")
		Expect(text()).To(Equal(severalToolboxes))
	})

	It("moves the entries of the lock, so that they need no new review, and describes a new toolbox of a known subject", func() {
		files, git := Scripted("fs", WithTools("read")), Scripted("git", WithTools("log"))
		home.File(OwnConfiguration, Configuration(NewToolbox("files", files, git)))
		Expect(home.Run("lock").Code).To(Equal(0))

		outcome := succeed("move", "git", "code")

		Expect(outcome.Stdout).To(ContainSubstring("workbench.lock.json gets the new name too"))
		Expect(text()).To(ContainSubstring(`"description": "git: repositories, reviews, builds and tools for code"`))
		checked := home.Run("lock", "--check")
		Expect(checked.Code).To(Equal(0), checked.Stdout+checked.Stderr)
		succeed("move", "files", "disk")
		Expect(home.Run("lock", "--check").Code).To(Equal(0))
		Expect(home.Run("list", "disk").Code).To(Equal(0))
	})

	It("keeps the file of a folder trusted, and its lock, unless it enables what was not shown", func() {
		files := Scripted("fs", WithTools("read"))
		home.File("work/workbench-config.json", Configuration(NewToolbox("files", files)))
		Expect(home.Run("trust", "--yes").Code).To(Equal(0))
		Expect(home.Run("lock").Code).To(Equal(0))

		for _, line := range []string{"move files disk", "describe disk Text", "disable disk", "enable disk", "move disk/fs a/b", "disable a", "move a/b c"} {
			outcome := succeed(strings.Fields(line)...)
			if line == "enable disk" || line == "move a/b c" {
				Expect(outcome.Stdout).To(ContainSubstring("is not trusted, so it is not used"))
				Expect(home.Run("trust", "--yes").Code).To(Equal(0))
			}
			Expect(home.Run("lock", "--check").Stderr).NotTo(ContainSubstring("trust"), line)
		}
		Expect(home.Run("list", "c").Code).To(Equal(0))
	})

	It("says which callers over HTTP can reach a moved server, and renames the toolboxes of tokens", func() {
		home.File(OwnConfiguration, `{"http": {"tokens": {"ci": {"value": "0123456789abcdef-ci", "toolboxes": ["a"]}, "ops": {"value": "0123456789abcdef-ops", "toolboxes": ["b"]}}},
			"toolboxes": {"a": {"mcpServers": {"s": {"command": "x"}, "t": {"command": "y"}}}, "b": {"mcpServers": {"u": {"command": "z"}}}}}`)
		Expect(succeed("move", "a/s", "b", "--allow-options").Stdout).To(And(
			ContainSubstring("  runs: x\n  needs care: the token \"ops\" reaches it (http.tokens)\n"),
			ContainSubstring(`note: the token "ci" no longer reaches b/s`), ContainSubstring(`note: the token "ops" now reaches b/s`)))
		succeed("move", "a", "c")
		Expect(text()).To(ContainSubstring(`"toolboxes": ["c"]`))
	})

	It("shows what a server runs, and which protections it loses, before it moves", func() {
		const protected = `{"confirm": ["safe/*/*"], "readOnly": ["other/s/look"], "toolboxes": {"safe": {"confirm": ["s/push"], "mcpServers": {
			"s": {"command": "x", "env": {"A": "${GITHUB_TOKEN}"}, "confirm": ["erase"]}, "t": {"command": "y"}}}, "other": {"mcpServers": {"u": {"command": "z"}}}}}`
		home.File(OwnConfiguration, protected)

		refused := home.Run("move", "safe/s", "other")

		Expect(refused.Code).To(Equal(2))
		Expect(refused.Stdout).To(ContainSubstring("  runs: A='${GITHUB_TOKEN}' x\n  GITHUB_TOKEN goes to the program x\n" +
			`  needs care: confirm is ["erase"], was: ["*","push","erase"]` + "\n" + `  needs care: readOnly is ["look"], was: []` + "\n"))
		Expect(refused.Stderr).To(ContainSubstring("--allow-options accepts it"))
		Expect(text()).To(Equal(protected))
		NeedsTerminal()
		Expect(RunInTerminal(home.Launch("move", "safe/s", "other"), Turn{Until: "Write this to", Type: "n\r"}).Code).To(Equal(0))
		Expect(text()).To(Equal(protected))
		RunInTerminal(home.Launch("move", "safe/s", "other"), Turn{Until: "Write this to", Type: "y\r"})
		Expect(home.Run("move", "other/s", "safe").Code).To(Equal(0), "more protections need no care")
	})

	It("lists what is disabled as such", func() {
		Expect(succeed("disable", "git").Stdout).NotTo(BeEmpty())
		Expect(succeed("list").Stdout).To(MatchRegexp(`(?m)^code\tgit\tdisabled\t`))
		Expect(succeed("list", "--json").Stdout).To(ContainSubstring(`{"name":"git","transport":"","disabled":true}`))
		Expect(succeed("disable", "code").Stdout).NotTo(BeEmpty())
		Expect(succeed("list").Stdout).To(MatchRegexp(`(?m)^code\t.*\tdisabled\t`))
	})

	It("disables and enables, with the same bytes afterwards", func() {
		for _, name := range []string{"code", "code/git", "git"} {
			Expect(succeed("disable", name).Stdout).To(MatchRegexp(`(?m)^Disabled code(/git)?\.$`))
			Expect(text()).To(ContainSubstring(`"disabled": true`))
			Expect(succeed("disable", name).Stdout).To(ContainSubstring("is disabled already"))
			Expect(succeed("enable", name).Stdout).To(MatchRegexp(`(?m)^Enabled code(/git)?\.$`))
			Expect(text()).To(Equal(severalToolboxes), name)
		}
		Expect(succeed("enable", "git").Stdout).To(ContainSubstring("code/git is enabled already"))
		Expect(succeed("disable", "fs").Stdout).To(ContainSubstring("the toolbox files has no other server that is enabled"))
		succeed("disable", "code")
		Expect(succeed("enable", "git").Stdout).To(ContainSubstring("the toolbox code is disabled; 'mcp-workbench enable code' enables it"))
	})

	It("disables a server with a mistake, also beside another mistake", func() {
		home.File(OwnConfiguration, `{"toolboxes": {"a": {"mcpServers": {"s": {"comand": "x"}, "t": {"comand": "y"}, "u": {"command": "z"}}}}}`)

		outcome := home.Run("disable", "a/s")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring(`note: `+home.Path(OwnConfiguration)), "the other mistake")
		succeed("disable", "a/t")
		Expect(home.Run("enable", "a/s").Code).To(Equal(3))
		Expect(home.Run("disable", "a/none").Code).To(Equal(1))
	})

	It("shows and writes the description of a toolbox", func() {
		shown := succeed("describe", "code")
		Expect(shown.Stdout).To(Equal("Code\n"))
		Expect(shown.Stderr).To(BeEmpty(), "nothing is shortened")
		succeed("describe", "code", `Say "hi"`)
		Expect(text()).To(Equal(strings.Replace(severalToolboxes, `"Code"`, `"Say \"hi\""`, 1)))
		long := strings.Repeat("long ", 100)
		Expect(succeed("describe", "files", long+"1").Stdout).NotTo(ContainSubstring("passes on"), "no host is connected")
		home.File(".codex/config.toml", "[mcp_servers.workbench]\ncommand = \"mcp-workbench\"\n")
		Expect(succeed("describe", "files").Stderr).To(MatchRegexp(`^mcp-workbench: Codex passes on 250 characters`))
		other := home.File("other.json", severalToolboxes)
		home.File(".codex/config.toml", "[mcp_servers.workbench]\ncommand = \"mcp-workbench\"\nargs = [\"--config\", '"+other+"']\n")
		Expect(succeed("describe", "files").Stderr).To(BeEmpty(), "Codex has another configuration")
		home.File(".codex/config.toml", "[mcp_servers.workbench]\ncommand = \"mcp-workbench\"\n")
		Expect(succeed("describe", "files", long).Stdout).To(MatchRegexp(`note: Codex passes on 250 characters: of all names and descriptions together, and so \d+ of each`))
		succeed("describe", "files", "")
		succeed("describe", "code", "Code")
		Expect(text()).To(Equal(severalToolboxes))
		Expect(succeed("describe", "code", "Code").Stdout).To(ContainSubstring("Nothing to change"))
		Expect(succeed("describe", "files").Stderr).To(ContainSubstring("files has no description; 'mcp-workbench describe files TEXT' writes one"))
	})

	It("writes nothing with --dry-run, and reports as JSON", func() {
		for _, line := range []string{"move code/git files", "describe code New", "disable code"} {
			Expect(succeed(append(strings.Fields(line), "--dry-run")...).Stdout).To(ContainSubstring("\n+"), line)
			Expect(text()).To(Equal(severalToolboxes))
		}
		var result map[string]any
		Expect(json.Unmarshal([]byte(succeed("move", "git", "files/repository", "--json", "--allow-options").Stdout), &result)).To(Succeed())
		Expect(result).To(And(HaveKeyWithValue("from", "code/git"), HaveKeyWithValue("toolbox", "files"), HaveKeyWithValue("server", "repository"),
			HaveKeyWithValue("written", true), HaveKeyWithValue("diff", ContainSubstring(`"repository"`))))
	})

	DescribeTable("refuses, and says what exists", func(line string, code int, message string) {
		outcome := home.Run(strings.Fields(line)...)
		Expect(outcome.Code).To(Equal(code), outcome.Stderr)
		Expect(outcome.Stderr).To(ContainSubstring(message))
		Expect(text()).To(Equal(severalToolboxes))
	},
		Entry(nil, "move", 2, "name what to move, and where to; use 'mcp-workbench move TOOLBOX/SERVER TOOLBOX[/NAME] | TOOLBOX NAME'"),
		Entry(nil, "move code/gti files", 1, "did you mean 'code/git'?"),
		Entry(nil, "move zzzzzz files", 1, "; there are code, files, code/git, code/issues, files/fs"),
		Entry(nil, "move code files", 1, "to put servers there, move each: 'mcp-workbench move code/git files'"),
		Entry(nil, "move code/git code/issues", 1, "'mcp-workbench move code/git code/NAME'"),
		Entry(nil, "move code a__b", 3, `a name with "__"`),
		Entry(nil, "move git files --description x", 2, "--description is for a new toolbox"),
		Entry(nil, "move git files --scope project", 2, "the configuration in use is"),
		Entry(nil, "describe cod x", 1, "did you mean 'code'?"),
		Entry(nil, "enable cod", 1, "did you mean 'code'?"),
		Entry(nil, "disable", 2, "name a toolbox or a server"),
		Entry(nil, "disable git --scope project", 2, "the configuration in use is"),
	)
})
