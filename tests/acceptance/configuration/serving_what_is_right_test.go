package configuration_test

import (
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Serving the correct part of a configuration", func() {
	const secret = "hunter2-is-my-password"
	var path string
	BeforeEach(func() { path = filepath.Join(GinkgoT().TempDir(), "c.json") })

	instructions := func(w *Workbench, host string) string {
		GinkgoHelper()
		var result struct{ Instructions string }
		w.Request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":`+Quote(host)+`,"version":"1"}}`).
			Decode(&result)
		return result.Instructions
	}
	start := func(text string, env ...string) *Workbench {
		GinkgoHelper()
		WriteFile(path, text)
		return Start(Launch{Args: []string{"--config", path}, Env: env})
	}
	open := func(w *Workbench, toolbox string) Message {
		return w.Call("open_toolbox", `{"toolbox":`+Quote(toolbox)+`}`)
	}
	// with returns a configuration with a correct toolbox, one with a correct and a wrong server, and
	// one with a wrong server.
	with := func(wrong string) string {
		right := Scripted("files", WithTools("read"))
		broken := Server{Name: "broken", Settings: []string{wrong}}
		return Configuration(NewToolbox("right", right), NewToolbox("mixed", right, broken), NewToolbox("wrong", broken))
	}

	It("says after the listing what is left out, and counts the servers that exist", func() {
		w := start(with(`"comand": "` + secret + `"`))

		text := instructions(w, "some-host")

		Expect(text).To(HavePrefix("## Available Toolboxes\n\n- **right** (1 server): No description provided\n"))
		Expect(text).To(ContainSubstring("- **mixed** (1 server): No description provided\n"))
		Expect(text).NotTo(ContainSubstring("**wrong**"))
		_, problems, found := strings.Cut(text, "2. Inspect the returned tools array for available operations\n\n")
		Expect(found).To(BeTrue())
		Expect(problems).To(HavePrefix("Problems in the configuration, for the user to correct:\n- " + path + ":"))
		Expect(problems).To(ContainSubstring(`: toolboxes.mixed.mcpServers.broken.comand: want "command"`))
		Expect(problems).To(ContainSubstring(`: toolboxes.wrong.mcpServers.broken.comand: want "command"`))
		Expect(text).NotTo(ContainSubstring(secret))
	})

	DescribeTable("says it before the listing to hosts that cut", func(host, beginning string) {
		text := instructions(start(with(`"command": 7`)), host)

		Expect(text).To(HavePrefix(beginning))
		Expect(text).To(ContainSubstring("toolboxes.mixed.mcpServers.broken.command: want the program to start, a string"))
	},
		Entry(nil, "claude-code", "Problems in the configuration, for the user to correct:\n- "),
		Entry(nil, "codex-mcp-client", "The configuration has problems (2). Toolboxes: right, mixed. Open one with open_toolbox.\n\n"),
	)

	DescribeTable("does not show a model a key that may be a secret in the wrong place", func(settings, place string) {
		w := start(with(settings))

		texts := instructions(w, "some-host") + open(w, "wrong").Failure() + open(w, "mixed").Text()

		Expect(texts).To(ContainSubstring("toolboxes.wrong.mcpServers.broken" + place))
		Expect(texts).NotTo(ContainSubstring("4f9s8d7f6g5h4j3k"))
		Expect(w.End()).To(Equal(0))
		Expect(w.Stderr()).To(ContainSubstring("4f9s8d7f6g5h4j3k"))
	},
		Entry("the name of a header", `"url": "https://example.com", "headers": {"Bearer sk-4f9s8d7f6g5h4j3k": "Authorization"}`,
			`.headers["•••"]: want letters, digits and dashes`),
		Entry("the name of a variable", `"command": "x", "env": {"ghp_4f9s8d7f6g5h4j3k": true}`, `.env["•••"]: want a string`),
		Entry("an unknown key", `"command": "x", "ghp_4f9s8d7f6g5h4j3k": ""`, `["•••"]: want one of the keys`),
	)

	It("opens the correct part of a toolbox, and names what is left out", func() {
		w := start(with(`"command": "x", "args": "` + secret + `"`))

		Expect(w.Open("right").Names()).To(Equal([]string{"read"}))
		answer := open(w, "mixed").Text()
		Expect(answer).To(ContainSubstring(`"servers_connected":1`))
		Expect(answer).To(ContainSubstring(`"_errors":["Server 'broken' in toolbox 'mixed' is left out, since its configuration has a problem, ` +
			`for the user to correct: ` + strings.Trim(Quote(path), `"`) + `:`))
		Expect(answer).To(ContainSubstring(`toolboxes.mixed.mcpServers.broken.args: want a list of strings`))
		Expect(answer).NotTo(ContainSubstring(secret))
	})

	It("says in a second line why a toolbox does not exist", func() {
		w := start(with(`"toolFilters": "` + secret + `", "command": "x"`))

		lines := strings.Split(open(w, "wrong").Failure(), "\n")

		Expect(lines).To(HaveLen(2))
		Expect(lines[0]).To(Equal("Error: Toolbox 'wrong' not found. Available toolboxes: right, mixed"))
		Expect(lines[1]).To(And(
			HavePrefix("The configuration of the toolbox has a problem, for the user to correct: "+path+":"),
			HaveSuffix(": toolboxes.wrong.mcpServers.broken.toolFilters: want a list of strings")))
		Expect(open(w, "nowhere").Failure()).To(Equal("Error: Toolbox 'nowhere' not found. Available toolboxes: right, mixed"))
	})

	DescribeTable("serves no toolboxes if a mistake may concern all of them", func(before, after, place string, env ...string) {
		text := strings.Replace(with(`"command": "x"`), "{\n", "{\n"+before, 1)
		text = text[:len(text)-len(after)] + after
		w := start(text, env...)

		texts := instructions(w, "some-host")
		Expect(texts).To(HavePrefix("No toolboxes configured.\n"))
		Expect(texts).To(ContainSubstring("\n- " + strings.ReplaceAll(place, "FILE", path)))
		Expect(texts).NotTo(ContainSubstring(secret))
		Expect(open(w, "right").Failure()).To(HavePrefix("Error: Toolbox 'right' not found. Available toolboxes: none\n" +
			"The configuration of the workbench has a problem, for the user to correct: " + strings.ReplaceAll(place, "FILE", path)))
		Expect(w.End()).To(Equal(0))
		Expect(w.Stderr()).To(ContainSubstring("mcp-workbench: the configuration has problems; the parts with problems are left out:\n"))
	},
		Entry("an unknown key", `"pining": "`+secret+`",`, "", `FILE:2: pining: want "pinning"`),
		Entry("a variable of the workbench", "", "", `WORKBENCH_PINNING: want "off", "warn" or "block"`, "WORKBENCH_PINNING="+secret),
	)

	It("serves no toolboxes without the file that it was given", func() {
		w := Start(Launch{Args: []string{"--config", path}})

		Expect(instructions(w, "some-host")).To(ContainSubstring("\n- " + path + ": want a configuration file (given by --config)"))
		Expect(instructions(w, "codex-mcp-client")).To(HavePrefix("The configuration has problems (1). No toolboxes; open_toolbox says why."))
	})

	It("leaves out both of two toolboxes with one name, and no other", func() {
		text := Configuration(NewToolbox("one", Program("s", "x")), NewToolbox("twice", Program("s", "x")), NewToolbox("twice", Program("s", "y")))

		Expect(open(start(text), "twice").Failure()).To(HavePrefix("Error: Toolbox 'twice' not found. Available toolboxes: one\n"))
	})

	DescribeTable("refuses the configuration when it is strict", func(setting string, env []string, args ...string) {
		WriteFile(path, strings.Replace(with(`"command": 7`), "{\n", "{\n"+setting, 1))

		outcome := Run(Launch{Args: append(args, "--config", path), Env: env})

		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stdout).To(BeEmpty())
		Expect(outcome.Stderr).To(HavePrefix("mcp-workbench: the configuration cannot be used:\n" + path + ":"))
	},
		Entry("by a flag", "", nil, "--strict"),
		Entry("by a variable", "", []string{"WORKBENCH_STRICT=1"}),
		Entry("by the file", `"strict": true,`, nil),
	)

	It("refuses a wrong part in every other command", func() {
		WriteFile(path, with(`"command": 7`))

		Expect(Run(Launch{Args: []string{"validate", "--config", path}}).Code).To(Equal(3))
		Expect(Run(Launch{Args: []string{"lock", "--config", path}}).Code).To(Equal(3))
	})
})
