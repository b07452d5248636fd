//go:build unix

package configuration_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

const secretValue = "hunter2-hunter2"

// shellSecret returns the members of the root for a secret TOKEN that a shell prints. It notes each run
// in a file.
func shellSecret(runs, script string) string {
	command, err := json.Marshal([]string{"/bin/sh", "-c", "echo run >> '" + runs + "'; " + script})
	Expect(err).NotTo(HaveOccurred())
	return `"secrets": {"TOKEN": {"command": ` + string(command) + `}}`
}

// withMembers returns a configuration with more members at its root.
func withMembers(members, configuration string) string {
	return strings.Replace(configuration, "{", "{\n  "+members+",", 1)
}

var _ = Describe("A secret outside of the file", Label("X08"), func() {
	var folder, runs string
	BeforeEach(func() {
		folder = GinkgoT().TempDir()
		runs = filepath.Join(folder, "runs")
	})
	count := func() int {
		text, _ := os.ReadFile(runs)
		return strings.Count(string(text), "\n")
	}
	using := func(name string, more ...string) Server {
		return Scripted(name, environmentServer(), append([]string{`"env": {"KEY": "${TOKEN}"}`}, more...)...)
	}
	environ := func(host Host, server string) []string {
		GinkgoHelper()
		return strings.Split(host.Use("dev", server, "environ", "{}").Text(), "\n")
	}

	for _, e := range Eras {
		Context("with a host of "+e.Name, func() {
			It("is the output of a command that runs when a server needs it, once for all servers", func() {
				w := Start(Launch{Config: withMembers(shellSecret(runs, "sleep 0.1; echo "+secretValue),
					Configuration(InDev(using("a"), using("b")), NewToolbox("other", Scripted("c", WithTools("t")))))})
				host := Connect(w, e.Modern, `{}`)
				host.Open("other")
				Expect(count()).To(BeZero(), "no server that started needs it")

				host.Open("dev")

				Expect(environ(host, "a")).To(ContainElement("KEY=" + secretValue))
				Expect(environ(host, "b")).To(ContainElement("KEY=" + secretValue))
				Expect(count()).To(Equal(1))
				Expect(w.End()).To(Equal(0))
				Expect(w.Stderr()).NotTo(ContainSubstring(secretValue))
			})

			It("disables only the servers that use it if its command fails, without showing what the command wrote", func() {
				w := Start(Launch{Config: withMembers(shellSecret(runs, "echo "+secretValue+"; echo "+secretValue+" >&2; exit 3"),
					Configuration(InDev(using("a"), Scripted("b", WithTools("read")))))})
				host := Connect(w, e.Modern, `{}`)

				opened := host.Open("dev")

				Expect(opened.Names()).To(Equal([]string{"read"}))
				Expect(opened.Errors).To(HaveExactElements(
					"Failed to connect to server 'a' in toolbox 'dev': secret 'TOKEN': command '/bin/sh' ended with exit code 3"))
				Expect(w.End()).To(Equal(0))
				Expect(w.Stderr()).NotTo(ContainSubstring(secretValue))
			})
		})
	}

	It("restarts only the servers that use it when its command changes", func() {
		user, other := using("a"), Scripted("b", WithTools("read"))
		host := ServeReloadable(Eras[0], withMembers(shellSecret(runs, "echo "+secretValue), Configuration(InDev(user, other))))
		host.Open("dev")

		host.Reload(withMembers(shellSecret(runs, "echo changed-value"), Configuration(InDev(user, other))))

		Expect(environ(host.Host, "a")).To(ContainElement("KEY=changed-value"))
		Expect(user.Starts()).To(Equal(2))
		Expect(other.Starts()).To(Equal(1))
	})

	It("comes from the environment if it is set there, then from a file", func() {
		WriteFile(filepath.Join(folder, "value"), secretValue+"\n")
		WriteFile(filepath.Join(folder, ".env"), "export B='from .env' # comment\nA=x\nC=y\n")
		config := filepath.Join(folder, "workbench-config.json")
		server := Scripted("a", environmentServer(), `"env": {"A": "${A}", "B": "${B:-default}", "C": "${C}"}`)
		WriteFile(config, withMembers(`"envFile": ".env", "secrets": {"A": {"file": "value"}, "C": {"command": ["no-such-program"]}}`, Configuration(InDev(server))))
		w := Start(Launch{Args: []string{"--config", config}, Env: []string{"C=environment"}})
		host := Connect(w, false, `{}`)
		host.Open("dev")

		Expect(environ(host, "a")).To(ContainElements("A="+secretValue, "B=from .env", "C=environment"))
	})

	It("is read again when its file changes", func() {
		WriteFile(filepath.Join(folder, ".env"), "TOKEN=first\n")
		config := filepath.Join(folder, "workbench-config.json")
		user, other := using("a"), Scripted("b", WithTools("read"))
		WriteFile(config, withMembers(`"envFile": ".env"`, Configuration(InDev(user, other))))
		w := Start(Launch{Args: []string{"--config", config, "--log-level", "info"}})
		w.Initialize()
		w.Open("dev")

		WriteFile(filepath.Join(folder, ".env"), "TOKEN=second value\n")
		w.AwaitSent(LogMessage, 1)

		Expect(w.Use("dev", "a", "environ", "{}").Text()).To(ContainSubstring("KEY=second value\n"))
		Expect(user.Starts()).To(Equal(2))
		Expect(other.Starts()).To(Equal(1))
	})

	DescribeTable("disables its servers if its file cannot be used", func(prepare func(path string), reason string) {
		path := filepath.Join(folder, "value")
		prepare(path)
		w := Start(Launch{Config: withMembers(`"secrets": {"TOKEN": {"file": `+Quote(path)+`}}`,
			Configuration(InDev(using("a"), Scripted("b", WithTools("read")))))})
		Expect(w.Open("dev").Errors).To(HaveExactElements(And(
			ContainSubstring("the file of secret 'TOKEN' cannot be used ("+reason), HaveSuffix("(toolboxes.dev.mcpServers.a.env.KEY)"))))
	},
		Entry("when it does not exist", func(string) {}, "no file"),
		Entry("when others can change it", func(path string) {
			WriteFile(path, "x")
			Expect(os.Chmod(path, 0o666)).To(Succeed())
		}, "a file that others can change"),
	)

	Context("of servers behind a URL", func() {
		var asked chan string
		var address string
		BeforeEach(func() {
			asked = make(chan string, 100)
			refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked <- r.Header.Get("Authorization") + " " + r.URL.RawQuery
				w.WriteHeader(http.StatusUnauthorized)
			}))
			DeferCleanup(refusing.Close)
			address = refusing.URL
		})
		behind := func(name string) Server {
			return Server{Name: name, Settings: []string{
				`"url": ` + Quote(address+"/mcp?key=${TOKEN}"), `"headers": {"Authorization": "Bearer ${TOKEN}"}`,
			}}
		}

		It("can be in headers and the query, and is printed again after a refused login", func() {
			w := Start(Launch{Config: withMembers(shellSecret(runs, "echo "+secretValue), Configuration(
				NewToolbox("one", behind("a")), NewToolbox("two", behind("b"))))})

			failure := w.Call("open_toolbox", `{"toolbox":"one"}`).Failure()
			Expect(<-asked).To(Equal("Bearer " + secretValue + " key=" + secretValue))
			Expect(failure).To(And(ContainSubstring(`does not accept the "Authorization"`), Not(ContainSubstring(secretValue))))
			Expect(count()).To(Equal(1))
			w.Call("open_toolbox", `{"toolbox":"two"}`).Failure()
			Expect(count()).To(Equal(2))
			Expect(w.End()).To(Equal(0))
			Expect(w.Stderr()).NotTo(ContainSubstring(secretValue))
		})

		It("cannot be a header if it has line ends", func() {
			w := Start(Launch{Config: withMembers(shellSecret(runs, `printf 'hunter2-one\nhunter2-two\n'`), Configuration(NewToolbox("one",
				Server{Name: "a", Settings: []string{`"url": ` + Quote(address), `"headers": {"X-Key": "${TOKEN}"}`}})))})
			failure := w.Call("open_toolbox", `{"toolbox":"one"}`).Failure()
			Expect(failure).To(And(ContainSubstring("control characters"), Not(ContainSubstring("hunter2"))))
			Expect(asked).To(BeEmpty())
		})
	})

	It("is examined by doctor without running its command or reading its file", func() {
		members := `"secrets": {"A": {"command": ["no-such-program"]}, "B": {"file": "/no/such/file"}, "C": {"command": ["/bin/sh", "-c", "touch ` + runs + `"]}}`
		outcome := Run(Launch{Args: []string{"doctor", "--offline"}, Config: withMembers(members, `{"toolboxes": {}}`)})
		Expect(outcome.Stdout).To(And(
			ContainSubstring("D028 secrets.A: the command 'no-such-program' of the secret is not in the PATH here"),
			ContainSubstring("D028 secrets.B: the file of the secret cannot be read"), Not(ContainSubstring("secrets.C"))))
		Expect(runs).NotTo(BeAnExistingFile())
	})
})
