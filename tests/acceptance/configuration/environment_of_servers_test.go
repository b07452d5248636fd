package configuration_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Starting a server", func() {
	// own are the variables of the workbench beside those that every workbench
	// of a spec has.
	own := []string{
		"HOME=/home/me", "LANG=de_DE.UTF-8", "LC_ALL=C.UTF-8", "TZ=UTC", "USER=me", "SHELL=/bin/sh", "TERM=dumb",
		"XDG_CACHE_HOME=/home/me/cache", "NVM_DIR=/home/me/nvm",
		"AWS_SECRET_ACCESS_KEY=aws", "GITHUB_TOKEN=github", "HTTPS_PROXY=http://user:password@proxy", "NODE_OPTIONS=--inspect",
		"LD_PRELOAD=", "PYTHONPATH=/tmp", "WORKBENCH_LOG_LEVEL=error", "WB_CUSTOM=custom", "PWD_LIKE=x", "FUNCTION=() { :; }",
	}
	for i := range 50 {
		own = append(own, fmt.Sprintf("VARIABLE_%d=%d", i, i))
	}
	needed := []string{"HOME", "LANG", "LC_ALL", "TZ", "USER", "SHELL", "TERM", "XDG_CACHE_HOME", "NVM_DIR"}
	allowed := append(slices.Clone(needed), "LD_PRELOAD", "PYTHONPATH", "WB_CUSTOM", "PWD_LIKE")
	for i := range 50 {
		allowed = append(allowed, fmt.Sprintf("VARIABLE_%d", i))
	}
	BeforeEach(func() {
		if runtime.GOOS == "windows" {
			Skip("the variables have other names on Windows")
		}
	})
	start := func(settings ...string) *Workbench {
		GinkgoHelper()
		w := Start(Launch{
			Config: Configuration(InDev(Scripted("files", environmentServer(), settings...))), Env: own,
		})
		w.Open("dev")
		return w
	}
	// environment returns the server's variables, without those that every workbench
	// of a spec has anyway, and those by which the workbench recognises its processes.
	environment := func(w *Workbench) []string {
		GinkgoHelper()
		text := w.Use("dev", "files", "environ", "{}").Text()
		return slices.DeleteFunc(strings.Split(text, "\n"), func(variable string) bool {
			name, _, _ := strings.Cut(variable, "=")
			return slices.Contains([]string{CookieName, "GORACE", "PATH", "TMPDIR", "XDG_RUNTIME_DIR", "MCP_WORKBENCH_SERVER"}, name)
		})
	}
	// inherited returns the variables of the workbench with these names.
	inherited := func(names ...string) []string {
		var variables []string
		for _, name := range names {
			i := slices.IndexFunc(own, func(variable string) bool { return strings.HasPrefix(variable, name+"=") })
			variables = append(variables, own[i])
		}
		return variables
	}

	It("gives it the variables of the workbench, and none that may be a secret or is of an editor", Label("X01"), func() {
		Expect(environment(start())).To(ConsistOf(inherited(allowed...)))
	})

	It("gives it those besides that a list names", Label("X01"), func() {
		Expect(environment(start(`"inheritEnv": ["GITHUB_TOKEN", "NODE_OPTIONS", "WORKBENCH_LOG_LEVEL"]`))).
			To(ConsistOf(inherited(append(slices.Clone(allowed), "GITHUB_TOKEN", "NODE_OPTIONS")...)))
	})

	It("gives it secrets, too, if it is to have all", Label("X01"), func() {
		Expect(environment(start(`"inheritEnv": "all"`))).
			To(ConsistOf(inherited(append(slices.Clone(allowed), "GITHUB_TOKEN", "NODE_OPTIONS", "AWS_SECRET_ACCESS_KEY", "HTTPS_PROXY")...)))
	})

	It("gives it what every program needs, and no more, if it is to have none", Label("X01"), func() {
		Expect(environment(start(`"inheritEnv": false`))).To(ConsistOf(inherited(needed...)))
	})

	It("adds the variables in its env, which replace others", Label("X01"), func() {
		w := start(`"env": {"TOKEN": "t", "LANG": "C", "EMPTY": "", "with space": "a b", "_X": "1"}`)

		want := slices.DeleteFunc(inherited(allowed...), func(v string) bool { return strings.HasPrefix(v, "LANG=") })
		Expect(environment(w)).To(ConsistOf(append(want, "TOKEN=t", "LANG=C", "EMPTY=", "with space=a b", "_X=1")))
	})

	It("names a variable that it held back if the server fails for lack of it", Label("X01"), func() {
		server := Scripted("files", environmentServer())
		server.Settings[0], server.Settings[1] = `"command": "sh"`, `"args": ["-c", "echo 'no GITHUB_TOKEN' >&2; exit 1"]`
		w := Start(Launch{Config: Configuration(InDev(server)), Env: own})

		Expect(w.Call("open_toolbox", `{"toolbox": "dev"}`).Failure()).
			To(HaveSuffix(`GITHUB_TOKEN is set here, but the server gets it only with "inheritEnv": ["GITHUB_TOKEN"]`))
	})

	It("names a secret that it held back where a failed call names it, and leaves other results as they are", Label("X01"), func() {
		server := WithTools("failing", "reading")
		said := script.Text("set ${GITHUB_TOKEN} first")
		server.Rules = []script.Rule{
			{Method: "tools/call", Tool: "failing", Do: []script.Step{{Result: strings.TrimSuffix(said, "}") + `,"isError":true}`}}},
			{Method: "tools/call", Tool: "reading", Do: []script.Step{{Result: said}}},
		}
		w := Start(Launch{Config: Configuration(InDev(Scripted("files", server))), Env: own})
		w.Open("dev")

		Expect(w.Use("dev", "files", "failing", "{}").Failure()).
			To(HaveSuffix("set ${GITHUB_TOKEN} first\n" + `GITHUB_TOKEN is set here, but the server gets it only with "inheritEnv": ["GITHUB_TOKEN"]`))
		Expect(w.Use("dev", "files", "reading", "{}").Text()).To(Equal("set ${GITHUB_TOKEN} first"))
	})
})

// environmentServer returns a server whose tools report what it was started with.
func environmentServer() script.Script {
	s := WithTools("argv", "environ", "cwd")
	s.Rules = []script.Rule{
		{Method: "tools/call", Tool: "argv", Do: []script.Step{{Argv: true}}},
		{Method: "tools/call", Tool: "environ", Do: []script.Step{{Environ: true}}},
		{Method: "tools/call", Tool: "cwd", Do: []script.Step{{Cwd: true}}},
	}
	return s
}

var _ = Describe("Expanding variables", Label("G05"), func() {
	// start starts a workbench with a server that gets one more argument.
	start := func(argument string, env ...string) *Workbench {
		GinkgoHelper()
		server := Scripted("files", environmentServer())
		server.Settings[1] = strings.Replace(server.Settings[1], "]", ","+Quote(argument)+"]", 1)
		w := Start(Launch{Config: Configuration(InDev(server)), Env: env})
		w.Open("dev")
		return w
	}
	// arguments returns the server's arguments after its script.
	arguments := func(w *Workbench) []string {
		GinkgoHelper()
		var argv []string
		Expect(json.Unmarshal([]byte(w.Use("dev", "files", "argv", "{}").Text()), &argv)).To(Succeed())
		return argv[2:]
	}

	DescribeTable("makes one argument of each value", Label("X05"), func(configured, want string, env ...string) {
		Expect(arguments(start(configured, env...))).To(Equal([]string{want}))
	},
		Entry("a value with spaces, quotes and special characters of shells",
			"${A}", `a b "c" 'd' $(e) ; f | g > h *`, `A=a b "c" 'd' $(e) ; f | g > h *`),
		Entry("a variable that is empty", "${A}", "", "A="),
		Entry("no default for a variable that is empty", "${A:-other}", "", "A="),
	)
})
