package logins_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/authserver"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// strictRotation detects stolen refresh tokens: each can be used once; a second use
// ends the login.
var strictRotation = authserver.Behaviour{Rotates: true, RevokesOnReuse: true}

// expectCalls expects that calls succeed which need a new token.
func (g *guarded) expectCall() {
	GinkgoHelper()
	outcome := g.run("call", "dev/team/note", "--log-level", "debug")
	Expect(outcome.Stdout).To(Equal("noted\n"), outcome.Stderr)
}

// expectLoginNeeded expects that a call fails because a login is needed.
func (g *guarded) expectLoginNeeded(why string) {
	GinkgoHelper()
	outcome := g.run("call", "dev/team/note", "--log-level", "debug")
	Expect(outcome.Code).To(Equal(4), outcome.Stderr)
	Expect(outcome.Stderr).To(ContainSubstring("mcp-workbench: dev/team: " + why))
	Expect(outcome.Stderr).To(ContainSubstring("to log in, run `mcp-workbench login dev/team`"))
}

// rewrite changes the file of the only login.
func (g *guarded) rewrite(change func(map[string]any)) {
	GinkgoHelper()
	paths := g.files()
	Expect(paths).To(HaveLen(1))
	var login map[string]any
	Expect(json.Unmarshal(spec.Must(os.ReadFile(paths[0])), &login)).To(Succeed())
	change(login)
	Expect(os.WriteFile(paths[0], spec.Must(json.Marshal(login)), 0o600)).To(Succeed())
}

// killWhileRefreshing kills a workbench after the authorization server took its refresh
// token, and before it answered.
func (g *guarded) killWhileRefreshing() {
	GinkgoHelper()
	g.login.Expire()
	g.login.Next(authserver.HangAfter)
	asked := len(g.login.Asked("token"))
	w := Start(g.launch())
	w.Initialize()
	w.BeginCall("open_toolbox", `{"toolbox":"dev"}`)
	Eventually(func() int { return len(g.login.Asked("token")) }).WithTimeout(Patience).Should(Equal(asked + 1))
	w.Signal(os.Kill)
	w.ExitCode()
}

var _ = Describe("A login that many copies of the workbench share", func() {
	It("is refreshed once, however many need it at once", Label("A05"), func() {
		g := guard(strictRotation, "")
		g.expectLoggedIn()
		g.login.Expire()
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				defer GinkgoRecover()
				g.expectCall()
			})
		}
		wg.Wait()
		Expect(g.login.Asked("token")).To(HaveLen(2), "the code, and one refresh")
	})

	It("ends with such a kill if the server does not, and the token is never sent again", Label("A06"), func() {
		g := guard(strictRotation, "")
		g.expectLoggedIn()
		g.killWhileRefreshing()
		for range 2 {
			g.expectLoginNeeded("its login has ended (the authorization server refused the refresh token, which was sent before by a process that was interrupted)")
		}
		Expect(g.login.Asked("token")).To(HaveLen(3), "the code, and one token twice")
		Expect(g.list()).To(ConsistOf(HaveKeyWithValue("ended", HavePrefix("the authorization server refused"))))
		g.expectLoggedIn()
		g.expectCall()
	})

	DescribeTable("survives an authorization server that fails", Label("A03"),
		func(fault authserver.Fault) {
			g := guard(strictRotation, "")
			g.expectLoggedIn()
			g.login.Expire()
			g.login.Next(slices.Repeat([]authserver.Fault{fault}, 100)...)
			outcome := g.run("call", "dev/team/note", "--log-level", "debug")
			Expect(outcome.Code).NotTo(Equal(0))
			Expect(outcome.Stderr).To(ContainSubstring("cannot be refreshed now"))
			g.login.Recover()
			g.expectCall()
			Expect(g.login.Asked("authorize")).To(HaveLen(1))
		},
		Entry("it is down for a while", authserver.Page(http.StatusServiceUnavailable)),
	)

	It("is refreshed before the token expires, and a program that ends waits for the refresh", func() {
		g := guard(strictRotation, "")
		g.expectLoggedIn()
		g.rewrite(func(login map[string]any) {
			login["expiry"], login["lastRefresh"] = time.Now().Add(20*time.Second), time.Now().Add(-time.Hour)
		})
		g.login.Next(authserver.Slow(300 * time.Millisecond))
		g.expectCall()
		Expect(g.login.Asked("token")).To(HaveLen(2))
		Expect(g.list()).To(ConsistOf(And(HaveKeyWithValue("state", "valid"), Not(HaveKey("ended")))))
		g.login.Expire()
		g.expectCall()
		Expect(g.login.Asked("authorize")).To(HaveLen(1))
	})
})

var _ = Describe("A server that wants a login, without a user", func() {
	client := authserver.Client{ID: "robot", Secret: "secret-of-the-robot", AuthMethod: "client_secret_basic"}
	noted := script.Script{Tools: []string{script.Tool("note")}, Rules: []script.Rule{script.Answer("note", `{"content":[]}`)}}
	const bySecret = `{"grant": "client_credentials", "clientId": "robot", "clientSecret": "${ROBOT}", "issuer": "ISSUER"}`

	// behind returns a server of that kind behind an authorization server, with settings of
	// oauth, in which ISSUER is that.
	behind := func(over WebKind, issuer *authserver.Server, settings string) (server RemoteServer, resource *authserver.Resource) {
		GinkgoHelper()
		DeferCleanup(issuer.Close)
		path := map[string]string{"http": "/mcp", "sse": "/sse"}[over.Transport]
		server = over.ServeBehind(func(own string) string {
			resource = issuer.Protect("http://"+own+path, authserver.Protection{})
			return strings.TrimSuffix(strings.TrimPrefix(resource.URL(), "http://"), path)
		}, noted, `"headers": {"X-Own": "for-the-server"}, "oauth": `+strings.ReplaceAll(settings, "ISSUER", issuer.Issuer()))
		return server, resource
	}
	// startIn starts a workbench whose user has that home folder, where logins are kept.
	startIn := func(home string, server RemoteServer, env ...string) *Workbench {
		GinkgoHelper()
		return Start(Launch{
			Config: `{"logLevel": "debug", ` + strings.TrimPrefix(Configuration(InDev(server.Server)), "{"),
			Env:    append([]string{"HOME=" + home, "USERPROFILE=" + home, "ROBOT=secret-of-the-robot"}, env...),
		})
	}
	start := func(server RemoteServer, env ...string) *Workbench {
		GinkgoHelper()
		return startIn(GinkgoT().TempDir(), server, env...)
	}
	expectNoSecrets := func(issuer *authserver.Server, w *Workbench) {
		GinkgoHelper()
		for _, secret := range issuer.Secrets() {
			Expect(w.Stderr()).NotTo(ContainSubstring(secret))
		}
	}

	OverEveryWebKind(func(over WebKind) {
		It("gets a token for its secret when it is first used", Label("A07"), func() {
			issuer := authserver.Start(authserver.Behaviour{Clients: []authserver.Client{client}, AuthMethods: []string{"client_secret_basic"}})
			server, resource := behind(over, issuer, bySecret)
			w := start(server)
			host := Connect(w, over.Era.Modern, `{}`)

			Expect(host.Open("dev").Errors).To(BeEmpty())

			Expect(string(host.Use("dev", "files", "note", `{}`).Result)).To(ContainSubstring(`"content":[]`))
			Expect(issuer.Asked("token")).To(HaveLen(1))
			Expect(issuer.Asked("token")[0].Values.Get("resource")).To(Equal(resource.URL()))
			Expect(issuer.Asked("")).To(HaveEach(HaveField("Header", Not(HaveKey("X-Own")))))
			Expect(resource.Passed()).To(HaveEach(HaveKey("X-Own")))
			expectNoSecrets(issuer, w)
		})
	})

	It("gets a token for the assertion in a file", Label("A07"), func() {
		file := filepath.Join(GinkgoT().TempDir(), "token")
		Expect(os.WriteFile(file, []byte("an-assertion-of-the-cluster\n"), 0o600)).To(Succeed())
		issuer := authserver.Start(authserver.Behaviour{
			Clients: []authserver.Client{{ID: "robot", AuthMethod: "none"}}, Assertion: "an-assertion-of-the-cluster",
		})
		server, _ := behind(WebKinds[0], issuer, fmt.Sprintf(`{"grant": "jwt-bearer", "clientId": "robot", "issuer": "ISSUER", "assertionFile": %q}`, file))
		w := start(server)

		Expect(Connect(w, false, `{}`).Open("dev").Errors).To(BeEmpty())

		Expect(w.Stderr()).NotTo(ContainSubstring("an-assertion-of-the-cluster"))
	})
})
