package hosts_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/mcpregistry"
	"mcp-workbench/tests/fixtures/remote"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Servers that come from the registry", Label("RG03"), func() {
	var home HomeFolder
	var registry *mcpregistry.Registry
	BeforeEach(func() {
		home = NewHomeFolder()
		registry = mcpregistry.Start(mcpregistry.Examples()...)
		DeferCleanup(registry.Close)
		home.Program("npx", "#!/bin/sh\n")
		home.File(OwnConfiguration, `{"toolboxes": {
			"a": {"mcpServers": {
				// mine
				"files": {"command": "npx", "args": ["-y", "@octo/files-mcp@1.0.2", "/data", "/more"], "env": {"LOG_LEVEL": "debug", "OWN": "1"}, "toolFilters": ["read"],
					"from": {"registry": "io.github.octo/files", "version": "1.0.2"}},
				"plain": {"command": "npx"}}},
			"b": {"mcpServers": {"search": {"command": "npx", "args": ["-y", "@octo/search-mcp@1.0.2"], "env": {"SEARCH_API_KEY": "${PATH}"},
					"from": {"registry": "io.github.octo/search", "version": "1.0.2"}}}}}}`)
	})
	launch := func(words ...string) Launch {
		l := home.Launch(words...)
		l.Env = append(l.Env, "WORKBENCH_REGISTRY="+registry.URL())
		return l
	}
	publish := func(argument string) {
		registry.Publish(`{"name":"io.github.octo/files","description":"Files","version":"1.1.0","packages":[{"registryType":"npm","identifier":"@octo/files-mcp","version":"1.1.0","transport":{"type":"stdio"},
			"packageArguments":[{"type":"positional","valueHint":"target_dir","isRequired":true,"isRepeated":true}` + argument + `],"environmentVariables":[{"name":"LOG_LEVEL","default":"info"}]}]}`)
	}

	It("are updated after a yes, with the values, keys and comments that they have", func() {
		publish("")

		outcome := Run(launch("update"))
		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stdout).To(And(ContainSubstring("a/files (io.github.octo/files 1.0.2): has the newer version 1.1.0\n"),
			ContainSubstring("  runs: LOG_LEVEL=debug OWN=1 npx -y @octo/files-mcp@1.1.0 /data /more\n"), MatchRegexp(`(?m)^\+.*"@octo/files-mcp@1\.1\.0"`),
			ContainSubstring("b/search (io.github.octo/search 1.0.2): is the newest version\n")))

		outcome = Run(launch("update", "--yes"))
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("Updated a/files to 1.1.0."))
		text := home.Content(OwnConfiguration)
		Expect(text).To(And(ContainSubstring("// mine"), ContainSubstring(`"@octo/files-mcp@1.1.0"`), ContainSubstring(`"/more"`), ContainSubstring(`"LOG_LEVEL": "debug"`),
			ContainSubstring(`"OWN": "1"`), ContainSubstring(`"toolFilters": ["read"]`), ContainSubstring(`"version": "1.1.0"`), Not(ContainSubstring("files-mcp@1.0.2"))))
		Expect(Run(launch("update", "--check")).Code).To(Equal(0))
	})

	It("are only told about with --check", func() {
		publish("")
		registry.Mark("io.github.octo/search", "deleted", "")
		before := home.Content(OwnConfiguration)

		outcome := Run(launch("update", "--check"))

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(Equal("a/files (io.github.octo/files 1.0.2): has the newer version 1.1.0\nb/search (io.github.octo/search 1.0.2): deleted from the registry\n"))
		Expect(home.Content(OwnConfiguration)).To(Equal(before))

		registry.Mark("io.github.octo/search", "deprecated", "use\nanother")
		outcome = Run(launch("update", "--check", "b/search"))
		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(Equal("b/search (io.github.octo/search 1.0.2): deprecated: use another\n"))
		Expect(Run(launch("update", "--check", "--json", "b")).Stdout).To(MatchJSON(`{"plugins":[],"packages":[],"servers":[{"server":"b/search","registry":"io.github.octo/search","version":"1.0.2","deprecated":true,"deleted":false,"written":false}]}`))
	})

	It("are skipped with a line if another command removes them meanwhile", func() {
		publish("")
		registry.Asked = func(request *http.Request) {
			if strings.Contains(request.URL.Path, "files") {
				text := home.Content(OwnConfiguration)
				home.File(OwnConfiguration, text[:strings.Index(text, `"b": {`)]+`"b": {"mcpServers": {"other": {"command": "npx"}}}}}`)
			}
		}

		outcome := Run(launch("update", "--check"))

		Expect(outcome.Code).To(Equal(1), outcome.Stderr)
		Expect(outcome.Stdout).To(Equal("a/files (io.github.octo/files 1.0.2): has the newer version 1.1.0\nb/search: it was removed meanwhile, or no longer comes from the registry\n"))
	})

	It("are compared by their tools with --start, which leaves no file behind", func() {
		older, newer := remote.StartStreamable(WithTools("same", "gone")), remote.StartStreamable(WithTools("same", "added"))
		DeferCleanup(older.Break)
		DeferCleanup(newer.Break)
		entry := `{"name":"io.github.octo/far","description":"x","version":"%s","remotes":[{"type":"streamable-http","url":"%s"}]}`
		registry.Publish(fmt.Sprintf(entry, "1.0.0", older.URL()))
		Expect(Run(launch("add", "far", "--yes")).Code).To(Equal(0))
		registry.Publish(fmt.Sprintf(entry, "2.0.0", newer.URL()))
		home.File(".config/mcp-workbench/workbench.lock.json", "the user's own")
		home.File(".config/mcp-workbench/more.env", "A=b")
		home.File(OwnConfiguration, strings.Replace(home.Content(OwnConfiguration), "{", `{"envFile": "more.env", `, 1))

		outcome := Run(launch("update", "far/far", "--start", "--yes", "--allow-options"))

		Expect(outcome.Code).To(Equal(0), outcome.Stdout+outcome.Stderr)
		Expect(outcome.Stdout).To(And(ContainSubstring("gone"), ContainSubstring("added"), ContainSubstring("Updated far/far to 2.0.0."), Not(ContainSubstring("same"))))
		Expect(os.ReadDir(home.Path(".config/mcp-workbench"))).To(HaveLen(3))
		Expect(home.Content(".config/mcp-workbench/workbench.lock.json")).To(Equal("the user's own"))
	})

	It("are updated with --start even if the tools cannot be compared, and the user is told why", func() {
		older, newer := remote.StartStreamable(WithTools("same")), remote.StartStreamable(WithTools("same"))
		DeferCleanup(newer.Break)
		entry := `{"name":"io.github.octo/far","description":"x","version":"%s","remotes":[{"type":"streamable-http","url":"%s"}]}`
		registry.Publish(fmt.Sprintf(entry, "1.0.0", older.URL()))
		Expect(Run(launch("add", "far", "--yes")).Code).To(Equal(0))
		registry.Publish(fmt.Sprintf(entry, "2.0.0", newer.URL()))
		older.Break()

		outcome := Run(launch("update", "far/far", "--start", "--yes", "--allow-options"))

		Expect(outcome.Code).To(Equal(0), outcome.Stdout+outcome.Stderr)
		Expect(outcome.Stderr).To(MatchRegexp(`the tools of far/far cannot be compared: .*connect`))
		Expect(outcome.Stdout).To(ContainSubstring("Updated far/far to 2.0.0."))
	})

	DescribeTable("are not started before the user said yes", func(code int, words ...string) {
		older := remote.StartStreamable(WithTools("same"))
		entry := `{"name":"io.github.octo/far","description":"x","version":"%s","remotes":[{"type":"streamable-http","url":"%s"}]}`
		registry.Publish(fmt.Sprintf(entry, "1.0.0", older.URL()))
		Expect(Run(launch("add", "far", "--yes")).Code).To(Equal(0))
		registry.Publish(fmt.Sprintf(entry, "2.0.0", "https://other.example/mcp"))
		older.Break()
		before := home.Content(OwnConfiguration)

		outcome := Run(launch(append([]string{"update", "far/far"}, words...)...))

		Expect(outcome.Code).To(Equal(code), outcome.Stdout+outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("needs care: another address: https://other.example, was: http://127.0.0.1:"))
		Expect(outcome.Stderr).NotTo(ContainSubstring("cannot be compared"))
		Expect(home.Content(OwnConfiguration)).To(Equal(before))
	},
		Entry("without a terminal", 2, "--start"),
		Entry("for a dry run", 0, "--start", "--dry-run"),
		Entry("with --yes, which does not accept another host", 2, "--start", "--yes"),
	)

	DescribeTable("need more than --yes to get more than before", func(identifier, variables, reason string) {
		registry.Publish(`{"name":"io.github.octo/files","description":"Files","version":"1.1.0","packages":[{"registryType":"npm","identifier":"` + identifier + `","version":"1.1.0","transport":{"type":"stdio"},
			"packageArguments":[{"type":"positional","valueHint":"target_dir","isRequired":true,"isRepeated":true}],"environmentVariables":[{"name":"LOG_LEVEL","default":"info"}` + variables + `]}]}`)
		before := home.Content(OwnConfiguration)

		outcome := Run(launch("update", "a/files", "--yes"))

		Expect(outcome.Code).To(Equal(2), outcome.Stdout+outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("  needs care: " + reason))
		Expect(home.Content(OwnConfiguration)).To(Equal(before))
		Expect(Run(launch("update", "a/files", "--yes", "--allow-options")).Code).To(Equal(0))
	},
		Entry("another package", "@octo/other-mcp", "", "another package: @octo/other-mcp (npm), was: @octo/files-mcp (npm)"),
		Entry("a package of another owner", "@evil/files-mcp", "", "another package: @evil/files-mcp (npm), was: @octo/files-mcp (npm)"),
		Entry("a variable", "@octo/files-mcp", `,{"name":"LEVEL","default":"x"}`, "LEVEL is a variable that it did not get before"),
		Entry("a value of the user", "@octo/files-mcp", `,{"name":"PATH","isRequired":true,"isSecret":true}`, "PATH (now used by b/search) goes to the program npx"),
	)

	It("are not started if the file of the working folder is not trusted", func() {
		publish("")
		folder := home.Path("project")
		home.File("project/workbench-config.json", home.Content(OwnConfiguration))
		started := launch("update", "--start", "--yes", "--allow-options")
		started.Dir = folder

		outcome := Run(started)

		Expect(outcome.Code).To(Equal(2), outcome.Stdout+outcome.Stderr)
		Expect(outcome.Stderr).To(ContainSubstring("mcp-workbench trust"))
	})

	DescribeTable("are not updated", func(code int, reason, argument string, words ...string) {
		publish(argument)
		before := home.Content(OwnConfiguration)

		outcome := Run(launch(append([]string{"update", "--yes"}, words...)...))

		Expect(outcome.Code).To(Equal(code))
		Expect(outcome.Stdout + outcome.Stderr).To(ContainSubstring(reason))
		Expect(home.Content(OwnConfiguration)).To(Equal(before))
	},
		Entry("if the new version needs care", 2, "--yes alone does not accept what needs care (--eval is code", `,{"type":"positional","value":"--eval"}`),
		Entry("if it asks for more", 2, "mode (argument, or set FILES_MODE): Mode", `,{"type":"named","name":"--mode","description":"Mode","isRequired":true}`),
		Entry("if they do not come from the registry", 2, "a/plain does not come from the registry", "", "a/plain"),
		Entry("if they do not exist", 2, "nosuch", "", "a/nosuch"),
		Entry("without the registry", 4, "cannot connect to http://127.0.0.1:1", "", "--registry", "http://127.0.0.1:1"),
	)

	It("have findings of doctor, only with --online", func() {
		codes := func(findings []Finding) (found []string) {
			for _, finding := range findings {
				if finding.Code >= "D029" {
					found = append(found, finding.Code+" "+finding.About)
				}
			}
			return found
		}
		publish("")
		registry.Mark("io.github.octo/search", "deprecated", "use another")
		asked := len(registry.Requests())

		Expect(codes(home.Examined())).To(BeEmpty())
		Expect(registry.Requests()).To(HaveLen(asked))
		examined := func() []string {
			GinkgoHelper()
			return codes(home.ExaminedBy(launch("doctor", "--online", "--json")))
		}
		Expect(examined()).To(Equal([]string{"D030 a/files", "D031 b/search"}))
		registry.Mark("io.github.octo/search", "deleted", "")
		Expect(examined()).To(Equal([]string{"D030 a/files", "D032 b/search"}))
		registry.Close()
		Expect(examined()).To(Equal([]string{"D029 a/files"}))
	})

	It("are served without asking the registry", func() {
		w := Start(launch("serve"))
		w.Initialize()
		Expect(w.Call("open_toolbox", `{"toolbox":"a"}`).Failure()).To(ContainSubstring("the server exited")) // npx is an empty script

		Expect(registry.Requests()).To(BeEmpty())
	})

	It("are listed with where they come from", func() {
		outcome := home.Run("list")
		Expect(strings.Split(outcome.Stdout, "\n")).To(ContainElements("a\tfiles\tstdio\t\tio.github.octo/files@1.0.2", "a\tplain\tstdio\t"))
		Expect(home.Run("list", "--json").Stdout).To(ContainSubstring(`"from":"io.github.octo/search@1.0.2"`))
	})
})
