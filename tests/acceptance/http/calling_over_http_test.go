package http_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// The tokens of callers, and the settings that have them.
const (
	ciToken, allToken = "token-of-the-ci-that-is-long", "token-for-all-that-is-long"
	tokens            = `{"tokens": {
	"ci": {"value": "${CI}", "toolboxes": ["build"]},
	"all": {"value": "` + allToken + `", "toolboxes": ["*"]},
	"unset": {"value": "${UNSET}", "toolboxes": ["*"]}
}}`
)

var _ = Describe("A caller over HTTP", func() {
	toolboxes := func() []Toolbox {
		GinkgoHelper()
		echo := script.Script{Tools: []string{script.Tool("echo")}, Rules: []script.Rule{script.Answer("echo", script.Text("from afar"))}}
		return []Toolbox{NewToolbox("build", Scripted("make", echo)), NewToolbox("concealed", Scripted("vault", echo))}
	}

	Context("from this machine, without tokens", func() {
		It("is served, and the operator is told that every user on this machine can call", func() {
			l := listen(Launch{Config: Configuration(toolboxes()...)})
			Expect(l.Stderr()).To(MatchRegexp(`listening on http://127\.0\.0\.1:\d+/mcp; every program on this machine may call it`))
			for _, era := range Eras {
				_, hello := l.as(era, "")
				Expect(hello.StatusCode).To(Equal(200), era.Name)
				Expect(hello.text).To(ContainSubstring("concealed"))
			}
		})

		It("is served to web pages of the origins that the configuration allows, and the operator is told so", Label("TT13"), func() {
			l := listen(Launch{Config: `{"http":{"allowOrigins":["https://app.example"]},` + Configuration()[1:]})
			Expect(l.Stderr()).To(ContainSubstring("; every program on this machine may call it, and so may web pages of https://app.example\n"))
		})

		It("is refused because of its headers, before a body arrives", Label("T02", "M07"), func() {
			l := listen(Launch{Config: Configuration()}) // one for all: it ends half a second after a refusal
			for _, refused := range []struct {
				status  int
				headers []string
			}{
				{403, []string{"Host: attacker.test", "Content-Type: application/json"}},
				{403, []string{"Host: attacker.test", "Origin: http://attacker.test", "Content-Type: application/json"}},
				{403, []string{"Host: 127.0.0.1", "Origin: https://attacker.test", "Content-Type: application/json"}},
				{403, []string{"Host: 127.0.0.1", "Origin: null", "Content-Type: application/json"}},
				{415, []string{"Host: localhost", "Content-Type: text/plain"}},
				{415, []string{"Host: localhost"}},
				{431, []string{"Host: localhost", "X-Large: " + strings.Repeat("a", 80<<10)}},
			} {
				connection, err := net.Dial("tcp", strings.TrimPrefix(l.root, "http://"))
				Expect(err).NotTo(HaveOccurred())
				_, err = fmt.Fprintf(connection, "POST /mcp HTTP/1.1\r\n%s\r\nContent-Length: 1000000\r\n\r\n", strings.Join(refused.headers, "\r\n"))
				Expect(err).NotTo(HaveOccurred())

				answer, err := http.ReadResponse(bufio.NewReader(connection), nil)

				Expect(err).NotTo(HaveOccurred())
				Expect(answer.StatusCode).To(Equal(refused.status), "%.100v", refused.headers)
				Expect(connection.Close()).To(Succeed())
			}
		})

		It("can use another host name and another origin if they are allowed", func() {
			config := WithHTTP(`{"tokens": {"me": {"value": "` + allToken + `", "toolboxes": ["*"]}}, "allowHosts": ["one.test"], "allowOrigins": ["https://app.test"]}`)
			l := listen(Launch{Config: config, Args: []string{"--allow-host", "two.test", "--allow-origin", "https://other.test"}})
			for _, headers := range [][]string{{"Host", "one.test"}, {"Host", "two.test:99"}, {"Origin", "https://app.test"}, {"Origin", "https://other.test"}} {
				asked := l.ask(http.MethodOptions, l.url, "", headers...)
				Expect(asked.StatusCode).To(Equal(204), "%v", headers)
			}
			Expect(l.ask(http.MethodOptions, l.url, "", "Host", "three.test").StatusCode).To(Equal(403))
		})

		It("gets 503 when as many hosts are served as the configuration allows", func() {
			l := listen(Launch{Config: WithHTTP(`{"maxSessions": 1}`)})
			_, first := l.as(Older, "")
			Expect(first.StatusCode).To(Equal(200))

			_, second := l.as(Older, "")

			Expect(second.StatusCode).To(Equal(503))
			Expect(second.Header.Get("Retry-After")).NotTo(BeEmpty())
			Expect(second.text).To(ContainSubstring("too many sessions"))
		})

		It("gets only a status from the probes", func() {
			l := listen(Launch{Config: Configuration(toolboxes()...)})
			for _, path := range []string{"/livez", "/readyz"} {
				probe := l.ask(http.MethodGet, l.root+path, "", "Host", "10.1.2.3:7345")
				Expect(probe.StatusCode).To(Equal(200))
				Expect(probe.text).To(BeEmpty())
				Expect(l.ask(http.MethodPost, l.root+path, "{}").StatusCode).To(Equal(405))
			}
			root := l.ask(http.MethodGet, l.root+"/", "")
			Expect(root.StatusCode).To(Equal(404))
			Expect(root.text).To(Equal("There is nothing here. Hosts use /mcp, browsers /ui\n"))
		})
	})

	DescribeTable("from another machine is not served without authentication that is hard to guess", Label("T01", "TH07"),
		func(address, config string, code int, message string) {
			run := Run(Launch{Config: config, Args: []string{"serve", "--http", address}})
			Expect(run.Code).To(Equal(code))
			Expect(run.Stderr).To(ContainSubstring(message))
			Expect(run.Stdout).To(BeEmpty())
		},
		Entry("without tokens",
			"0.0.0.0:0", Configuration(), 3, `calls would need no authentication: configure "http": {"tokens": {"NAME"`),
		Entry("at every address", ":0", Configuration(), 3, "or listen on 127.0.0.1"),
		Entry("with a mistake",
			"127.0.0.1:0", WithHTTP(`{"tokens":{"a":{"value":"long-enough-for-this"}}}`), 3, `while "http" in the configuration has a mistake`),
		Entry("by a proxy, at this machine", "127.0.0.1:0", WithHTTP(`{"allowHosts":["localhost","mcp.example.com:443"]}`), 3,
			`the allowed host mcp.example.com:443 is not this machine, so a proxy lets other machines in, and calls would need no authentication: configure "http": {"tokens"`),
		Entry("with a token that is easy to guess", "0.0.0.0:0", WithHTTP(`{"tokens":{"good":{"value":"`+allToken+`","toolboxes":["*"]},"short":{"value":"fifteen-letters","toolboxes":["*"]}}}`), 3,
			`the token "short" has fewer than 16 characters, so it can be guessed: 'openssl rand -hex 32' makes a good one`),
	)

	DescribeTable("is refused without a valid token, and learns nothing", Label("T03"),
		func(query string, headers ...string) {
			l := listen(Launch{Config: WithHTTP(tokens, toolboxes()...), Env: []string{"CI=" + ciToken}})
			Expect(l.Stderr()).To(ContainSubstring("environment variable 'UNSET' is not set, so this token gives no access"))

			asked := l.ask(http.MethodPost, l.url+query, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, append(headers, "Content-Type", "application/json")...)

			Expect(asked.StatusCode).To(Equal(401))
			Expect(asked.Header.Get("WWW-Authenticate")).To(HavePrefix("Bearer"))
			Expect(asked.text + l.Stderr()).NotTo(Or(ContainSubstring(ciToken), ContainSubstring(allToken), ContainSubstring("n0t-a-tok3n")))
		},
		Entry("none", ""),
		Entry("a valid one in the address", "?access_token="+allToken),
	)

	for _, era := range Eras {
		It("sees the toolboxes of its token and nothing of others, in "+era.Name, Label("T04"), func() {
			l := listen(Launch{Config: WithHTTP(tokens, toolboxes()...), Env: []string{"CI=" + ciToken}})

			ci, hello := l.as(era, ciToken)
			Expect(hello.text).To(ContainSubstring("**build** (1 server)"))
			opened := ci.open("build")
			Expect(opened.text).To(ContainSubstring("echo"))
			Expect(ci.use("build", "make", "echo").text).To(ContainSubstring("from afar"))
			message := []string{
				hello.text, opened.text, ci.request("tools/list", "").text, ci.open("concealed").text, ci.use("concealed", "vault", "echo").text,
				ci.open("concealde").text, ci.request("resources/list", "").text,
			}
			asked := strings.ReplaceAll(strings.Join(message, "\n"), "Toolbox 'concealed' not found", "Toolbox '…' not found")
			Expect(asked).NotTo(Or(ContainSubstring("concealed"), ContainSubstring("vault")))
			Expect(strings.ReplaceAll(ci.open("concealed").text, "concealed", "NAME")).To(Equal(strings.ReplaceAll(ci.open("absent").text, "absent", "NAME")))

			operator, hello := l.as(era, allToken)
			Expect(hello.text).To(ContainSubstring("concealed"))
			Expect(operator.open("concealed").text).To(ContainSubstring("vault"))
		})
	}

	It("reads metrics about its toolboxes, with a token if one is needed", func() {
		l := listen(Launch{Config: WithHTTP(tokens, toolboxes()...), Env: []string{"CI=" + ciToken}})
		operator, _ := l.as(Older, allToken)
		for _, toolbox := range [][2]string{{"build", "make"}, {"concealed", "vault"}} {
			operator.open(toolbox[0])
			Expect(operator.use(toolbox[0], toolbox[1], "echo").text).To(ContainSubstring("from afar"))
		}
		read := func(token string) reply {
			return l.ask(http.MethodGet, l.root+"/metrics", "", "Authorization", "Bearer "+token)
		}

		Expect(l.ask(http.MethodGet, l.root+"/metrics", "").StatusCode).To(Equal(401))
		Expect(read(allToken).text).To(And(
			ContainSubstring("mcp_workbench_sessions 1\n"), ContainSubstring("mcp_workbench_servers{state=\"running\"} 2\n"),
			ContainSubstring(`mcp_workbench_calls_total{toolbox="concealed",server="vault",outcome="ok"} 1`)))
		Expect(read(ciToken).text).To(And(
			ContainSubstring("mcp_workbench_sessions 0\n"),
			ContainSubstring("mcp_workbench_servers{state=\"running\"} 1\n"), ContainSubstring(`mcp_workbench_calls_total{toolbox="build",server="make",outcome="ok"} 1`),
			Not(ContainSubstring("concealed"))))

		open := listen(Launch{Config: Configuration()})
		Expect(open.ask(http.MethodGet, open.root+"/metrics", "").text).To(ContainSubstring("mcp_workbench_sessions 0\n"))
		Expect(open.ask(http.MethodGet, open.root+"/metrics", "", "Host", "attacker.test").StatusCode).To(Equal(403))
	})

	It("is named in the log when its server dies, by its identity and the beginning of its session", func() {
		mortal := script.Script{Tools: []string{script.Tool("die")}, Rules: []script.Rule{{Method: "tools/call", Do: []script.Step{{Exit: 3}}}}}
		l := listen(Launch{
			Config: WithHTTP(tokens, NewToolbox("build", Scripted("make", mortal))), Args: []string{"--log-level", "info"}, Env: []string{"CI=" + ciToken},
		})
		ci, hello := l.as(Older, ciToken)
		ci.open("build")
		ci.use("build", "make", "die")

		session := hello.Header.Get("Mcp-Session-Id")
		Eventually(l.Stderr).WithTimeout(Patience).Should(MatchRegexp(
			`level=INFO msg="the server died" identity="token \\"ci\\"" session=` + session[:8] + ` toolbox=build server=make why="the server ended with exit code 3" up=\S+ host=\S+\n`))
		Expect(l.Stderr()).NotTo(ContainSubstring(session))
	})

	It("gets nothing from another caller's session", Label("T05"), func() {
		l := listen(Launch{Config: WithHTTP(tokens, toolboxes()...), Env: []string{"CI=" + ciToken}})
		operator, _ := l.as(Older, allToken)
		thief := &caller{listener: l, headers: append(operator.headers[:len(operator.headers):len(operator.headers)], "Authorization", "Bearer "+ciToken)}

		Expect(thief.request("tools/list", "").StatusCode).To(Equal(404))
		Expect(l.ask(http.MethodDelete, l.url, "", thief.headers...).StatusCode).To(Equal(404))
		Expect(operator.request("tools/list", "").StatusCode).To(Equal(200))
	})

	It("gains and loses access with its token while the workbench runs", Label("T06", "TG05"), func() {
		path := filepath.Join(GinkgoT().TempDir(), "workbench-config.json")
		boxes := toolboxes()
		WriteFile(path, WithHTTP(tokens, boxes...))
		l := listen(Launch{Args: []string{"--config", path}, Env: []string{"CI=" + ciToken}})
		ci, _ := l.as(Older, ciToken)
		operator, _ := l.as(Older, allToken)
		stream, err := http.NewRequest(http.MethodGet, l.url, nil)
		Expect(err).NotTo(HaveOccurred())
		for i := 0; i < len(ci.headers); i += 2 {
			stream.Header.Set(ci.headers[i], ci.headers[i+1])
		}
		open, err := l.client.Do(stream)
		Expect(err).NotTo(HaveOccurred())
		defer open.Body.Close()
		Expect(open.StatusCode).To(Equal(200))

		WriteFile(path, WithHTTP(`{"tokens": {"all": {"value": "`+allToken+`", "toolboxes": ["*"]}, "new": {"value": "a-token-that-is-new", "toolboxes": ["build"]}}}`, boxes...))
		AskToReload(l.Workbench)

		Eventually(func() error { _, err := open.Body.Read(make([]byte, 1)); return err }).WithTimeout(Patience).Should(HaveOccurred(), "its stream ends")
		Eventually(l.Stderr).WithTimeout(Patience).Should(ContainSubstring("takes effect at the next start or with SIGHUP\" token=new"))
		_, hello := l.as(Older, "a-token-that-is-new")
		Expect(hello.StatusCode).To(Equal(401), "a model or a server may have written the file")
		Expect(ci.request("tools/list", "").StatusCode).To(Equal(401))
		Expect(operator.request("tools/list", "").StatusCode).To(Equal(200))
		l.Signal(syscall.SIGHUP)
		Eventually(l.Stderr).WithTimeout(Patience).Should(ContainSubstring("a token is new or has other toolboxes than before\" token=new"))
		_, hello = l.as(Older, "a-token-that-is-new")
		Expect(hello.StatusCode).To(Equal(200))
		Expect(hello.text).NotTo(ContainSubstring("concealed"))

		WriteFile(path, WithHTTP(`{}`, boxes...))
		AskToReload(l.Workbench)
		Eventually(func() int { return operator.request("tools/list", "").StatusCode }).WithTimeout(Patience).Should(Equal(401), "every request is refused")
		_, hello = l.as(Older, "")
		Expect(hello.StatusCode).To(Equal(401))
	})

	It("can use an encrypted connection", Label("T09"), func() {
		certificate, key := writeCertificate(GinkgoT().TempDir())
		l := listen(Launch{Config: Configuration(), Args: []string{"--tls-cert", certificate, "--tls-key", key}})
		Expect(l.url).To(HavePrefix("https://"))
		_, hello := l.as(Older, "")
		Expect(hello.StatusCode).To(Equal(200))

		Expect(os.WriteFile(key, []byte("nonsense"), 0o600)).To(Succeed())
		run := Run(Launch{Config: Configuration(), Args: []string{"--http", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key", key}})
		Expect(run.Code).To(Equal(1))
		Expect(run.Stderr).To(ContainSubstring("read the certificate " + certificate))
	})
})
