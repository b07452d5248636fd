package configuration_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
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
	allowed := []string{"HOME", "LANG", "LC_ALL", "TZ", "USER", "SHELL", "TERM", "XDG_CACHE_HOME", "NVM_DIR"}
	BeforeEach(func() {
		if runtime.GOOS == "windows" {
			Skip("the variables have other names on Windows")
		}
	})
	start := func(settings ...string) *Workbench {
		GinkgoHelper()
		w := Start(Launch{
			Config: Configuration(InDev(Scripted("files", telling(), settings...))), Env: own,
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
			return slices.Contains([]string{CookieName, "PATH", "TMPDIR", "XDG_RUNTIME_DIR", "MCP_WORKBENCH_SERVER"}, name)
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

	It("gives it the variables that programs need, and none that may be a secret", Label("X01"), func() {
		Expect(environment(start())).To(ConsistOf(inherited(allowed...)))
	})

	It("adds the variables in its env, which replace others", Label("X01"), func() {
		w := start(`"env": {"TOKEN": "t", "LANG": "C", "EMPTY": "", "with space": "a b", "_X": "1"}`)

		want := slices.DeleteFunc(inherited(allowed...), func(v string) bool { return strings.HasPrefix(v, "LANG=") })
		Expect(environment(w)).To(ConsistOf(append(want, "TOKEN=t", "LANG=C", "EMPTY=", "with space=a b", "_X=1")))
	})

	DescribeTable("gives it everything but the workbench's own settings when told to", func(value string) {
		variables := environment(start(`"inheritEnv": ` + value))

		Expect(variables).To(ContainElements("AWS_SECRET_ACCESS_KEY=aws", "HTTPS_PROXY=http://user:password@proxy", "WB_CUSTOM=custom"))
		Expect(variables).NotTo(ContainElement(HavePrefix("WORKBENCH_")))
		Expect(variables).NotTo(ContainElement(HavePrefix("FUNCTION=")))
	},
		Entry("by true", `true`),
	)

	It("names a variable that it held back if the server fails for lack of it", Label("X01"), func() {
		server := Scripted("files", telling())
		server.Settings[0], server.Settings[1] = `"command": "sh"`, `"args": ["-c", "echo 'no GITHUB_TOKEN' >&2; exit 1"]`
		w := Start(Launch{Config: Configuration(InDev(server)), Env: own})

		Expect(w.Call("open_toolbox", `{"toolbox": "dev"}`).Failure()).
			To(HaveSuffix(`GITHUB_TOKEN is set here, but the server gets it only with "inheritEnv": ["GITHUB_TOKEN"]`))
	})

	It("gives it its arguments one by one, without a shell", Label("X05"), func() {
		arguments := []string{"a b", `"quoted"`, "it's", "$HOME", "$(touch x)", "`id`", "; exit 1", "*", "~", "", "-n", "\n", "é🧰", `\`}
		quoted := spec.Must(json.Marshal(arguments))
		server := Scripted("files", telling())
		server.Settings[1] = strings.Replace(server.Settings[1], "]", ","+string(quoted[1:]), 1)
		w := Serve(InDev(server))
		w.Open("dev")

		var argv []string
		Expect(json.Unmarshal([]byte(w.Use("dev", "files", "argv", "{}").Text()), &argv)).To(Succeed())
		Expect(argv[2:]).To(Equal(arguments))
	})

	Describe("the working directory", func() {
		var directory string
		BeforeEach(func() {
			resolved := spec.Must(filepath.EvalSymlinks(GinkgoT().TempDir()))
			directory = resolved
		})
		cwd := func(w *Workbench) string {
			GinkgoHelper()
			w.Open("dev")
			return w.Use("dev", "files", "cwd", "{}").Text()
		}

		It("is the one that the configuration names", func() {
			w := Serve(InDev(Scripted("files", telling(), `"cwd": `+Quote(directory))))

			Expect(cwd(w)).To(Equal(directory))
		})
	})

	It("looks a command up in the PATH of the server", func() {
		directory := GinkgoT().TempDir()
		PlaceScriptedServer(filepath.Join(directory, ProgramName("only-here")))
		server := Scripted("files", telling(), `"env": {"PATH": `+Quote(directory)+`}`)
		server.Settings[0] = `"command": "only-here"`

		Expect(Serve(InDev(server)).Open("dev").Connected).To(Equal(1))
	})
})
