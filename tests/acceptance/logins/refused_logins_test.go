package logins_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/authserver"
	. "mcp-workbench/tests/workbenchtest"
)

// expectRefusal runs login, which fails with one line, the last on stderr, and writes
// nothing by half.
func (g *guarded) expectRefusal(code int, line string, args ...string) {
	GinkgoHelper()
	outcome := g.run(append([]string{"login", "dev/team"}, args...)...)
	Expect(outcome.Code).To(Equal(code), outcome.Stdout+outcome.Stderr)
	lines := strings.Split(strings.TrimSpace(outcome.Stderr), "\n")
	Expect(lines[len(lines)-1]).To(MatchRegexp("^mcp-workbench: " + line + "$"))
	Expect(outcome.Stdout).To(BeEmpty())
	g.expectNobody()
}

var _ = Describe("A login that is refused", func() {
	tampered := func(change func(url.Values)) authserver.Behaviour { return authserver.Behaviour{Response: change} }

	DescribeTable("because of a wrong answer says so in one line", Label("A02"),
		func(change func(url.Values), line string) {
			g := guard(tampered(change), "")
			g.expectRefusal(1, "dev/team: "+line)
			Expect(g.login.Asked("token")).To(BeEmpty())
			Expect(g.shownPage()).To(And(HavePrefix("400\n"), ContainSubstring("The login to dev/team failed: ")))
		},
		Entry("the issuer is another one", func(v url.Values) { v.Set("iss", "https://evil.example") },
			`the answer is not from the authorization server at which the login began: its iss is "[^"]+", not "http[^"]+".*`),
		Entry("the user declined", func(v url.Values) {
			v.Del("code")
			v.Set("error", "access_denied")
		}, "access_denied"),
		Entry("there is neither a code nor an error",
			func(v url.Values) { v.Del("code") }, "the authorization server sent neither a code nor an error"),
	)

	It("does not end at an answer with another state, which any page could send", func() {
		NeedsTerminal()
		g := guard(tampered(func(v url.Values) { v.Set("state", "another") }), "")
		terminal := OnTerminal(g.launch("login", "dev/team"), 400, nil)
		terminal.AwaitShown("an answer with another state arrived, and was ignored; still waiting for the browser")
		terminal.Type("\x03")
		Expect(terminal.End()).To(Equal(130))
		Expect(terminal.Shown()).To(HaveSuffix("mcp-workbench: interrupted\n"))
		Expect(g.login.Asked("token")).To(BeEmpty())
		g.expectNobody()
	})

	DescribeTable("because a server cannot be reached exits with 4",
		func(change func(*guarded), line string) {
			g := guard(authserver.Behaviour{}, "")
			change(g)
			g.expectRefusal(4, "dev/team: "+line)
		},
		Entry("the server",
			func(g *guarded) { g.config = strings.ReplaceAll(g.config, g.resource.URL(), "http://127.0.0.1:9/mcp") }, ".*127.0.0.1:9.*"),
		Entry("its authorization server", func(g *guarded) {
			g.resource.Ask(authserver.Protection{Metadata: func(m map[string]any) { m["authorization_servers"] = []string{"http://127.0.0.1:9"} }})
		}, ".*http://127.0.0.1:9: .*"),
	)

	It("warns about a wrong clock", Label("A02"), func() {
		g := guard(authserver.Behaviour{Skew: 3 * time.Hour}, "")
		Expect(g.expectLoggedIn().Stderr).To(MatchRegexp(`warning: the clock on this machine is 3h0m0s behind that of http://127\.0\.0\.1:\d+, so the login may be refused\n`))
	})

	It("because the browser cannot reach this machine names --no-browser", func() {
		g := guard(authserver.Behaviour{}, `{"redirectUri": "https://team.example/back"}`)
		g.expectRefusal(1, `dev/team: the redirect does not lead to this machine \("oauth.redirectUri" in the configuration\): use --no-browser, and paste the address that the browser ends on`)
	})

	DescribeTable("exits with 2 when the wrong thing is named",
		func(config, name, line string) {
			outcome := Run(Launch{Config: config, Args: []string{"login", name}})
			Expect(outcome.Code).To(Equal(2), outcome.Stderr)
			Expect(outcome.Stderr).To(ContainSubstring(line))
		},
		Entry("a server without a URL", `{"toolboxes":{"dev":{"mcpServers":{"files":{"command":"files"}}}}}`, "dev/files",
			"mcp-workbench: dev/files: the server has no URL, so it needs no login\n"),
		Entry("nothing that exists",
			`{"toolboxes":{"dev":{"mcpServers":{"team":{"url":"https://team.example"}}}}}`, "dev/tem", "did you mean"),
	)

	It("accepts --json only with --list", func() {
		outcome := Run(Launch{Args: []string{"login", "dev/team", "--json"}})
		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stderr).To(ContainSubstring("--json goes with --list"))
	})
})

var _ = Describe("An authorization server that only the server names", func() {
	// handedOver returns the settings for a grant without a user, each with a secret
	// that every recipient can use.
	assertion := func() string {
		GinkgoHelper()
		file := filepath.Join(GinkgoT().TempDir(), "token")
		Expect(os.WriteFile(file, []byte("an-assertion-of-the-cluster"), 0o600)).To(Succeed())
		return `"grant": "jwt-bearer", "assertionFile": ` + Quote(file)
	}
	const secret = `"grant": "client_credentials", "clientId": "robot", "clientSecret": "secret-of-the-robot"`
	const key = `"grant": "client_credentials", "clientId": "robot", "privateKey": "/no/such-key"`

	DescribeTable("gets no secret without a configured issuer: every command says what to write", Label("TO01"),
		func(settings func() string) {
			g := guard(authserver.Behaviour{Clients: []authserver.Client{{ID: "robot", Secret: "secret-of-the-robot"}}}, `{`+settings()+`}`)

			for _, args := range [][]string{{"validate"}, {"list", "dev"}, {"call", "dev/team/note"}, {"lock"}, {"login", "dev/team"}, {"serve", "--strict"}} {
				outcome := g.run(args...)
				Expect(outcome.Code).To(Equal(3), args[0])
				Expect(outcome.Stdout+outcome.Stderr).To(MatchRegexp(`\.json:1:\d+: toolboxes\.dev\.mcpServers\.team\.oauth\.issuer: found nothing, `+
					`want the authorization server that may get what is configured here, such as "https://idp\.example\.com"`), args[0])
			}
			Expect(g.login.Asked("")).To(BeEmpty())
			Expect(g.resource.Refusals()).To(BeZero())
		},
		Entry("the secret of a client", func() string { return secret }),
		Entry("the key of a client", func() string { return key }),
		Entry("an assertion in a file", assertion),
	)

	It("causes a warning of validate if it would get a client's secret in a login", Label("TO01"), func() {
		g := guard(authserver.Behaviour{}, `{"clientId": "mine", "clientSecret": "secret-of-mine"}`)

		outcome := g.run("validate")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stderr + outcome.Stdout).To(ContainSubstring(`toolboxes.dev.mcpServers.team.oauth.clientSecret: has no "issuer" beside it, ` +
			`so it goes to the first authorization server that the server names`))
		g.configure(`{"clientId": "mine", "clientSecret": "secret-of-mine", "issuer": "https://login.example"}`)
		Expect(g.run("validate").Stderr).NotTo(ContainSubstring("issuer"))
	})

	// elsewhere lets the page of an authorization server be at another origin.
	elsewhere := func(page string, promises bool) authserver.Behaviour {
		return authserver.Behaviour{Metadata: func(m map[string]any) {
			if m["authorization_endpoint"] = page; !promises {
				delete(m, "authorization_response_iss_parameter_supported")
			}
		}}
	}
	// otherName returns the page of an authorization server under another name of its machine.
	otherName := func(server *authserver.Server) string {
		return "http://" + strings.Replace(server.Host(), "127.0.0.1", "localhost", 1) + "/authorize"
	}

	It("cannot lead to the page of another one, where a code would be issued to it", Label("TO02"), func() {
		honest := authserver.Start(authserver.Behaviour{Clients: []authserver.Client{{ID: "attackers-client", AuthMethod: "none"}}})
		DeferCleanup(honest.Close)
		g := guard(elsewhere("http://"+honest.Host()+"/authorize?client_id=attackers-client", false), "")

		g.expectRefusal(1, `dev/team: the page to log in is at http://`+honest.Host()+`, not at the authorization server `+g.login.Issuer()+
			`, which does not promise to say who answers .*, so the login could be meant for another server; if its provider says that both belong to it, `+
			`write "issuer": "`+g.login.Issuer()+`" into "oauth" of the server in the configuration`)

		Expect(honest.Asked("")).To(BeEmpty())
		Expect(g.login.Asked("register")).To(BeEmpty())
		if OverHTTP() {
			return // there, no host is asked to log in
		}
		w := Start(g.launch())
		w.Initialize()
		Expect(w.Call("open_toolbox", `{"toolbox":"dev"}`).Line).To(And(ContainSubstring(`write \\\"issuer\\\": `), Not(ContainSubstring("or open"))))
		Expect(honest.Asked("")).To(BeEmpty())
	})

	It("can lead to a page elsewhere once the configuration names it as the issuer", Label("TO02"), func() {
		g := guard(authserver.Behaviour{}, "")
		g.login.Behave(elsewhere(otherName(g.login), false))
		g.configure(`{"issuer": ` + Quote(g.login.Issuer()) + `}`)

		Expect(g.expectLoggedIn().Stderr).To(ContainSubstring("(the page is at localhost:"))
	})

	It("can lead to a page elsewhere if its answers name the issuer", Label("TO02"), func() {
		g := guard(authserver.Behaviour{}, "")
		g.login.Behave(elsewhere(otherName(g.login), true))

		g.expectLoggedIn()
	})
})
