package shell_test

import (
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/mcpregistry"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Searching the registry", Label("RG01"), func() {
	var home HomeFolder
	var registry *mcpregistry.Registry
	BeforeEach(func() {
		home = NewHomeFolder()
		registry = mcpregistry.Start(mcpregistry.Examples()...)
		DeferCleanup(registry.Close)
		home.Program("npx", "#!/bin/sh\n")
	})
	search := func(words ...string) Outcome {
		GinkgoHelper()
		return home.Run(append([]string{"search", "--registry", registry.URL()}, words...)...)
	}

	It("prints a line for each server: name, version, how it runs here or what is missing, and what it is for", func() {
		registry.Mark("io.github.octo/files", "deprecated", "use another\nplease")

		outcome := search("octo", "notes", "weather")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(Equal(
			"com.example/notes\t2.0.0\turl\tNotes of a team\n" +
				"io.github.octo/editor\t1.0.0\tnot here\tA bundle for an editor\n" +
				"io.github.octo/search\t1.0.2\tnpx\tSearch the web with an API key\n" +
				"io.github.octo/database\t3.1.0\tneeds docker\tQueries of a database\n" +
				"com.example.weather/weather\t0.5.0\tneeds uvx\tWeather of a place\n" +
				"io.github.octo/files\t1.0.2\tnpx\tdeprecated: use another please Read and write files\n"))
	})

	It("shows no more than asked for, and says so", func() {
		outcome := search("octo", "--limit", "1")

		Expect(outcome.Stdout).To(Equal("io.github.octo/files\t1.0.2\tnpx\tRead and write files\n"))
		Expect(outcome.Stderr).To(ContainSubstring("the registry has more; add a word, or --limit"))
	})

	It("finds nothing with other words to try", func() {
		outcome := search("nothing like this")

		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(ContainSubstring(`The registry has no server for "nothing like this"`))
		Expect(outcome.Stdout).To(ContainSubstring("try one word"))
	})

	It("shows texts of others on one line, with escapes, and points out letters that look alike", func() {
		registry.Publish(`{"name":"io.github.\u043ect\u043e/mail","description":"\u001b[2JMail\n\u202eof all","version":"1"}`)

		outcome := search("mail")

		Expect(outcome.Stdout).To(And(HavePrefix("io.github.\u043ect\u043e/mail\t1\tnot here\tthe name has letters of several scripts (Cyrillic, Latin), which can look alike: "),
			HaveSuffix(`\u001b[2JMail \u202eof all`+"\n")))
	})

	It("prints one JSON object with --json", func() {
		Expect(search("weather", "--json").Stdout).To(MatchJSON(`{"servers":[{"name":"com.example.weather/weather","version":"0.5.0","description":"Weather of a place",
			"runs":"","missing":["uvx"],"status":"active"}],"more":false}`))
	})

	It("fits a terminal", func() {
		NeedsTerminal()
		for _, columns := range []int{80, 40} {
			t := OnTerminal(home.Launch("--color", "never", "search", "--registry", registry.URL(), "octo"), columns, nil)
			Expect(t.End()).To(Equal(0))
			Expect(t.Shown()).To(ContainSubstring("NAME"))
			for _, line := range strings.Split(t.Shown(), "\n") {
				Expect(len([]rune(line))).To(BeNumerically("<=", columns), line)
			}
		}
	})

	DescribeTable("fails", func(code int, reason string, environ []string, words ...string) {
		l := home.Launch(append([]string{"search"}, words...)...)
		l.Env = append(l.Env, environ...)

		outcome := Run(l)

		Expect(outcome.Code).To(Equal(code))
		Expect(outcome.Stderr).To(ContainSubstring(reason))
	},
		Entry("with code 4 if the registry is out of reach", 4, "cannot connect to http://127.0.0.1:1", []string{"WORKBENCH_REGISTRY=http://127.0.0.1:1"}, "x"),
		Entry("without a registry", 1, `"registry" is false`, nil, "x"),
		Entry("without words", 2, "name what the server is for", nil),
		Entry("with a limit that shows nothing", 2, "--limit wants a number above 0", nil, "--limit", "0", "x"),
		Entry("with an address that is none", 3, "--registry: found \"ftp://x\", want an address or false", nil, "--registry", "ftp://x", "x"),
	)

	It("does not ask the registry of a folder that is not trusted", func() {
		asked := make(chan struct{}, 1)
		evil := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked <- struct{}{} }))
		DeferCleanup(evil.Close)
		home.File("work/workbench-config.json", `{"registry": {"url": "`+evil.URL+`", "headers": {"X": "${HOME}"}}, "toolboxes": {}}`)
		l := home.Launch("search", "octo")
		l.Env = append(l.Env, "WORKBENCH_REGISTRY=", "HTTPS_PROXY=http://127.0.0.1:1") // so that the usual one is out of reach

		outcome := Run(l)

		Expect(outcome.Code).To(Equal(4))
		Expect(outcome.Stderr).To(ContainSubstring("for https://registry.modelcontextprotocol.io cannot be reached"))
		Expect(asked).NotTo(Receive())
	})
})
