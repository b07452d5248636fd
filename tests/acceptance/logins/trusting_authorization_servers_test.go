package logins_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/authserver"
	. "mcp-workbench/tests/workbenchtest"
)

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
